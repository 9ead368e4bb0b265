//go:build darwin || freebsd

package host

import (
	"errors"
	"os"
)

// allocate has no call that both takes the room and sets the size.
func allocate(*os.File, int) error { return errors.ErrUnsupported }
