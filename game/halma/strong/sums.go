package strong

import "math/bits"

// sums are tables for a row that find the places one turn before many columns with few look-ups.
// The sum of an army holds its rank and, for each piece of the other army, the number of the army's
// pieces below:
//
//	own[lowest piece] + rest[the others] = sum
//	column[three of its counts] + column[three more] + … = rank of the other army
//
// The other army is the army of the row, or its mirror image.
type sums struct {
	k, worth int // number of positions from which the tables pay
	// rest[p] is the part of a sum from the pieces above the lowest, which form partial army p.
	rest []uint64
	// The lowest rankBits of a sum are the rank. The next countBits are the counts against the
	// army, followed by as many against its image.
	rankBits, countBits uint
	column              [2][]uint32 // groupSize entries for each group of counts
}

const (
	// A count takes pieceBits. One look-up takes groupCounts of them.
	pieceBits, groupCounts = 3, 3
	groupSize              = 1 << (pieceBits * groupCounts)
	// The tables pay from worthPieces positions on, plus one position for every worthPartials
	// partial armies.
	worthPieces, worthPartials = 100, 4
	// sumBytes bounds the memory of all tables but rest.
	sumBytes = 1 << 17
)

// newSums returns nil if a sum does not fit a word.
func newSums(l *layout) *sums {
	h := &sums{k: l.k, rankBits: uint(bits.Len64(l.armies.Size())), countBits: uint(l.k) * pieceBits}
	if l.k >= 1<<pieceBits || h.rankBits+2*h.countBits > 64 {
		return nil
	}
	h.worth, h.rest = worthPieces+l.partials/worthPartials, make([]uint64, l.partials)
	for i := range h.column {
		h.column[i] = make([]uint32, (l.k+groupCounts-1)/groupCounts*groupSize)
	}
	return h
}

// tabulate enters the j-th piece of the row's army, or of its mirror image, into the tables. If x
// pieces of the other army are below this piece, the piece's term of the rank is
// term[len(term)−1−x].
func (h *sums) tabulate(image, j int, term []uint32) {
	column := h.column[image][j/groupCounts*groupSize:][:groupSize]
	if j%groupCounts == 0 {
		column[0] = 0
	}
	n := 1 << (pieceBits * (j % groupCounts))
	for x := h.k; x >= 0; x-- {
		more := uint32(0)
		if x < len(term) { // below a piece there are at least as many cells as pieces
			more = term[len(term)-1-x]
		}
		for s := range n {
			column[x*n+s] = column[s] + more
		}
	}
}

// places appends the places of armies with the given sums; twice says that the row's army and its
// image differ.
func (h *sums) places(sums []uint64, l *layout, twice bool, to []place) []place {
	rows, mask, pairs := l.rowTurned, uint64(1)<<h.rankBits-1, uint32(l.rows)
	if twice {
		pairs = uint32(l.pairs)
	}
	for _, sum := range sums {
		at := rows[sum&mask]
		p := place{row: at >> 1, col: h.columnByCounts(sum, at&1)}
		if p.image = p.col; p.row >= pairs {
			p.image = h.columnByCounts(sum, at&1^1)
		}
		to = append(to, p)
	}
	return to
}

// columnByCounts returns the column of the row's army, or of its image if i is 1, against an army
// with the given sum.
func (h *sums) columnByCounts(sum uint64, i uint32) uint32 {
	counts, column := sum>>((h.rankBits+uint(i)*h.countBits)&63)&(1<<h.countBits-1), h.column[i&1]
	col := column[counts&(groupSize-1)]
	for at := groupSize; at < len(column); at += groupSize {
		counts >>= pieceBits * groupCounts
		col += column[at|int(counts&(groupSize-1))]
	}
	return col
}
