package player

import (
	"sync"
	"sync/atomic"
)

// team returns the helpers. A search bounded by positions has none, so that its result does
// not depend on timing.
func (s *search) team() []*search {
	if s.limit > 0 {
		return nil
	}
	return s.helpers
}

// gather puts the helpers at this search's position.
func (s *search) gather() {
	for _, h := range s.team() {
		h.f.follow(s.f)
		h.nodes, h.veto, h.best = 0, s.veto, found{}
		h.met.Store(0)
	}
}

// together runs work, and help for each helper on a goroutine of its own, and waits for all.
// The helpers begin with this search's order of moves. They stop when work returns true.
func (s *search) together(work func() (end bool), help func(h *search, i int)) {
	var over atomic.Bool
	var wait sync.WaitGroup
	for i, h := range s.team() {
		h.root, h.over = append(h.root[:0], s.root...), false
		h.stop = func(positions uint64) bool {
			h.met.Add(positions)
			return over.Load() || s.ended != nil && s.ended.Load()
		}
		wait.Go(func() {
			help(h, i)
			h.met.Store(h.nodes)
		})
	}
	if work() {
		over.Store(true)
	}
	wait.Wait()
}

// visited is the number of positions that all threads have visited. While a helper works,
// its last one may be missing.
func (s *search) visited() uint64 {
	n := s.nodes
	for _, h := range s.team() {
		n += h.met.Load()
	}
	return n
}

// ahead searches deeper and deeper on the goroutine of a helper.
func (s *search) ahead(p, d, most int) {
	for ; d <= most; d++ {
		b := s.best
		if !s.iterate(p, d, &b, func(*found) {}) {
			return
		}
		b.depth = d
		s.best = b
		if b.v >= decided || s.rootDecided() {
			return
		}
	}
}

// deepest returns the best result of all threads: a win, else the deepest.
func (s *search) deepest(best *found) *found {
	for _, h := range s.team() {
		if best.v < decided && (h.best.v >= decided || h.best.depth > best.depth) {
			best = &h.best
		}
	}
	return best
}
