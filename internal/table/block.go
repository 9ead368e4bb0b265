package table

import "unsafe"

// Block is a stretch of zeroed words that starts on a cache line.
type Block struct {
	Words  []uint64
	raw    []byte // the mapping, nil on the heap
	huge   bool
	mapped bool
}

// heapBlock is a block on the Go heap: the portable way, and the one the race
// detector can see into.
func heapBlock(n int) Block {
	w := make([]uint64, n+lineWords-1)
	skip := 0
	for uintptr(unsafe.Pointer(&w[skip]))%(lineWords*8) != 0 {
		skip++
	}
	return Block{Words: w[skip : skip+n : skip+n]}
}
