//go:build !linux || race

package table

import "runtime/debug"

// Allocate takes n zeroed words from the heap.
func Allocate(n int) (Block, error) { return heapBlock(n), nil }

// heapFrom is the size in words from which freeing a block gives its memory back
// to the system at once: until the next collection it would count twice against a
// budget, once for this block and once for its successor.
const heapFrom = 1 << 17

// Free gives the memory back. Nothing may refer to the words any more.
func (b *Block) Free() error {
	large := len(b.Words) >= heapFrom
	b.Words = nil
	if large {
		debug.FreeOSMemory()
	}
	return nil
}
