package strong

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"perfectplay/internal/host"
)

// space is where planes are: on the heap, or where that is too small in files
// without a name that are mapped into memory and evicted again and again, so
// that no more than a budget stays resident. What is evicted is not lost: it is
// in the file, and the operating system keeps what it has room for.
//
// Planes are laid out for this: one block of work touches one run of memory for
// its columns, and for its rows one page in each run, the same pages as the next
// blocks.
type space struct {
	dir    string // of the files; empty for the heap
	budget int64
	maps   [][]byte
	used   atomic.Int64 // bytes used since the last eviction, at most
	mu     sync.Mutex
}

// pageSize is what a fault brings in.
const pageSize = 4096

// bytes returns n zero bytes.
func (s *space) bytes(n int) ([]byte, error) {
	if s.dir == "" || n == 0 {
		// Words, so that planes are aligned.
		words := make([]uint64, (n+7)/8)
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n), nil
	}
	b, err := host.Scratch(s.dir, n)
	if err != nil {
		return nil, fmt.Errorf("strong: scratch file of %d bytes in %s: %w", n, s.dir, err)
	}
	s.maps = append(s.maps, b)
	return b, nil
}

// plane returns a plane of n words.
func (s *space) plane(n int) (plane, error) {
	b, err := s.bytes(8 * n)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), n), nil
}

// charge counts n bytes more as used, and evicts everything when the budget is
// exceeded.
func (s *space) charge(n int) {
	if s.dir == "" || s.used.Add(int64(n)) < s.budget {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used.Load() < s.budget {
		return // another goroutine has done it
	}
	s.used.Store(0)
	for _, b := range s.maps {
		host.Evict(b)
	}
}

// faultIn brings the page of a word into memory, and no other: at a read fault the
// operating system maps up to sixteen pages around it, at a write fault one.
func (s *space) faultIn(word *uint64) {
	if s.dir != "" {
		atomic.OrUint64(word, 0)
	}
}

// faultInByte is faultIn for the page of the first of at least eight bytes at a
// multiple of eight.
func (s *space) faultInByte(b []uint8) {
	if s.dir != "" {
		atomic.OrUint64((*uint64)(unsafe.Pointer(&b[:8][0])), 0)
	}
}

// close gives the files back. Planes must not be used any more.
func (s *space) close() {
	for _, b := range s.maps {
		_ = host.Unmap(b)
	}
	s.maps = nil
}
