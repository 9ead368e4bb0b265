package tight

import (
	"math/bits"

	"perfectplay/bitboard"
)

// back leads from columns of a row to the places of the positions one turn before: those
// of the column's army against the row's, both as the other player sees them.
//
// The rank of an army is a sum over its pieces, of numbers that depend on how many of its
// pieces are below, and, for the column, how many of the other army's. One by one each
// position takes 2k of them. Where many are asked for, the sums are tabled by the halves
// of the free cells:
//
//	lower[set's lower half] + upper[set's upper half] = rank of the army,
//	                          and for each piece of the other how many are below
//	column[three of these counts] + column[three more] + … = rank of the other army
type back struct {
	l    *layout
	free uint64
	// turned is the row's army as the other player sees it, image that in the mirror.
	turned, image uint64
	// own[i<<6|f] is what a piece on the f-th free cell that is the i-th of its army adds
	// to the army's rank. others are the pieces of turned, and of image.
	own    []uint32
	others [2][]otherPiece

	// By halves: halved says that the tables are those of the row; lower is nil where they
	// do not fit, at is the cells of a lower half. A sum holds the rank in its lowest
	// rankBits, then the counts against turned, in countBits together, and those against
	// image.
	halved              bool
	at                  uint
	lower, upper        []uint64
	rankBits, countBits uint
	column              [2][]uint32 // by group of counts, groupSize each
	groups              int
	countsOf            [64]uint64 // by free cell: a 1 for each piece that it is below
}

// otherPiece is a piece of the row's army as one of an other army: what it adds to the
// rank is term[at−x], where x is how many pieces of the mover's army are below, those of
// the column's set that are in below.
type otherPiece struct {
	below uint64
	at    int
}

const (
	// mostHalf is the largest half, in cells.
	mostHalf = 11
	// A count takes pieceBits: at most seven pieces are below. groupCounts of them are
	// looked up at once.
	pieceBits, groupCounts = 3, 3
	groupSize              = 1 << (pieceBits * groupCounts)
	// backBytes is more than all tables take.
	backBytes = 1 << 17
	// manyBefore is how many positions are worth the tables.
	manyBefore = 400
)

func newBack(l *layout) back {
	b := back{l: l, own: make([]uint32, l.k<<6)}
	cells := uint(l.n - l.k)
	b.at = (cells + 1) / 2
	b.rankBits, b.countBits = uint(bits.Len64(l.armies.Size())), uint(l.k)*pieceBits
	if b.at > mostHalf || l.k >= 1<<pieceBits || b.rankBits+2*b.countBits > 64 {
		return b
	}
	b.lower, b.upper = make([]uint64, 1<<b.at), make([]uint64, 1<<(cells-b.at))
	b.groups = (l.k + groupCounts - 1) / groupCounts
	for i := range b.column {
		b.column[i] = make([]uint32, b.groups*groupSize)
	}
	return b
}

// prepare prepares for a row's army and so many columns.
func (b *back) prepare(army uint64, n int) {
	if b.halved = false; n == 0 {
		return
	}
	l, board := b.l, b.l.b
	b.free = board.open &^ army
	b.turned = board.turn(army)
	b.image = board.flip(b.turned)
	for f, x := 0, b.free; x != 0; x &= x - 1 {
		cell := bits.OnesCount64(board.open & (x&-x - 1))
		for i := range l.k {
			b.own[i<<6|f] = l.term[i<<6|cell]
		}
		f++
	}
	for i, army := range [2]uint64{b.turned, b.image} {
		others := b.others[i][:0]
		for x := army; x != 0; x &= x - 1 {
			cell := bits.TrailingZeros64(x)
			below := board.turn(x&-x - 1)
			if i == 1 {
				below = board.imageBelow[cell]
			}
			at := len(others)<<6 + bits.OnesCount64(board.open&(x&-x-1))
			others = append(others, otherPiece{bitboard.Extract64(below, b.free), at})
		}
		b.others[i] = others
	}
	if n >= manyBefore && b.lower != nil {
		b.halve()
	}
}

// halve makes the tables by halves.
func (b *back) halve() {
	b.halved = true
	k, cells := b.l.k, b.l.n-b.l.k
	for f := range cells {
		counts := uint64(0)
		for i, others := range &b.others {
			for j, p := range others {
				counts |= p.below >> f & 1 << (b.rankBits + uint(i)*b.countBits + uint(j)*pieceBits)
			}
		}
		b.countsOf[f] = counts
	}
	// Sets of more than k pieces are none of an army's.
	b.lower[0], b.upper[0] = 0, 0
	for t := range int(b.at) {
		for s := range 1 << t {
			if i := bits.OnesCount(uint(s)); i < k {
				b.lower[s|1<<t] = b.lower[s] + uint64(b.own[i<<6|t]) + b.countsOf[t]
			}
		}
	}
	upper := cells - int(b.at)
	for t := upper - 1; t >= 0; t-- {
		for x := range 1 << (upper - 1 - t) {
			s := x << (t + 1)
			if i := k - 1 - bits.OnesCount(uint(s)); i >= 0 {
				b.upper[s|1<<t] = b.upper[s] + uint64(b.own[i<<6|(t+int(b.at))]) + b.countsOf[t+int(b.at)]
			}
		}
	}
	for i, others := range &b.others {
		for g := range b.groups {
			column := b.column[i][g*groupSize : (g+1)*groupSize]
			column[0] = 0
			n := 1
			for j := range groupCounts {
				if g*groupCounts+j >= k {
					break
				}
				at := others[g*groupCounts+j].at
				for x := 1<<pieceBits - 1; x >= 0; x-- {
					more := uint32(0)
					if x <= at&63 { // no more are below than there are cells
						more = b.l.term[at-x]
					}
					for s := range n {
						column[x*n+s] = column[s] + more
					}
				}
				n <<= pieceBits
			}
		}
	}
}

// before returns the place of the position before with the army of a column, and the
// column of its mirror image, which differs only where that stands in the same row.
func (b *back) before(c uint32) (row int, col, image uint32) {
	set := b.l.set[c]
	if b.halved {
		sum := b.lower[set&(1<<b.at-1)] + b.upper[set>>b.at]
		at := b.l.rowTurned[sum&(1<<b.rankBits-1)]
		row = int(at >> 1)
		col = b.columnByCounts(sum, at&1)
		if !b.l.symmetric[row] || b.turned == b.image {
			return row, col, col
		}
		return row, col, b.columnByCounts(sum, at&1^1)
	}
	n := uint32(0)
	for i, x := 0, set; x != 0; x &= x - 1 {
		n += b.own[i|bits.TrailingZeros64(x)]
		i += 64
	}
	at := b.l.rowTurned[n]
	row = int(at >> 1)
	col = b.columnBefore(set, b.others[at&1])
	if !b.l.symmetric[row] || b.turned == b.image {
		return row, col, col
	}
	return row, col, b.columnBefore(set, b.others[at&1^1])
}

// columnByCounts returns the column of turned, or of image where i is 1, against an army
// whose sum by halves is given.
func (b *back) columnByCounts(sum uint64, i uint32) (col uint32) {
	counts, column := sum>>(b.rankBits+uint(i)*b.countBits)&(1<<b.countBits-1), b.column[i&1]
	for ; len(column) > 0; column = column[groupSize:] {
		col += column[counts&(groupSize-1)]
		counts >>= pieceBits * groupCounts
	}
	return col
}

// columnBefore returns the column of others against the army of a column's set.
func (b *back) columnBefore(set uint64, others []otherPiece) (col uint32) {
	for _, p := range others {
		col += b.l.term[p.at-bits.OnesCount64(set&p.below)]
	}
	return col
}
