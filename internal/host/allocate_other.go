//go:build darwin || freebsd

package host

import (
	"errors"
	"os"
)

// allocate is not supported: no call both takes the room and sets the size.
func allocate(*os.File, int) error { return errors.ErrUnsupported }
