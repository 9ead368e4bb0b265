package strong

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

// space is where planes are: on the heap, or where that is too small in files
// without a name that are mapped into memory and let go of again and again, so
// that no more than a budget stays resident. What is let go of is not lost: it
// is in the file, and the operating system keeps what it has room for.
//
// Planes are laid out for this: one block of work touches one run of memory for
// its columns, and for its rows one page in each run, the same pages as the next
// blocks.
type space struct {
	dir     string // of the files; empty for the heap
	budget  int64
	maps    [][]byte
	touched atomic.Int64 // bytes used since the last time, at most
	mu      sync.Mutex
}

// pageSize is what touching a single byte brings in.
const pageSize = 4096

// bytes returns n zero bytes.
func (s *space) bytes(n int) ([]byte, error) {
	if s.dir == "" || n == 0 {
		// Words, so that planes are aligned.
		words := make([]uint64, (n+7)/8)
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n), nil
	}
	b, err := mapScratch(s.dir, n)
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

// touch says that n bytes more have been used, and lets go of everything when
// that makes too many.
func (s *space) touch(n int) {
	if s.dir == "" || s.touched.Add(int64(n)) < s.budget {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.touched.Load() < s.budget {
		return // another goroutine has done it
	}
	s.touched.Store(0)
	for _, b := range s.maps {
		letGo(b)
	}
}

// bring brings the page of a word into memory, and no other: where a page is
// read first, the operating system maps up to sixteen around it.
func (s *space) bring(word *uint64) {
	if s.dir != "" {
		atomic.OrUint64(word, 0)
	}
}

// bringByte is bring for the page of the first of at least eight bytes at a
// multiple of eight.
func (s *space) bringByte(b []uint8) {
	if s.dir != "" {
		atomic.OrUint64((*uint64)(unsafe.Pointer(&b[:8][0])), 0)
	}
}

// close gives the files back. Planes must not be used any more.
func (s *space) close() {
	for _, b := range s.maps {
		unmapScratch(b)
	}
	s.maps = nil
}
