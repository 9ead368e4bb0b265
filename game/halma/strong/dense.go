package strong

import (
	"math/bits"

	"perfectplay/bitboard"
)

// If much of a row is new, 64 partial armies are worked on at once, each in a lane: a bit of the
// words for all free cells. The bit says whether the piece in the hand, put on the cell, makes a
// position of a kind.
//
//	columns   one bit for each set of k free cells
//	   │ spread: columns with cell f, without it, are the partial armies that lack f,
//	   │         in the same order; so a bit moves by extract and deposit
//	lanes     for each cell f one bit for each partial army
//	   │ reachLanes: a hop from a to b over o is R[a] |= R[b] & occupied[o] & empty[a]
//	lanes     whether a turn from cell f leads to a position of that kind
//	   │ collect: back to columns, of all pieces together
//	columns   positions before the turn from which some turn leads there

// slicing holds the tables between columns and lanes that all rows share.
type slicing struct {
	lanes int // words, of 64 partial armies each
	// lacks[f·lanes+j] are the partial armies of word j without the f-th free cell.
	lacks []uint64
	first []int // by free cell: the first word of columns with that cell
}

// newSlicing returns nil for more words than one and for a square layout.
func newSlicing(kernel kernel) *slicing {
	k, ok := kernel.(*kernel1)
	if !ok || k.l.square {
		return nil
	}
	s := &slicing{lanes: (len(k.partial) + 63) / 64}
	s.lacks, s.first = make([]uint64, (k.l.n-k.l.k)*s.lanes), make([]int, k.l.n-k.l.k)
	for f := range k.l.n - k.l.k {
		for k.l.has[f*k.l.words+s.first[f]] == 0 {
			s.first[f]++
		}
		for p, x := range k.partial {
			s.lacks[f*s.lanes+p>>6] |= ^x.A >> f & 1 << (p & 63)
		}
	}
	return s
}

type dense struct {
	*hand1
	lane, packed []uint64
	steps, hops  []line
	oneWay       []line // hops that rules forbid the other way
	ends         []ends
	cells        int // cells where a piece may stand or hops may pass
	word         laneWord
	wide         *wideWord // nil until first used
	isWide       bool      // wide is used for this row
}

// Dense work pays if the number of new columns times k exceeds the number of words to move times
// a measured factor: wideLift with AVX2, else denseLift.
const (
	denseLift = 0.3
	wideLift  = 0.09
)

// denseLooks partial armies take the time of one worked on alone.
const denseLooks = 8

// newDense also returns the largest number of new columns that dense work does not pay for. It
// returns nil where newSlicing does.
func newDense(h hand) (many manyAtOnce, from int) {
	r, ok := h.(*hand1)
	if !ok || r.square {
		return nil, 0
	}
	lift := denseLift
	if mayWiden(r.b) {
		lift = wideLift
	}
	from = int(lift * float64((r.n-r.k)*r.words) / float64(r.k))
	lanes := r.slicing.lanes
	return &dense{hand1: r, lane: make([]uint64, (r.n-r.k)*lanes), packed: make([]uint64, max(r.words, lanes)+1)}, from
}

func (r *dense) spread(columns []uint64) {
	s := r.slicing
	clear(r.lane)
	for f := range r.n - r.k {
		from := s.first[f]
		bitboard.ExtractWords(r.packed, columns[from:], r.has[f*r.words+from:(f+1)*r.words])
		bitboard.DepositWords(r.lane[f*s.lanes:(f+1)*s.lanes], r.packed, s.lacks[f*s.lanes:(f+1)*s.lanes])
	}
}

func (r *dense) collect(columns []uint64) {
	s := r.slicing
	clear(columns)
	for f := range r.n - r.k {
		bitboard.ExtractWords(r.packed, r.lane[f*s.lanes:(f+1)*s.lanes], s.lacks[f*s.lanes:(f+1)*s.lanes])
		from := s.first[f]
		bitboard.DepositWords(columns[from:], r.packed, r.has[f*r.words+from:(f+1)*r.words])
	}
}

// line is a step or hop from a to b, possible in some lanes. A hop goes over a cell, or if over
// is fixed over a piece of the row's army.
type line struct {
	a, b, over uint8
	lanes      uint64
}

const fixed = 255

// ends says that turns from the free cells in from may end on those in allowed.
type ends struct{ from, allowed uint64 }

// prepare lists the steps and hops of a row. Free cells have the first numbers, then follow the
// cells that hops may pass and no turn may end on.
func (r *dense) prepare() {
	b := r.b
	r.steps, r.hops, r.oneWay, r.ends = r.steps[:0], r.hops[:0], r.oneWay[:0], r.ends[:0]
	free, army := r.ground.A, r.army.A
	pass := b.pass.A &^ army
	r.cells = bits.OnesCount64(pass)
	index := func(cell uint64) uint8 {
		if cell&free == 0 {
			return uint8(bits.OnesCount64(free) + bits.OnesCount64(pass&^free&(cell-1)))
		}
		return uint8(bits.OnesCount64(free & (cell - 1)))
	}
	for i, a := range b.A {
		up, down, hopUp, hopDown := b.Forth.Of(i)
		for x := pass; x != 0; x &= x - 1 {
			cell := x & -x
			over, to := cell<<a&b.Cells.A, cell<<(2*a)&pass
			if over&up.A&free != 0 {
				r.steps = append(r.steps, line{a: index(cell), b: index(over)})
			}
			if over&free != 0 && cell&down.A != 0 {
				r.steps = append(r.steps, line{a: index(over), b: index(cell)})
			}
			if over&(free|army) == 0 || to == 0 {
				continue
			}
			hop := line{a: index(cell), b: index(to), over: fixed}
			if over&free != 0 {
				hop.over = index(over)
			}
			switch there, back := to&hopUp.A != 0, cell&hopDown.A != 0; {
			case there && back:
				r.hops = append(r.hops, hop)
			case there:
				r.oneWay = append(r.oneWay, hop)
			case back:
				hop.a, hop.b = hop.b, hop.a
				r.oneWay = append(r.oneWay, hop)
			}
		}
	}
	if !b.Together {
		r.prepareEnds()
	}
	r.isWide = r.prepareWide()
}

// prepareEnds lists the ends of turns, once for all cells with the same rules.
func (r *dense) prepareEnds() {
next:
	for i, class := range r.b.Class {
		e := ends{class.Extract(r.ground).A, r.b.Allowed[i].Extract(r.ground).A}
		for j := range r.ends {
			if r.ends[j].allowed == e.allowed {
				r.ends[j].from |= e.from
				continue next
			}
		}
		r.ends = append(r.ends, e)
	}
}

// laneWord works on 64 partial armies.
type laneWord struct {
	empty        [64]uint64
	to           [64]uint64 // where the turn may end
	near         [64]uint64 // from where a turn leads there
	flood, alone [64]uint64
	first, found [64]uint64
	// hops lead both ways. back and forth hold those that lead one way only, from b to a; back
	// has those of the rules reversed.
	hops, back, forth []line
}

// reachLanes replaces the cells in lane by those from which a turn leads to them, as board.Reach
// does.
func (r *dense) reachLanes() {
	if r.isWide {
		r.reachWide()
		return
	}
	s, w, free := r.slicing, &r.word, r.n-r.k
	for f := free; f < r.cells; f++ {
		w.empty[f&63], w.to[f&63] = ^uint64(0), 0
	}
	for j := range s.lanes {
		any := uint64(0)
		for f := range free {
			w.empty[f&63] = s.lacks[f*s.lanes+j]
			any |= r.lane[f*s.lanes+j]
		}
		if any == 0 {
			continue
		}
		w.hops, w.back, w.forth = w.hops[:0], w.back[:0], w.forth[:0]
		for _, h := range r.hops {
			if h.lanes = w.lanes(h); h.lanes != 0 {
				w.hops = append(w.hops, h)
			}
		}
		for _, h := range r.oneWay {
			if h.lanes = w.lanes(h); h.lanes != 0 {
				w.back = append(w.back, h)
				h.a, h.b = h.b, h.a
				w.forth = append(w.forth, h)
			}
		}
		if r.b.Together {
			for f := range free {
				w.to[f&63] = r.lane[f*s.lanes+j]
			}
			w.reach(r.steps, r.cells)
			for f := range free {
				r.lane[f*s.lanes+j] = w.near[f&63]
			}
			continue
		}
		clear(w.found[:free])
		for _, class := range r.ends {
			any := uint64(0)
			for f := range free {
				w.to[f&63] = r.lane[f*s.lanes+j] & -(class.allowed >> f & 1)
				any |= w.to[f&63]
			}
			if any == 0 {
				continue
			}
			w.reach(r.steps, r.cells)
			for f := range free {
				w.found[f&63] |= w.near[f&63] & -(class.from >> f & 1)
			}
		}
		for f := range free {
			r.lane[f*s.lanes+j] = w.found[f&63]
		}
	}
}

func (w *laneWord) lanes(h line) uint64 {
	if h.over == fixed {
		return w.empty[h.a&63] & w.empty[h.b&63]
	}
	return w.empty[h.a&63] & w.empty[h.b&63] &^ w.empty[h.over&63]
}

// reach finds near, as board.chains does.
func (w *laneWord) reach(steps []line, cells int) {
	for f := range cells {
		w.near[f&63], w.flood[f&63], w.alone[f&63] = 0, w.to[f&63], 0
	}
	for _, l := range steps {
		w.near[l.a&63] |= w.to[l.b&63] & w.empty[l.a&63]
	}
	for _, l := range w.hops {
		a, b := l.a&63, l.b&63
		w.near[a] |= w.to[b] & l.lanes
		w.near[b] |= w.to[a] & l.lanes
		w.alone[a] |= l.lanes
		w.alone[b] |= l.lanes
	}
	for _, l := range w.back {
		w.near[l.a&63] |= w.to[l.b&63] & l.lanes
	}
	w.spread(w.back)
	for _, l := range w.back {
		w.alone[l.a&63] |= w.flood[l.b&63] & l.lanes
	}
	any := uint64(0)
	for f := range cells {
		to := w.to[f&63]
		w.near[f&63] |= w.flood[f&63] &^ to
		w.alone[f&63] &= to &^ w.near[f&63]
		any |= w.alone[f&63]
	}
	for any != 0 {
		// flood starts from the first remaining cell of each lane and settles all cells that hops
		// connect to it; met are the lanes where another cell of to is among them.
		taken, met := uint64(0), uint64(0)
		for f := range cells {
			w.flood[f&63] = w.alone[f&63] &^ taken
			w.alone[f&63] &^= w.flood[f&63]
			taken |= w.flood[f&63]
			w.first[f&63] = w.flood[f&63]
		}
		w.spread(nil)
		for f := range cells {
			met |= w.flood[f&63] & w.to[f&63] &^ w.first[f&63]
		}
		any = 0
		for f := range cells {
			w.near[f&63] |= w.flood[f&63] & w.to[f&63] & met
			w.alone[f&63] &^= w.flood[f&63]
			any |= w.alone[f&63]
		}
		if len(w.forth) == 0 || taken&^met == 0 {
			continue
		}
		w.spread(w.forth)
		for f := range cells {
			met |= w.flood[f&63] & w.to[f&63] &^ w.first[f&63]
		}
		for f := range cells {
			w.near[f&63] |= w.first[f&63] & met
		}
	}
}

// spread adds to flood the cells from which two-way hops, or oneWay, lead there.
func (w *laneWord) spread(oneWay []line) {
	for changed := uint64(1); changed != 0; {
		changed = 0
		for i := range w.hops {
			l := &w.hops[i]
			x, y := w.flood[l.a&63], w.flood[l.b&63]
			both := (x | y) & l.lanes
			changed |= both &^ (x & y)
			w.flood[l.a&63], w.flood[l.b&63] = x|both, y|both
		}
		for i := range oneWay {
			l := &oneWay[i]
			x := w.flood[l.a&63]
			more := w.flood[l.b&63] & l.lanes &^ x
			changed |= more
			w.flood[l.a&63] = x | more
		}
		if changed == 0 {
			return
		}
		for i := len(w.hops) - 1; i >= 0; i-- {
			l := &w.hops[i]
			both := (w.flood[l.a&63] | w.flood[l.b&63]) & l.lanes
			w.flood[l.a&63] |= both
			w.flood[l.b&63] |= both
		}
	}
}

func (r *dense) losses() {
	r.spread(r.newLoss)
	r.reachLanes()
	r.collect(r.found)
	r.winFound()
}

func (r *dense) wins() {
	for i, x := range r.win {
		r.found[i] = ^x
	}
	r.spread(r.found)
	r.reachLanes()
	r.collect(r.found)
	for i, x := range r.found {
		for x = ^(x | r.known[i]) & r.columnMask(i); x != 0; x &= x - 1 {
			if c := i<<6 | bits.TrailingZeros64(x); r.unsure[i]&x&-x == 0 || r.mobile(c) {
				r.known[i] |= x & -x
				r.row.losses = append(r.row.losses, uint32(c))
			}
		}
	}
}
