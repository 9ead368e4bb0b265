package rank

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
)

// Ways to rank that lost, kept so that the choice can be repeated on another
// machine; README.md has the figures.

// chunked ranks eight cells at a time: term[j][i][b] is the sum of the terms of
// the cells 8j…8j+7 that are set in b, if i pieces are below them.
type chunked struct {
	term [][][256]uint64
}

func newChunked(n, k int) *chunked {
	t := sharedTerms()
	c := &chunked{term: make([][][256]uint64, (n+7)/8)}
	for j := range c.term {
		c.term[j] = make([][256]uint64, k+1)
		for i := range c.term[j] {
			for b := range 256 {
				at := i
				for rest := b; rest != 0 && at < 128; rest &= rest - 1 {
					c.term[j][i][b] += t.at(at, 8*j+bits.TrailingZeros(uint(rest)))
					at++
				}
			}
		}
	}
	return c
}

func (c *chunked) rank(x bitboard.Set128) (r uint64) {
	i, w := 0, x.Lo
	for j := range c.term {
		if j == 8 {
			w = x.Hi
		}
		b := uint8(w)
		w >>= 8
		r += c.term[j][i][b]
		i += bits.OnesCount8(b)
	}
	return r
}

// byStep ranks a set given the terms by cell, not by piece: one line of the
// cache a piece, whatever its number.
func byStep(t *[128][16]uint64, x bitboard.Set128) (r uint64) {
	i := 0
	for w := x.Lo; w != 0; w &= w - 1 {
		r += t[bits.TrailingZeros64(w)&63][i&15]
		i++
	}
	for w := x.Hi; w != 0; w &= w - 1 {
		r += t[64+bits.TrailingZeros64(w)&63][i&15]
		i++
	}
	return r
}

func BenchmarkRankAlternatives(b *testing.B) {
	for _, c := range benchArmies {
		s := subsets(b, c.cells, c.pieces)
		sets, _, sum := randomSets(b, s)
		chunks := newChunked(c.cells, c.pieces)
		var byCell [128][16]uint64
		for cell := range byCell {
			for i := range byCell[cell] {
				byCell[cell][i] = s.t.at(i, cell)
			}
		}
		for _, alt := range []struct {
			name string
			f    func(bitboard.Set128) uint64
		}{
			{"loop", func(x bitboard.Set128) uint64 { return s.Rank(x) }},
			{"chunks", chunks.rank},
			{"cells", func(x bitboard.Set128) uint64 { return byStep(&byCell, x) }},
		} {
			timed(b, fmt.Sprintf("cells=%d/pieces=%d/table=%s", c.cells, c.pieces, alt.name), batch, "set", sum, func() (sum uint64) {
				for _, x := range sets {
					sum += alt.f(x)
				}
				return sum
			})
		}
	}
}

// rankAmong ranks x among the cells outside taken without packing it: each
// cell goes down by the number of taken cells below it.
func (s *Subsets) rankAmong(x, taken uint64) (r uint64) {
	for i := 0; x != 0; i++ {
		c := bits.TrailingZeros64(x) - bits.OnesCount64(taken&(x&-x-1))
		r += s.t.at(i, c)
		x &= x - 1
	}
	return r
}

func BenchmarkAmongAlternatives(b *testing.B) {
	for _, k := range []int{3, 6} {
		a, err := NewArmies(49, k, k)
		if err != nil {
			b.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 1))
		var mine, taken [batch]uint64
		var want uint64
		s := a.Army(1)
		for i := range batch {
			var w [2]uint64
			index := r.Uint64N(a.Size())
			a.Sets64(w[:], index)
			taken[i], mine[i] = w[0], w[1]
			want += index % a.Stride(0)
		}
		name := fmt.Sprintf("cells=49/pieces=%d/by=", k)
		timed(b, name+"extract", batch, "set", want, func() (sum uint64) {
			for i, x := range mine {
				sum += s.Rank64(bitboard.Extract64(x, a.all.Lo&^taken[i]))
			}
			return sum
		})
		timed(b, name+"popcount", batch, "set", want, func() (sum uint64) {
			for i, x := range mine {
				sum += s.rankAmong(x, taken[i])
			}
			return sum
		})
	}
}
