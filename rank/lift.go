package rank

import (
	"math/bits"

	"perfectplay/bitboard"
)

// Lift ranks the sets that arise when one piece of a set is taken up and put down elsewhere.
// Prepare it with [Subsets.Lift] for each piece; it has about 1 KiB, so keep one. A Lift belongs
// to one goroutine.
//
// With d1 < d2 < … the cells of the pieces that stay, and j of them below the destination b, the
// rank is
//
//	C(d1,1) + … + C(dj,j)  +  C(b,j+1)  +  C(dj+1,j+2) + … + C(dk−1,k)
//
// where all but the middle depends on j alone: that is sum[j].
type Lift struct {
	t    *terms
	rest bitboard.Set128
	sum  [128]uint64
}

// Lift prepares l for the pieces that stay, rest: a set of k−1 cells below n.
func (s *Subsets) Lift(l *Lift, rest bitboard.Set128) {
	l.t, l.rest = s.t, rest
	// In sum[0] all pieces are above b. From sum to sum, one more piece is below and its term
	// changes.
	t, first, j, i := s.t, uint64(0), uint(0), uint(0)
	for w := rest.Lo; w != 0; w &= w - 1 {
		c := i + uint(bits.TrailingZeros64(w))
		low, high := t[c%uint(len(t))], t[(c+stride)%uint(len(t))]
		first += high
		j++
		l.sum[j%uint(len(l.sum))] = low - high
		i += stride
	}
	i += 64
	for w := rest.Hi; w != 0; w &= w - 1 {
		c := i + uint(bits.TrailingZeros64(w))
		low, high := t[c%uint(len(t))], t[(c+stride)%uint(len(t))]
		first += high
		j++
		l.sum[j%uint(len(l.sum))] = low - high
		i += stride
	}
	l.sum[0] = first
	sums := l.sum[1:min(j+1, uint(len(l.sum)))]
	for j, d := range sums {
		first += d
		sums[j] = first
	}
}

// Rank returns the rank of the pieces that stay together with one on b, an empty cell below n.
func (l *Lift) Rank(b int) uint64 {
	j := bits.OnesCount64(l.rest.Lo&(1<<uint(b)-1)) +
		bits.OnesCount64(l.rest.Hi&(^uint64(0)>>uint(128-b)))
	return l.sum[j&127] + l.t.at(j, b)
}
