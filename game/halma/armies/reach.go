package armies

import (
	"context"
	"fmt"
	"math/bits"
)

// Reach finds the positions that can be reached from the start, move by move. It
// takes one plane for each kind of seats and two for the positions of the last
// move and the next.
func (s *Solution) Reach(ctx context.Context, threads int) (*Reach, error) {
	b := s.b
	o := Options{Threads: threads}
	// The nodes give the solver its layouts: each kind leads to the next.
	var nodes []node
	for kind := range b.period {
		nodes = append(nodes, node{kind: kind})
	}
	work, err := newSolver(b, nodes, o.threads(), new(room))
	if err != nil {
		return nil, err
	}
	defer work.close()
	r := &Reach{seen: work.yes}
	now, next := work.fresh, make([]uint64, len(work.fresh))
	var start []uint64
	for seat := range b.n {
		start = append(start, b.home[seat])
	}
	row := 0
	for i, home := range start {
		if bits.OnesCount64(home) != b.k {
			return nil, fmt.Errorf("armies: %s: the start of seat %d is not known: its camp has more cells than it has pieces", b.spec.ID, i)
		}
		rank, err := b.rankOf(i, home)
		if err != nil {
			return nil, err
		}
		if i == b.n-1 {
			row *= work.layouts[0].words
			now[row+rank>>6] |= 1 << (rank & 63)
			r.seen[0][row+rank>>6] |= 1 << (rank & 63)
			break
		}
		row = row*work.layouts[0].dims[i] + rank
	}
	for kind, found := 0, true; found; kind = (kind + 1) % b.period {
		work.fresh = now
		to := (kind + 1) % b.period
		l := &work.layouts[to]
		some := make([]bool, l.slabs)
		err := parallel(ctx, work.workers, l.slabs, func(w *worker, slab int) error {
			some[slab] = w.forward(kind, slab, r.seen[to], next)
			return nil
		})
		if err != nil {
			return nil, err
		}
		found = false
		for _, any := range some {
			found = found || any
		}
		now, next = next, now
		clear(next)
	}
	return r, nil
}

// forward enters into seen and next where the turns from the positions fresh of a
// kind lead to, for the rows of a slab of the next one. It reports whether there
// is anything new.
func (w *worker) forward(kind, slab int, seen, next []uint64) (found bool) {
	still, ok := w.source(kind, slab)
	if !ok {
		return false
	}
	to := (kind + 1) % w.period
	l, row := &w.layouts[to], w.rows[kind]
	if !w.fetch(kind, slab, w.fresh) {
		return false
	}
	width, size := l.words, l.slabWords()
	mask, out := w.mask[:width], w.unclaimed[:width]
	for c, last := range w.army[(kind+w.n-1)%w.n] {
		armies := w.known[c*width : (c+1)*width]
		if empty(armies) || last&still != 0 {
			continue
		}
		w.armies[w.n-1] = last
		blocked := still | last
		clear(mask)
		if w.over(kind, w.armies, blocked, mask) {
			continue
		}
		for j := range armies {
			armies[j] &^= mask[j]
		}
		clear(out)
		row.begin(blocked)
		row.ahead(armies, out, func(army int) bool {
			w.armies[0] = w.army[kind][army]
			return w.anyMobile(kind, w.armies)
		})
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

// ahead enters into out where the turns of armies lead; those without any pass if
// others says that somebody can move.
func (w *row) ahead(armies, out []uint64, others func(army int) bool) {
	for j, x := range armies {
		for ; x != 0; x &= x - 1 {
			if at := j*64 + bits.TrailingZeros64(x); w.stuck(at) && others(at) {
				out[j] |= x & -x
			}
		}
	}
	w.lift(armies)
	for _, p := range w.touched {
		e := w.moves.edges(w.partial[p] | w.blocked)
		to := w.moves.after(&e, w.fresh[p])
		w.fresh[p] = 0
		columns := w.column[int(p)*w.span:]
		for ; to != 0; to &= to - 1 {
			c := columns[bits.TrailingZeros64(to)]
			out[c>>6] |= 1 << (c & 63)
		}
	}
}

// anyMobile reports whether any seat has a legal turn; armies are those of the
// seats in turn order from one of a kind on.
func (b *board) anyMobile(kind int, armies []uint64) bool {
	all := uint64(0)
	for _, army := range armies {
		all |= army
	}
	for i, army := range armies {
		seat := (kind + i) % b.n
		if b.kinds[seat%b.period].moves.mobile(b.back(seat, army), b.back(seat, all&^army)) {
			return true
		}
	}
	return false
}

// after returns the cells that one turn of the piece in the hand leads to from a
// cell of s other than the cell itself. It is before with all hops turned round.
func (m *moves) after(e *edges, s uint64) (to uint64) {
	back := edges{empty: e.empty}
	for i, a := range m.a {
		back.down[i] = e.up[i] << (2 * a & 63) & e.empty
		back.up[i] = e.down[i] >> (2 * a & 63) & e.empty
	}
	if m.together {
		for _, c := range m.classes {
			to |= m.step(s&c.from) & c.to
		}
		return m.chains(&back, s, to&e.empty) & m.open
	}
	for _, c := range m.classes {
		if from := s & c.from; from != 0 {
			to |= m.chains(&back, from, m.step(from)&e.empty) & c.to
		}
	}
	return to & m.open
}
