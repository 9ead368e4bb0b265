package retro

import (
	"fmt"
	"sync"
	"unsafe"

	"perfectplay/internal/host"
)

// planes allocates zeroed cells: in files, or in memory within a budget.
type planes struct {
	*host.Space
	files   bool
	spill   bool   // files could replace memory
	allowed uint64 // bytes of memory in all, 0 for no limit
	mu      sync.Mutex
	used    uint64
}

// take counts bytes of memory; what names their use for errors.
func (p *planes) take(what string, bytes uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if need := p.used + bytes; p.allowed > 0 && need > p.allowed {
		return &MemoryError{What: what, Bytes: need, Allowed: p.allowed, Files: p.spill}
	}
	p.used += bytes
	return nil
}

// room returns an error if bytes more of planes do not fit.
func (p *planes) room(bytes uint64) error {
	if p.files {
		return nil
	}
	err := p.take("planes", bytes)
	if err == nil {
		p.give(bytes)
	}
	return err
}

// give returns memory that is no longer used.
func (p *planes) give(bytes uint64) {
	if !p.files {
		p.mu.Lock()
		p.used -= bytes
		p.mu.Unlock()
	}
}

// plane returns n zeroed cells; what names their use for errors.
func plane[T byte | uint16 | uint32 | uint64](p *planes, what string, n uint64) ([]T, error) {
	bytes := (n*uint64(unsafe.Sizeof(T(0))) + 7) / 8 * 8
	if !p.files {
		if err := p.take(what, bytes); err != nil {
			return nil, err
		}
	}
	words, err := p.Words(int(bytes / 8))
	if err != nil {
		return nil, fmt.Errorf("planes: %w", err)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(words))), n), nil
}
