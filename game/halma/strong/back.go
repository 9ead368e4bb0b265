package strong

import (
	"perfectplay/game/halma/internal/sets"
)

// back1 finds, for columns of a row, the places of the positions in which the column's army is to
// move and the row's army waits, as the player with the column's army sees them.
//
// The rank of an army is a sum of one term for each piece, which depends on the number of own
// pieces below it and, in a column, of the other army's pieces below it.
type back1 struct {
	k             *kernel1
	free          sets.Set1
	turned, image sets.Set1
	// own[i·64·words+j] is the term of the i-th piece of an army on the free cell with j free
	// cells below it; if summed is set, the piece's part of a sum: see sums. others are the
	// pieces of turned and of image.
	own    []uint64
	others [2][]otherPiece1
	sums   *sums // nil if a sum does not fit a word
	summed bool  // sums are of this row
}

// otherPiece1 is a piece of the row's army after half a turn. Its term in the column of an army
// with x pieces in below is term[at−x].
type otherPiece1 struct {
	below sets.Set1
	at    int
}

func newBack(kernel kernel) *back1 {
	k, ok := kernel.(*kernel1)
	if !ok || k.l.square {
		return nil
	}
	l := k.l
	return &back1{k: k, own: make([]uint64, l.k*64*sets.Words1), sums: newSums(l)}
}

func (b *back1) prepare(row, n int) {
	if b.summed = b.sums != nil && n >= b.sums.worth; n == 0 {
		return
	}
	k, board, army := b.k, b.k.b, b.k.mover[row]
	b.free = board.Open.AndNot(army)
	b.turned = board.turn(army)
	b.image = board.flip(b.turned)
	for i, army := range [2]sets.Set1{b.turned, b.image} {
		others := b.others[i][:0]
		for x := army; !x.IsEmpty(); x = x.DropMin() {
			cell := x.Min()
			below := board.turn(board.Cells.Below(cell))
			if i == 1 {
				below = board.imageBelow[cell]
			}
			at := len(others)*64*sets.Words1 + board.Open.Below(cell).Count()
			others = append(others, otherPiece1{below.Extract(b.free), at})
		}
		b.others[i] = others
	}
	var counts [64 * sets.Words1]uint64
	if b.summed {
		b.tabulate(&counts)
	}
	f, cell := 0, 0
	for x := board.Open; !x.IsEmpty(); x = x.DropMin() {
		if x.First().Meets(b.free) {
			for i := range min(f+1, k.l.k) {
				b.own[i*64*sets.Words1+f-i] = counts[f] + uint64(k.term[i*64*sets.Words1+cell])
			}
			f++
		}
		cell++
	}
	if b.summed {
		b.sumPartials()
	}
}

func (b *back1) sumPartials() {
	for p, set := range b.k.partial {
		sum := uint64(0)
		for i := 1; !set.IsEmpty(); i++ {
			sum += b.own[i*64*sets.Words1+int(set.Min())-i]
			set = set.DropMin()
		}
		b.sums.rest[p] = sum
	}
}

// tabulate fills the column tables of sums. counts receives, for each free cell, the amount that a
// piece there adds to a sum.
func (b *back1) tabulate(counts *[64 * sets.Words1]uint64) {
	for i, others := range &b.others {
		for j, p := range others {
			one := uint64(1) << (b.sums.rankBits + uint(i)*b.sums.countBits + uint(j)*pieceBits)
			for x := p.below; !x.IsEmpty(); x = x.DropMin() {
				counts[x.Min()] += one
			}
			b.sums.tabulate(i, j, b.k.term[p.at-p.at%(64*sets.Words1):p.at+1])
		}
	}
}

func (b *back1) sumOf(c uint32) (sum uint64) {
	l := b.k.l
	for i, lift := range l.lifts[int(c)*l.k : int(c)*l.k+l.k] {
		sum += b.own[i*64*sets.Words1+int(lift%(64*sets.Words1))]
	}
	return sum
}

// before appends one place for each column.
func (b *back1) before(columns []uint32, to []place) []place {
	k := b.k
	l := k.l
	twice := b.turned != b.image
	if b.summed {
		var sums [fetched]uint64
		for len(columns) > 0 {
			n := min(len(columns), fetched)
			b.sumsOf(columns[:n], &sums)
			to = b.sums.places(sums[:n], l, twice, to)
			columns = columns[n:]
		}
		return to
	}
	for _, c := range columns {
		set := k.set[c]
		at := l.rowTurned[b.sumOf(c)]
		p := place{row: at >> 1, col: b.columnBefore(set, b.others[at&1])}
		if p.image = p.col; twice && int(p.row) >= l.pairs {
			p.image = b.columnBefore(set, b.others[at&1^1])
		}
		to = append(to, p)
	}
	return to
}

func (b *back1) sumsOf(columns []uint32, to *[fetched]uint64) {
	k, lifts, own, rest := b.k.l.k, b.k.l.lifts, b.own[:64*sets.Words1], b.sums.rest
	for i, c := range columns {
		lift := lifts[int(c)*k]
		to[i&(fetched-1)] = rest[lift/(64*sets.Words1)] + own[lift%(64*sets.Words1)]
	}
}

func (b *back1) columnBefore(set sets.Set1, others []otherPiece1) (col uint32) {
	term := b.k.term
	for i := range others {
		p := &others[i]
		col += term[p.at-set.And(p.below).Count()]
	}
	return col
}
