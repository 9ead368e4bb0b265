package player

import (
	"sync"
	"sync/atomic"
)

// team are the helpers of the search under way: what a number of positions bounds must not
// depend on how threads meet.
func (s *search) team() []*search {
	if s.limit > 0 {
		return nil
	}
	return s.helpers
}

// gather has the helpers begin a search, at the position of this one.
func (s *search) gather() {
	for _, h := range s.team() {
		h.f.follow(s.f)
		h.nodes, h.veto, h.best = 0, s.veto, found{}
		h.met.Store(0)
	}
}

// together has the helpers work while the search does, from its order of moves, and returns
// when nobody works any more. The search's work reports whether that of the helpers is to end,
// too.
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

// visited is how many positions all threads have visited; of those at work it may lack one.
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

// deepest is the best of what a search and its helpers have found: a win, else what was
// searched deepest.
func (s *search) deepest(best *found) *found {
	for _, h := range s.team() {
		if best.v < decided && (h.best.v >= decided || h.best.depth > best.depth) {
			best = &h.best
		}
	}
	return best
}
