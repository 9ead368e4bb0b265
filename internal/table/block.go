package table

import (
	"errors"
	"unsafe"

	"perfectplay/internal/host"
)

// Block is a number of zeroed words that start on a cache line.
type Block struct {
	Words []uint64
	raw   []byte // the mapping, nil on the heap
}

// hugeFrom is the size in bytes from which a block gets a mapping of its own.
const hugeFrom = 1 << 20

// Allocate returns a block of n words, in huge pages where the system has them.
func Allocate(n int) (Block, error) {
	if n*8 < hugeFrom {
		return heapBlock(n), nil
	}
	raw, err := host.Pages(n * 8)
	if errors.Is(err, errors.ErrUnsupported) {
		return heapBlock(n), nil
	}
	if err != nil {
		return Block{}, err
	}
	return Block{Words: unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(raw))), n), raw: raw}, nil
}

// heapBlock is a block on the Go heap.
func heapBlock(n int) Block {
	w := make([]uint64, n+lineWords-1)
	skip := 0
	for uintptr(unsafe.Pointer(&w[skip]))%(lineWords*8) != 0 {
		skip++
	}
	return Block{Words: w[skip : skip+n : skip+n]}
}

// Free frees the memory. Nothing may refer to the words any more.
func (b *Block) Free() error {
	raw := b.raw
	b.raw, b.Words = nil, nil
	if raw == nil {
		return nil
	}
	return host.Unmap(raw)
}
