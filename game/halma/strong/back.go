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
	k *kernel1
	// own[i·64·words+j] is the term of the i-th piece of an army on the free cell with j free
	// cells below it.
	own []uint32
	// others are the pieces of the row's army after half a turn, and of its mirror image; twice
	// says that these differ.
	others [2][]otherPiece1
	twice  bool
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
	return &back1{k: k, own: make([]uint32, k.l.k*64*sets.Words1)}
}

func (b *back1) prepare(row int) {
	k, board, army := b.k, b.k.b, b.k.mover[row]
	free, turned := board.Open.AndNot(army), board.turn(army)
	image := board.flip(turned)
	b.twice = turned != image
	for i, army := range [2]sets.Set1{turned, image} {
		others := b.others[i][:0]
		for x := army; !x.IsEmpty(); x = x.DropMin() {
			cell := x.Min()
			below := board.turn(board.Cells.Below(cell))
			if i == 1 {
				below = board.imageBelow[cell]
			}
			at := len(others)*64*sets.Words1 + board.Open.Below(cell).Count()
			others = append(others, otherPiece1{below.Extract(free), at})
		}
		b.others[i] = others
	}
	f, cell := 0, 0
	for x := board.Open; !x.IsEmpty(); x = x.DropMin() {
		if x.First().Meets(free) {
			for i := range min(f+1, k.l.k) {
				b.own[i*64*sets.Words1+f-i] = k.term[i*64*sets.Words1+cell]
			}
			f++
		}
		cell++
	}
}

// before appends one place for each column.
func (b *back1) before(columns []uint32, to []place) []place {
	k, l := b.k, b.k.l
	for _, c := range columns {
		rank := uint32(0)
		for i, lift := range l.lifts[int(c)*l.k : int(c)*l.k+l.k] {
			rank += b.own[i*64*sets.Words1+int(lift%(64*sets.Words1))]
		}
		set, at := k.set[c], l.rowTurned[rank]
		p := place{row: at >> 1, col: b.columnBefore(set, b.others[at&1])}
		if p.image = p.col; b.twice && int(p.row) >= l.pairs {
			p.image = b.columnBefore(set, b.others[at&1^1])
		}
		to = append(to, p)
	}
	return to
}

func (b *back1) columnBefore(set sets.Set1, others []otherPiece1) (col uint32) {
	term := b.k.term
	for i := range others {
		p := &others[i]
		col += term[p.at-set.And(p.below).Count()]
	}
	return col
}
