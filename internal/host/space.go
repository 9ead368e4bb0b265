package host

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Space holds planes: on the heap, or in files without a name that are mapped into memory. Pages
// of files are evicted from memory, and stay in the file, when more than a budget is resident.
type Space struct {
	dir    string // directory of the files; empty if planes are on the heap
	budget int64
	maps   [][]byte
	used   atomic.Int64 // upper bound on the bytes used since the last eviction
	mu     sync.Mutex   // guards maps; held during an eviction
}

// PageSize is the size of a page.
const PageSize = 4096

// NewSpace returns a space in files of a directory, of which about budget bytes stay resident
// at most. The zero Space is on the heap.
func NewSpace(dir string, budget int64) *Space { return &Space{dir: dir, budget: budget} }

// Words returns n zero words.
func (s *Space) Words(n int) ([]uint64, error) {
	if s.dir == "" || n == 0 {
		return make([]uint64, n), nil
	}
	b, err := scratch(s.dir, 8*n)
	if err != nil {
		return nil, fmt.Errorf("scratch file of %d bytes in %s: %w", 8*n, s.dir, err)
	}
	s.mu.Lock()
	s.maps = append(s.maps, b)
	s.mu.Unlock()
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), n), nil
}

// Charge counts n bytes more as used, and evicts everything when the budget is
// exceeded.
func (s *Space) Charge(n int) {
	if s.dir == "" || s.used.Add(int64(n)) < s.budget {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used.Load() < s.budget {
		return // another goroutine has evicted the pages
	}
	s.used.Store(0)
	for _, b := range s.maps {
		evict(b)
	}
}

// FaultIn brings the page of a word into memory, and no other: at a read fault the
// operating system maps up to sixteen pages around it, at a write fault one.
func (s *Space) FaultIn(word *uint64) {
	if s.dir != "" {
		atomic.OrUint64(word, 0)
	}
}

// InFiles says whether planes are in files.
func (s *Space) InFiles() bool { return s.dir != "" }

// Close frees the files; the space is empty then. Planes must not be used any more.
func (s *Space) Close() {
	for _, b := range s.maps {
		_ = Unmap(b)
	}
	s.maps = nil
}
