//go:build linux && !race

package table

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugeFrom is the size in bytes from which a block is worth a mapping of its
// own; below, the heap does as well.
const hugeFrom = 1 << 20

// allocate maps n words of private zeroed memory and asks for huge pages.
func allocate(n int) (block, error) {
	if n*8 < hugeFrom {
		return heapBlock(n), nil
	}
	raw, err := unix.Mmap(-1, 0, n*8, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return block{}, err
	}
	b := block{raw: raw, mapped: true}
	b.huge = unix.Madvise(raw, unix.MADV_HUGEPAGE) == nil
	b.words = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(raw))), n)
	return b, nil
}

func (b *block) free() error {
	raw := b.raw
	b.raw, b.words = nil, nil
	if raw == nil {
		return nil
	}
	return unix.Munmap(raw)
}
