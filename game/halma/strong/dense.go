package strong

import (
	"math/bits"

	"perfectplay/bitboard"
)

// If many columns of a row are new, the work is on 256 partial armies at once. Each partial army
// has a lane: the same bit in the words of all free cells. The bit of a cell is 1 if the piece in
// the hand, put on that cell, makes a position sought.
//
//	columns   one bit for each set of k free cells
//	   │ spread: columns with cell f, without it, are the partial armies that lack f,
//	   │         in the same order; so a bit moves by extract and deposit
//	lanes     for each cell f one bit for each partial army
//	   │ reachLanes: a hop from a to b over o is R[a] |= R[b] & occupied[o] & empty[a]
//	lanes     whether a turn from cell f leads to a position sought
//	   │ collect: back to columns, of all pieces together
//	columns   positions before the turn from which some turn leads there

// slicing holds the tables between columns and lanes that all rows share.
type slicing struct {
	lanes int // words for each free cell, of 64 partial armies each
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
	wide         *wideWord
	// One-way hops: the rules forbid them in the other direction. oneWay are the one-way hops of
	// the row, from a to b. back are the hops of oneWay that are possible in some lanes. forth are
	// the hops of back with a and b exchanged.
	oneWay, back, forth []wideHop
	cells               int // cells where a piece may stand or hops may pass
}

// Dense work pays if the number of new columns times k exceeds the number of words to move times
// denseLift, which is measured.
const denseLift = 0.09

// Dense work on denseLooks partial armies takes as long as other work on one partial army.
const denseLooks = 8

// newDense returns the tables of dense work, which pays for more than from new columns. It returns
// nil if newSlicing returns nil, and where dense work does not pay: without words of 256 bits, and
// under rules that do not look at a chain hop by hop.
func newDense(h hand) (d *dense, from int) {
	r, ok := h.(*hand1)
	if !ok || r.square || !useWide || !r.b.Together {
		return nil, 0
	}
	from = int(denseLift * float64((r.n-r.k)*r.words) / float64(r.k))
	lanes := r.slicing.lanes
	return &dense{hand1: r, lane: make([]uint64, (r.n-r.k)*lanes), packed: make([]uint64, max(r.words, lanes)+1), wide: new(wideWord)}, from
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

// prepare lists the steps and hops of a row. Free cells have the first numbers, then follow the
// cells that hops may pass and no turn may end on.
func (r *dense) prepare() {
	b, w := r.b, r.wide
	w.stepCount, w.allCount, r.oneWay = 0, 0, r.oneWay[:0]
	free, army := r.ground.A, r.army.A
	pass := b.pass.A &^ army
	r.cells = bits.OnesCount64(pass)
	offset := func(cell uint64) uint32 {
		if cell&free == 0 {
			return wideBytes * uint32(bits.OnesCount64(free)+bits.OnesCount64(pass&^free&(cell-1)))
		}
		return wideBytes * uint32(bits.OnesCount64(free&(cell-1)))
	}
	step := func(a, b uint64) {
		w.steps[w.stepCount] = wideStep{offset(a), offset(b)}
		w.stepCount++
	}
	for i, a := range b.A {
		up, down, hopUp, hopDown := b.Forth.Of(i)
		for x := pass; x != 0; x &= x - 1 {
			cell := x & -x
			over, to := cell<<a&b.Cells.A, cell<<(2*a)&pass
			if over&up.A&free != 0 {
				step(cell, over)
			}
			if over&free != 0 && cell&down.A != 0 {
				step(over, cell)
			}
			if over&(free|army) == 0 || to == 0 {
				continue
			}
			hop := wideHop{a: offset(cell), b: offset(to), over: neverEmpty * wideBytes}
			if over&free != 0 {
				hop.over = offset(over)
			}
			switch there, back := to&hopUp.A != 0, cell&hopDown.A != 0; {
			case there && back:
				w.all[w.allCount] = hop
				w.allCount++
			case there:
				r.oneWay = append(r.oneWay, hop)
			case back:
				hop.a, hop.b = hop.b, hop.a
				r.oneWay = append(r.oneWay, hop)
			}
		}
	}
}

// reachLanes replaces the cells of each lane by the cells from which a turn leads to one of them.
// Reach does the same for one partial army.
func (r *dense) reachLanes() {
	lanes, w := r.slicing.lanes, r.wide
	for f := r.n - r.k; f < r.cells; f++ {
		w.empty[f], w.to[f] = wide{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}, wide{}
	}
	w.empty[neverEmpty] = wide{}
	for j := 0; j < lanes; j += 4 {
		if r.load(j) {
			r.reach()
			r.store(&w.near, j)
		}
	}
}

// load reads four words of lanes from word j on into empty and to, and says whether to has any
// cell.
func (r *dense) load(j int) bool {
	lanes, w, any := r.slicing.lanes, r.wide, uint64(0)
	n := min(4, lanes-j)
	for f := range r.n - r.k {
		at := f*lanes + j
		empty, to := &w.empty[f], &w.to[f]
		if n == 4 {
			*empty, *to = wide(r.slicing.lacks[at:at+4]), wide(r.lane[at:at+4])
		} else {
			*empty, *to = wide{}, wide{}
			copy(empty[:], r.slicing.lacks[at:at+n])
			copy(to[:], r.lane[at:at+n])
		}
		any |= to[0] | to[1] | to[2] | to[3]
	}
	return any != 0
}

// store writes four words of lanes from word j on.
func (r *dense) store(from *[64]wide, j int) {
	lanes := r.slicing.lanes
	n := min(4, lanes-j)
	for f := range r.n - r.k {
		copy(r.lane[f*lanes+j:f*lanes+j+n], from[f][:])
	}
}

// reach fills in near: the cells from which a step or a chain of hops leads to a cell of to.
func (r *dense) reach() {
	w, cells := r.wide, r.cells
	hops := wideBegin(w, cells)
	r.findOneWay()
	for i := range r.back {
		h := &r.back[i]
		w.add(&w.near, h, &w.to)
	}
	r.flood(hops, r.back)
	for i := range r.back {
		h := &r.back[i]
		w.add(&w.alone, h, &w.flood)
	}
	for left := wideEnd(w, cells); left; {
		// flood starts from the first remaining cell of each lane, and settles all cells that
		// two-way hops connect to it.
		wideFirst(w, cells)
		r.flood(hops, nil)
		left = wideSettle(w, cells)
		if len(r.forth) > 0 {
			r.flood(hops, r.forth)
			w.meet(cells)
		}
	}
}

// findOneWay finds the one-way hops that are possible in some lanes.
func (r *dense) findOneWay() {
	w := r.wide
	r.back, r.forth = r.back[:0], r.forth[:0]
	for _, h := range r.oneWay {
		a, b, over := &w.empty[h.a/wideBytes], &w.empty[h.b/wideBytes], &w.empty[h.over/wideBytes]
		for i := range h.lanes {
			h.lanes[i] = a[i] & b[i] &^ over[i]
		}
		if h.lanes != (wide{}) {
			r.back = append(r.back, h)
			h.a, h.b = h.b, h.a
			r.forth = append(r.forth, h)
		}
	}
}

// flood adds to the word's flood all cells from which hops lead to it: two-way hops, and the hops
// of oneWay from a to b.
func (r *dense) flood(hops int, oneWay []wideHop) {
	w := r.wide
	for changed := true; changed; {
		changed = false
		wideSpread(w, hops)
		for i := range oneWay {
			changed = w.add(&w.flood, &oneWay[i], &w.flood) || changed
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
