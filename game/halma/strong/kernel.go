package strong

import (
	"cmp"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
	"perfectplay/rank"
)

type kernel1 struct {
	l       *layout
	b       *board1
	mover   []sets.Set1 // army of each row
	set     []sets.Set1 // army of each column, as numbers of cells: see groundOf
	partial []sets.Set1 // partial armies of k−1 cells, as numbers; in a square layout as cells
	// term[i·64·words+c] is the term of the rank for the i-th piece of an army on cell c.
	term []uint32
}

// newKernel1 numbers the positions of a layout.
func newKernel1(l *layout, e *halma.Embedding) error {
	b, err := newBoard1(l.spec, e)
	if err != nil {
		return err
	}
	k := &kernel1{l: l, b: b}
	l.kernel = k
	fewer, err := rank.NewSubsets(l.among, l.k-1)
	if err != nil {
		return err
	}
	k.term = make([]uint32, l.k*64*sets.Words1)
	for i := range l.k {
		for c := range l.n {
			x, err := rank.Binomial(c, i+1)
			if err != nil {
				return err
			}
			k.term[i*64*sets.Words1+c] = uint32(x)
		}
	}
	k.numberRows()
	k.set, k.partial = make([]sets.Set1, l.cols), make([]sets.Set1, fewer.Size())
	for c := range k.set {
		k.set[c] = sets.Numbers1(bitboard.First128(l.among)) // also for columns without an army
	}
	s := bitboard.First128(l.k)
	for i := range l.others.Size() {
		k.set[l.columnAt(i)] = sets.Numbers1(s)
		s = rank.Next128(s)
	}
	l.partials = len(k.partial)
	l.handWords = l.partials * sets.Words1
	l.lifts = make([]uint32, l.cols*l.k)
	l.column = make([]uint32, l.partials*l.m)
	l.has = make([]uint64, l.among*l.words)
	for c, s := range k.set {
		if s.Count() != l.k {
			continue
		}
		i := 0
		for x := s; !x.IsEmpty(); x = x.DropMin() {
			f := x.Min()
			l.has[int(f)*l.words+c>>6] |= 1 << (c & 63)
			p := int(s.AndNot(x.First()).Rank(fewer))
			j := int(f) - i // number of cells below f without a piece
			if l.square {
				j = int(x.First().Deposit(b.Open).Min())
			}
			l.lifts[c*l.k+i] = uint32(p*64*sets.Words1 + j)
			l.column[p*l.m+j] = uint32(c)
			i++
		}
	}
	s = bitboard.First128(l.k - 1)
	for p := range k.partial {
		if k.partial[p] = sets.Numbers1(s); l.square {
			k.partial[p] = b.Open.At(s)
		}
		s = rank.Next128(s)
	}
	l.slicing = newSlicing(k)
	return nil
}

// numberRows orders the armies that stand for themselves and their mirror images. Neighbouring
// rows write to neighbouring columns after half a turn. A square layout is in the order in which a
// race may end: positions decided early are together, and the pages of the rest are not touched.
// Armies that are their own mirror images come last.
func (k *kernel1) numberRows() {
	l, b := k.l, k.b
	size := l.armies.Size()
	l.rowOf = make([]uint32, size)
	k.mover = make([]sets.Set1, l.rows)
	pair, single := 0, l.pairs
	s := bitboard.First128(l.k)
	for range size {
		turned := b.Open.At(s)
		army := b.turn(turned)
		image := b.flip(army)
		row := &pair
		if image == army {
			row = &single
		}
		if b.turn(image).Compare(turned) >= 0 {
			k.mover[*row] = army
			*row++
		}
		s = rank.Next128(s)
	}
	if l.square {
		sooner := func(s, t sets.Set1) int { return cmp.Compare(b.late(s), b.late(t)) }
		slices.SortStableFunc(k.mover[:l.pairs], sooner)
		slices.SortStableFunc(k.mover[l.pairs:], sooner)
	}
	for row, army := range k.mover {
		l.rowOf[k.rankOf(b.flip(army))] = uint32(row)<<1 | 1
		l.rowOf[k.rankOf(army)] = uint32(row) << 1
	}
	last := l.pairs
	if last == 0 {
		last = l.rows
	}
	l.goalLast = k.mover[0].And(b.goal).Count() < k.mover[last-1].And(b.goal).Count()
	before := make([]uint32, size)
	s = bitboard.First128(l.k)
	for i := range before {
		before[i] = l.rowOf[k.rankOf(b.turn(b.Open.At(s)))]
		s = rank.Next128(s)
	}
	if !l.square {
		l.rowTurned = before
		return
	}
	for i, at := range before {
		before[i] = at>>1 + at&1*uint32(l.images)
	}
	l.colOf = before
}

func (k *kernel1) rankOf(army sets.Set1) uint64 { return army.RankIn(k.b.Open, k.l.armies) }

// groundOf returns the cells among which the columns of an army's row are numbered.
func (k *kernel1) groundOf(army sets.Set1) sets.Set1 {
	if k.l.square {
		return k.b.Open
	}
	return k.b.Open.AndNot(army)
}

func (k *kernel1) numberOf(row int, other sets.Set1) int {
	return k.l.columnAt(other.RankIn(k.groundOf(k.mover[row]), k.l.others))
}

// placeOf returns the place of a position; in a symmetric row, one of its two places.
func (k *kernel1) placeOf(mover, other sets.Set1) (row, col int) {
	at := k.l.rowOf[k.rankOf(mover)]
	if at&1 != 0 {
		other = k.b.flip(other)
	}
	return int(at >> 1), k.numberOf(int(at>>1), other)
}

func (k *kernel1) armies(row, col int) (mover, other sets.Set1) {
	mover = k.mover[row]
	return mover, k.set[col].Deposit(k.groundOf(mover))
}

func (k *kernel1) find(mover bitboard.Set128) (row int, flip bool) {
	at := k.l.rowOf[k.rankOf(k.b.fromCells(mover, false))]
	return int(at >> 1), at&1 != 0
}

func (k *kernel1) place(mover, other bitboard.Set128) (row, col int) {
	return k.placeOf(k.b.fromCells(mover, false), k.b.fromCells(other, false))
}

func (k *kernel1) numbers(row int, flip bool, free bitboard.Set128, to []uint8) []uint8 {
	ground := k.groundOf(k.mover[row])
	for c := range free.Cells() {
		cell := k.b.fromCells(bitboard.Set128{}.With(c), flip)
		to = append(to, uint8(ground.Below(cell.Min()).Count()))
	}
	return to
}

func (k *kernel1) cells(row, col int) (mover, other bitboard.Set128) {
	own, against := k.armies(row, col)
	return k.b.toCells(own), k.b.toCells(against)
}

func (k *kernel1) back(row, col int) (int, int) {
	mover, other := k.armies(row, col)
	return k.placeOf(k.b.turn(other), k.b.turn(mover))
}

func (k *kernel1) state(row, col int) state { return k.b.state(k.armies(row, col)) }

func (k *kernel1) illegal(row, col int) bool { return k.b.illegal(k.armies(row, col)) }

func (k *kernel1) follow(row, col int, next func(row, col int)) {
	b := k.b
	mover, other := k.armies(row, col)
	// Both armies are seen from the other player's side.
	movers, own := b.turn(mover), b.turn(other)
	any := false
	to := func(after sets.Set1) {
		if !b.illegal(own, after) {
			any = true
			next(k.placeOf(own, after))
		}
	}
	for x := movers; !x.IsEmpty(); x = x.DropMin() {
		rest := movers.AndNot(x.First())
		for ends := b.Ends(rest.Or(own), x.First()); !ends.IsEmpty(); ends = ends.DropMin() {
			to(rest.Or(ends.First()))
		}
	}
	if !any {
		to(movers)
	}
}

func (k *kernel1) newHand() hand {
	h := &hand1{row: k.l.newRow(), kernel1: k, left: k.b.Open}
	if !k.l.square {
		h.left = sets.Numbers1(bitboard.First128(k.l.m))
	}
	h.backward = newBack(k)
	h.dense, h.denseFrom = newDense(h)
	return h
}
