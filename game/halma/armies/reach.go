package armies

import (
	"context"
	"fmt"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/internal/host"
)

// Reach finds the positions that the start leads to, move by move. It takes one plane for each kind
// of seats and two for the positions of the last move and the next.
func (s *Solution) Reach(ctx context.Context, threads int) (*Reach, error) {
	b := s.b
	o := Options{Threads: threads}
	// The solver takes its layouts from nodes: one for each kind, followed by the next kind.
	var nodes []node
	for kind := range b.period {
		nodes = append(nodes, node{kind: kind})
	}
	work, err := newSolver(b, nodes, o.Workers(), new(host.Space))
	if err != nil {
		return nil, err
	}
	r := &Reach{seen: work.yes}
	now, next := work.fresh, make([]uint64, len(work.fresh))
	var start []bitboard.Set128
	for i, home := range b.spec.Home {
		if len(home) != b.k {
			return nil, fmt.Errorf("armies: %s: the start of seat %d is not known: its camp has more cells than it has pieces", b.spec.ID, i)
		}
		start = append(start, halma.SetOf(home))
	}
	p, err := s.Place(0, start)
	if err != nil {
		return nil, err
	}
	row, bit := work.layouts[0].row(p.ranks)
	row *= work.layouts[0].words
	now[row+bit>>6] |= 1 << (bit & 63)
	r.seen[0][row+bit>>6] |= 1 << (bit & 63)
	for kind, found := 0, true; found; kind = (kind + 1) % b.period {
		work.fresh = now
		to := (kind + 1) % b.period
		l := &work.layouts[to]
		some := make([]bool, l.slabs)
		err := host.Parallel(ctx, work.workers, l.slabs, func(w *worker, slab int) error {
			some[slab] = w.forward(kind, slab, r.seen[to], next)
			return nil
		})
		if err != nil {
			return nil, err
		}
		found = slices.Contains(some, true)
		now, next = next, now
		clear(next)
	}
	return r, nil
}

// forward adds to seen and next the positions after turns from the positions fresh of a kind, in
// the rows of a slab of the next kind. It reports whether any are new.
func (w *worker) forward(kind, slab int, seen, next []uint64) (found bool) {
	h, ok := w.source(kind, slab)
	if !ok {
		return false
	}
	to := (kind + 1) % w.period
	l := &w.layouts[to]
	if !w.fetch(kind, slab, w.fresh) {
		return false
	}
	width, size := l.words, l.slabWords()
	mask, out := w.mask[:width], w.unclaimed[:width]
	for c := range l.slabRows {
		armies := w.known[c*width : (c+1)*width]
		if empty(armies) || !h.begin(c) {
			continue
		}
		clear(mask)
		if h.over(mask) {
			continue
		}
		for j := range armies {
			armies[j] &^= mask[j]
		}
		clear(out)
		h.ahead(armies, out)
		at := slab*size + c*width
		for j, x := range out {
			if x &^= seen[at+j]; x != 0 {
				seen[at+j] |= x
				next[at+j] |= x
				found = true
			}
		}
	}
	return found
}
