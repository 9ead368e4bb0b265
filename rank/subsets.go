package rank

import (
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
)

// Subsets numbers the sets of k cells out of n, 0 ≤ k ≤ n ≤ 128, in colexicographic order. It is
// immutable and safe for concurrent use. Methods ending in 64 are for n ≤ 64 and take the cells
// as one word. For other sets results are undefined, without a panic.
type Subsets struct {
	t    *terms
	size uint64
	n, k int

	// pairs[r] are the cells of the set of two of rank r; level[i] finds the i-th lowest cell, i
	// ≥ 3.
	pairs [][2]uint8
	level []level
}

// level finds the cell c of the i-th lowest piece, the largest with C(c,i) ≤ r, for ranks r. Ranks
// with equal highest bits share an entry of start; c is that entry or one more.
type level struct {
	row   *[stride]uint64 // C(c,i)
	digit uint            // number of bits below the highest that select an entry
	start []uint8
}

// NewSubsets returns the numbering of the k-subsets of n cells. It is an error if C(n,k) does
// not fit 64 bits.
func NewSubsets(n, k int) (*Subsets, error) {
	if n < 0 || n > 128 || k < 0 || k > n {
		return nil, fmt.Errorf("rank: subsets of %d cells out of %d: need 0 ≤ k ≤ n ≤ 128", k, n)
	}
	size, err := Binomial(n, k)
	if err != nil {
		return nil, fmt.Errorf("rank: subsets of %d cells out of %d: %w", k, n, errOverflow)
	}
	s := &Subsets{t: sharedTerms(k), size: size, n: n, k: k}
	if k >= 2 {
		for hi := range n - k + 2 {
			for lo := range hi {
				s.pairs = append(s.pairs, [2]uint8{uint8(lo), uint8(hi)})
			}
		}
		s.level = make([]level, k+1)
		for i := 3; i <= k; i++ {
			s.level[i] = newLevel(s.t.row(i-1), i, n-k+i)
		}
	}
	return s, nil
}

// newLevel makes the level of the i-th lowest piece, i ≥ 3, on cells below n.
func newLevel(row *[stride]uint64, i, n int) level {
	// From one cell to the next C(c,i) grows by the factor 1 + i/(c+1−i). An entry spans ranks
	// r…r+r/2^digit, so it meets at most one such step if 2^digit ≥ (n−i)/i.
	l := level{row: row}
	for (i << l.digit) < n-i {
		l.digit++
	}
	largest := row[n] - 1
	last := l.entry(largest)
	l.start = make([]uint8, last+1)
	c := i - 1
	for e := range l.start {
		shift := max(e>>l.digit, 1) - 1
		lowest := uint64(e-shift<<l.digit) << shift
		for row[c+1] <= lowest { // C(n,i) is larger
			c++
		}
		l.start[e] = uint8(c)
	}
	return l
}

// entry returns the index into start of rank r: the position of its highest bit, then the digit
// bits below; small ranks are their own entries.
func (l *level) entry(r uint64) uint64 {
	shift := uint(bits.Len64(r>>l.digit|1) - 1)
	return uint64(shift)<<(l.digit&63) + r>>(shift&63)
}

// N returns the number of cells to choose from.
func (s *Subsets) N() int { return s.n }

// K returns the number of cells in each set.
func (s *Subsets) K() int { return s.k }

// Size returns C(n,k), the number of sets. Ranks are below it.
func (s *Subsets) Size() uint64 { return s.size }

// Rank returns the rank of x, a set of k cells below n.
func (s *Subsets) Rank(x bitboard.Set128) (r uint64) {
	t, i := s.t, uint(0)
	for w := x.Lo; w != 0; w &= w - 1 {
		r += t[(i+uint(bits.TrailingZeros64(w)))%uint(len(t))]
		i += stride
	}
	i += 64
	for w := x.Hi; w != 0; w &= w - 1 {
		r += t[(i+uint(bits.TrailingZeros64(w)))%uint(len(t))]
		i += stride
	}
	return r
}

// Rank64 returns the rank of x, a set of k cells below n ≤ 64.
func (s *Subsets) Rank64(x uint64) (r uint64) {
	t := s.t
	for i := uint(0); x != 0; i += stride {
		r += t[(i+uint(bits.TrailingZeros64(x)))%uint(len(t))]
		x &= x - 1
	}
	return r
}

// Unrank returns the set of rank r. It panics if r is not below Size.
func (s *Subsets) Unrank(r uint64) (x bitboard.Set128) {
	if r >= s.size {
		panic("rank: Unrank: rank beyond the last set")
	}
	if s.k < 2 {
		return unrankFew(s.k, r)
	}
	for i := s.k; i > 2; i-- {
		l := &s.level[i]
		c := uint(l.start[l.entry(r)])
		below, next := l.row[c], l.row[c+1]
		if next <= r {
			below = next
			c++
		}
		r -= below
		x.Lo |= 1 << c
		x.Hi |= 1 << (c - 64)
	}
	p := &s.pairs[r]
	lo, hi := uint(p[0]), uint(p[1])
	x.Lo |= 1<<lo | 1<<hi
	x.Hi |= 1<<(lo-64) | 1<<(hi-64)
	return x
}

// Unrank64 returns the set of rank r, n ≤ 64. It panics if r is not below Size.
func (s *Subsets) Unrank64(r uint64) (x uint64) {
	if r >= s.size {
		panic("rank: Unrank64: rank beyond the last set")
	}
	if s.k < 2 {
		return unrankFew(s.k, r).Lo
	}
	for i := s.k; i > 2; i-- {
		l := &s.level[i]
		c := uint(l.start[l.entry(r)])
		below, next := l.row[c], l.row[c+1]
		if next <= r {
			below = next
			c++
		}
		r -= below
		x |= 1 << (c & 63)
	}
	p := &s.pairs[r]
	return x | 1<<(p[0]&63) | 1<<(p[1]&63)
}

// unrankFew returns the set of rank r of k < 2 cells.
func unrankFew(k int, r uint64) bitboard.Set128 {
	if k == 0 {
		return bitboard.Set128{}
	}
	return bitboard.Cell128(int(r))
}

// Next64 returns the next larger number with as many bits set as x, or 0 after the last one
// (Gosper's method, HAKMEM item 175). Next64(0) is 0.
func Next64(x uint64) uint64 {
	// The lowest run of ones gives its top one to the cell above it, and the others go down to
	// the bottom:
	//
	//	x           0 1 0 1 1 1 0 0
	//	up          0 1 1 0 0 0 0 0   x plus its lowest bit
	//	x &^ up     0 0 0 1 1 1 0 0   the run
	//	            0 0 0 0 0 0 1 1   the run at the bottom, one shorter
	up := x + x&-x
	if up == 0 {
		return 0
	}
	return up | (x&^up)>>1>>(uint(bits.TrailingZeros64(x))&63)
}

// Next128 is [Next64] for sets: empty after the last one.
func Next128(x bitboard.Set128) bitboard.Set128 {
	lowest := x.AndNot(x.DropMin())
	lo, carry := bits.Add64(x.Lo, lowest.Lo, 0)
	hi, _ := bits.Add64(x.Hi, lowest.Hi, carry)
	up := bitboard.Set128{Lo: lo, Hi: hi}
	if up.IsEmpty() {
		return up
	}
	return up.Or(x.AndNot(up).Shr(uint(x.Min()) + 1))
}
