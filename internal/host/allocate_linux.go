package host

import (
	"os"

	"golang.org/x/sys/unix"
)

// allocate takes the room of n bytes on the disk for a file.
func allocate(f *os.File, n int) error { return unix.Fallocate(int(f.Fd()), 0, 0, int64(n)) }
