//go:build !linux

package host

import (
	"errors"
	"os"
)

// allocate is not supported: no call both takes the room and sets the size.
func allocate(*os.File, int) error { return errors.ErrUnsupported }

// PeakMemory is [memoryInUse]: this system does not say more.
func PeakMemory() uint64 { return memoryInUse() }
