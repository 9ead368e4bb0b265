package strong

import (
	"perfectplay/game/halma/internal/sets"
)

// back1 leads from columns of a row to the places of the positions one turn before: those
// of the column's army against the row's, both as the other player sees them.
//
// The rank of an army is a sum over its pieces, of numbers that depend on how many of its
// pieces are below, and, for the column, how many of the other army's. One by one each
// position takes 2k of them; where many are asked for, see halves.
type back1 struct {
	k    *kernel1
	free sets.Set1
	// turned is the row's army as the other player sees it, image that in the mirror.
	turned, image sets.Set1
	// own[i·64·words+f] is what a piece on the f-th free cell that is the i-th of its army
	// adds to the army's rank. others are the pieces of turned, and of image.
	own    []uint32
	others [2][]otherPiece1
	halves *halves // nil where they do not fit
	halved bool    // the halves are those of the row
}

// otherPiece1 is a piece of the row's army as one of an other army: what it adds to the
// rank is term[at−x], where x is how many pieces of the mover's army are below, those of
// the column's set that are in below.
type otherPiece1 struct {
	below sets.Set1
	at    int
}

// manyBefore1 is how many positions are worth the tables of halves.
const manyBefore1 = 400

func newBack1(k *kernel1) back1 {
	l := k.l
	return back1{k: k, own: make([]uint32, l.k*64*sets.Words1), halves: newHalves(l)}
}

// prepare prepares for a row's army and so many columns.
func (b *back1) prepare(army sets.Set1, n int) {
	if b.halved = false; n == 0 {
		return
	}
	k, board := b.k, b.k.b
	b.free = board.open.AndNot(army)
	b.turned = board.turn(army)
	b.image = board.flip(b.turned)
	for f, x := 0, b.free; !x.IsEmpty(); x = x.DropMin() {
		cell := board.open.Below(x.Min()).Count()
		for i := range k.l.k {
			b.own[i*64*sets.Words1+f] = k.term[i*64*sets.Words1+cell]
		}
		f++
	}
	for i, army := range [2]sets.Set1{b.turned, b.image} {
		others := b.others[i][:0]
		for x := army; !x.IsEmpty(); x = x.DropMin() {
			cell := x.Min()
			below := board.turn(board.cells.Below(cell))
			if i == 1 {
				below = board.imageBelow[cell]
			}
			at := len(others)*64*sets.Words1 + board.open.Below(cell).Count()
			others = append(others, otherPiece1{below.Extract(b.free), at})
		}
		b.others[i] = others
	}
	if n >= manyBefore1 && b.halves != nil {
		b.halve()
	}
}

// halve makes the tables by halves.
func (b *back1) halve() {
	h, k := b.halves, b.k.l.k
	b.halved = true
	for f := range b.k.l.n - k {
		counts := uint64(0)
		for i, others := range &b.others {
			for j, p := range others {
				counts |= p.below.A >> f & 1 << (h.rankBits + uint(i)*h.countBits + uint(j)*pieceBits)
			}
		}
		h.countsOf[f] = counts
	}
	h.sum(b.own, k, b.k.l.n-k)
	for i, others := range &b.others {
		for j, p := range others {
			h.tabulate(i, j, b.k.term[p.at-p.at%(64*sets.Words1):p.at+1])
		}
	}
}

// before appends the places of the positions before with the armies of columns.
func (b *back1) before(columns []uint32, to []place) []place {
	k := b.k
	l := k.l
	twice := b.turned != b.image
	if b.halved {
		h := b.halves
		for _, c := range columns {
			sum := h.sumOf(k.set[c].A)
			at := l.rowTurned[sum&(1<<h.rankBits-1)]
			p := place{row: at >> 1, col: h.columnByCounts(sum, at&1)}
			if p.image = p.col; twice && l.symmetric[p.row] {
				p.image = h.columnByCounts(sum, at&1^1)
			}
			to = append(to, p)
		}
		return to
	}
	for _, c := range columns {
		set := k.set[c]
		n, i := uint32(0), 0
		for x := set; !x.IsEmpty(); x = x.DropMin() {
			n += b.own[i+int(x.Min())]
			i += 64 * sets.Words1
		}
		at := l.rowTurned[n]
		p := place{row: at >> 1, col: b.columnBefore(set, b.others[at&1])}
		if p.image = p.col; twice && l.symmetric[p.row] {
			p.image = b.columnBefore(set, b.others[at&1^1])
		}
		to = append(to, p)
	}
	return to
}

// columnBefore returns the column of others against the army of a column's set.
func (b *back1) columnBefore(set sets.Set1, others []otherPiece1) (col uint32) {
	term := b.k.term
	for i := range others {
		p := &others[i]
		col += term[p.at-set.And(p.below).Count()]
	}
	return col
}
