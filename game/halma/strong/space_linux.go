package strong

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapScratch maps a new file of n bytes that has no name, so that it goes when
// the process does, however it ends. Its room on the disk is taken now: later a
// full disk could not be told from a crash.
func mapScratch(dir string, n int) ([]byte, error) {
	f, err := os.CreateTemp(dir, ".strong-scratch-")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return nil, err
	}
	if err := unix.Fallocate(int(f.Fd()), 0, 0, int64(n)); err != nil {
		return nil, err
	}
	return unix.Mmap(int(f.Fd()), 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

// evict takes a mapping out of memory; its contents stay in the file.
func evict(b []byte) { _ = unix.Madvise(b, unix.MADV_DONTNEED) }

func unmapScratch(b []byte) { _ = unix.Munmap(b) }

// canScratch says whether planes can be in files.
const canScratch = true
