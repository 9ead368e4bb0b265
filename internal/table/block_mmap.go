//go:build linux && !race

package table

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugeFrom is the size in bytes from which a block is worth a mapping of its
// own; below, the heap does as well.
const hugeFrom = 1 << 20

// Allocate maps n words of private zeroed memory and asks for huge pages.
func Allocate(n int) (Block, error) {
	if n*8 < hugeFrom {
		return heapBlock(n), nil
	}
	raw, err := unix.Mmap(-1, 0, n*8, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return Block{}, err
	}
	b := Block{raw: raw, mapped: true}
	b.huge = unix.Madvise(raw, unix.MADV_HUGEPAGE) == nil
	b.Words = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(raw))), n)
	return b, nil
}

// Free gives the memory back. Nothing may refer to the words any more.
func (b *Block) Free() error {
	raw := b.raw
	b.raw, b.Words = nil, nil
	if raw == nil {
		return nil
	}
	return unix.Munmap(raw)
}
