package strong

import "math/bits"

// halves are tables by the halves of the free cells of a row, from which the places one
// turn before many columns follow with few look-ups:
//
//	lower[set's lower half] + upper[set's upper half] = rank of the army,
//	                          and for each piece of the other how many are below
//	column[three of these counts] + column[three more] + … = rank of the other army
//
// The other army is one of two: that of the row, and its mirror image.
type halves struct {
	// at is the cells of a lower half. A sum holds the rank in its lowest rankBits, then the
	// counts against the army, in countBits together, and those against its image.
	at                  uint
	lower, upper        []uint64
	rankBits, countBits uint
	column              [2][]uint32 // by group of counts, groupSize each
	countsOf            [64]uint64  // by free cell: a 1 for each piece that it is below
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
)

// newHalves returns nil where the tables do not fit.
func newHalves(l *layout) *halves {
	cells := uint(l.n - l.k)
	h := &halves{at: (cells + 1) / 2, rankBits: uint(bits.Len64(l.armies.Size())), countBits: uint(l.k) * pieceBits}
	if h.at > mostHalf || l.k >= 1<<pieceBits || h.rankBits+2*h.countBits > 64 {
		return nil
	}
	h.lower, h.upper = make([]uint64, 1<<h.at), make([]uint64, 1<<(cells-h.at))
	for i := range h.column {
		h.column[i] = make([]uint32, (l.k+groupCounts-1)/groupCounts*groupSize)
	}
	return h
}

// sum makes the tables of sums for armies of k on so many free cells, from what pieces
// add to the rank and countsOf.
func (h *halves) sum(own []uint32, k, cells int) {
	stride := len(own) / k
	// Sets of more than k pieces are none of an army's.
	h.lower[0], h.upper[0] = 0, 0
	for t := range int(h.at) {
		for s := range 1 << t {
			if i := bits.OnesCount(uint(s)); i < k {
				h.lower[s|1<<t] = h.lower[s] + uint64(own[i*stride+t]) + h.countsOf[t]
			}
		}
	}
	upper := cells - int(h.at)
	for t := upper - 1; t >= 0; t-- {
		for x := range 1 << (upper - 1 - t) {
			s := x << (t + 1)
			if i := k - 1 - bits.OnesCount(uint(s)); i >= 0 {
				h.upper[s|1<<t] = h.upper[s] + uint64(own[i*stride+t+int(h.at)]) + h.countsOf[t+int(h.at)]
			}
		}
	}
}

// tabulate enters the j-th piece of the army or its image: with x pieces of the other army
// below it adds term[len(term)−1−x] to the rank. Pieces are entered in their order.
func (h *halves) tabulate(image, j int, term []uint32) {
	column := h.column[image][j/groupCounts*groupSize:][:groupSize]
	if j%groupCounts == 0 {
		column[0] = 0
	}
	n := 1 << (pieceBits * (j % groupCounts))
	for x := 1<<pieceBits - 1; x >= 0; x-- {
		more := uint32(0)
		if x < len(term) { // no more are below than there are cells
			more = term[len(term)-1-x]
		}
		for s := range n {
			column[x*n+s] = column[s] + more
		}
	}
}

// sumOf returns the sum of a set of free cells.
func (h *halves) sumOf(set uint64) uint64 { return h.lower[set&(1<<h.at-1)] + h.upper[set>>h.at] }

// columnByCounts returns the column of the army, or of its image where i is 1, against an
// army whose sum is given.
func (h *halves) columnByCounts(sum uint64, i uint32) (col uint32) {
	counts, column := sum>>(h.rankBits+uint(i)*h.countBits)&(1<<h.countBits-1), h.column[i&1]
	for ; len(column) > 0; column = column[groupSize:] {
		col += column[counts&(groupSize-1)]
		counts >>= pieceBits * groupCounts
	}
	return col
}
