//go:build linux || darwin || freebsd

package host

import (
	"errors"

	"golang.org/x/sys/unix"

	"perfectplay/internal/files"
)

// HasScratch says whether the system has [scratch].
const HasScratch = true

// scratch maps a new file of n bytes without a name, which disappears with the process, however
// it ends. Its room on the disk is taken now: later a full disk would look like a crash. Free
// it with [Unmap].
func scratch(dir string, n int) ([]byte, error) {
	f, err := files.Scratch(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = allocate(f, n)
	if errors.Is(err, errors.ErrUnsupported) { // this system or the file system does not support it
		err = takeRoom(f, n)
	}
	if err != nil {
		return nil, err
	}
	return unix.Mmap(int(f.Fd()), 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

// evict takes a [scratch] file out of memory; its contents stay in the file.
func evict(b []byte) { _ = unix.Madvise(b, unix.MADV_DONTNEED) }

// Unmap frees memory of [scratch] or [Pages].
func Unmap(b []byte) error { return unix.Munmap(b) }
