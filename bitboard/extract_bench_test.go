package bitboard

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"perfectplay/internal/impl"
)

// benchSets returns n sets with pieces cells each, and the mask of the cells
// that another such set leaves free: what ranking a second army needs.
func benchSets(n, cells, pieces int) (sets []Set128, mask Set128) {
	r := rand.New(rand.NewPCG(7, uint64(cells)))
	draw := func() (s Set128) {
		for s.Count() < pieces {
			s = s.With(r.IntN(cells))
		}
		return s
	}
	mask = First128(cells).AndNot(draw())
	for range n {
		sets = append(sets, draw().And(mask))
	}
	return sets, mask
}

var extractBoards = []struct {
	name          string
	cells, pieces int
}{
	{"board=49/pieces=3/free=46/", 49, 3},
	{"board=121/pieces=10/free=111/", 121, 10},
}

// Each operation works on 4096 sets in turn, too many for the branch predictor
// to learn by heart, and calls do not wait for each other. ns/set is for one.
func BenchmarkExtract(b *testing.B) {
	const n = 4096
	impl.TestAll(b, "bitboard", func(b *testing.B) {
		for _, board := range extractBoards {
			sets, mask := benchSets(n, board.cells, board.pieces)
			m64, m128 := NewMask64(mask.Lo), NewMask128(mask)
			words, packed := make([]uint64, n), make([]Set128, n)
			var sum64, sum128 uint64
			for i, s := range sets {
				words[i] = s.Lo
				e := plainExtract(s.Wide192(), mask.Wide192())
				sum128 += e.Lo ^ e.Mid
				sum64 += plainExtract(Set192{Lo: s.Lo}, Set192{Lo: mask.Lo}).Lo
			}
			out, outSets := make([]uint64, n), make([]Set128, n)
			runSlice := func(name string, want uint64, f func(), sum func() uint64) {
				b.Run(board.name+"op="+name, func(b *testing.B) {
					for b.Loop() {
						f()
					}
					if sum := sum(); sum != want {
						b.Fatalf("sum %x, want %x", sum, want)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/set")
				})
			}
			run := func(name string, want uint64, f func() uint64) {
				var sum uint64
				runSlice(name, want, func() { sum = f() }, func() uint64 { return sum })
			}
			run("Extract64", sum64, func() (sum uint64) {
				for _, x := range words {
					sum += Extract64(x, mask.Lo)
				}
				return sum
			})
			run("Mask64.Extract", sum64, func() (sum uint64) {
				for _, x := range words {
					sum += m64.Extract(x)
				}
				return sum
			})
			runSlice("ExtractSlice64", sum64, func() { ExtractSlice64(out, words, mask.Lo) }, func() (sum uint64) {
				for _, x := range out {
					sum += x
				}
				return sum
			})
			run("Extract128", sum128, func() (sum uint64) {
				for _, s := range sets {
					e := Extract128(s, mask)
					sum += e.Lo ^ e.Hi
				}
				return sum
			})
			run("Mask128.Extract", sum128, func() (sum uint64) {
				for _, s := range sets {
					e := m128.Extract(s)
					sum += e.Lo ^ e.Hi
				}
				return sum
			})
			runSlice("ExtractSlice128", sum128, func() { ExtractSlice128(outSets, sets, mask) }, func() (sum uint64) {
				for _, e := range outSets {
					sum += e.Lo ^ e.Hi
				}
				return sum
			})
			var back uint64
			for _, s := range sets {
				back += s.Lo ^ s.Hi
			}
			run("Deposit128", back, func() (sum uint64) {
				for _, s := range outSets {
					e := Deposit128(s, mask)
					sum += e.Lo ^ e.Hi
				}
				return sum
			})
			run("Mask128.Deposit", back, func() (sum uint64) {
				for _, s := range outSets {
					e := m128.Deposit(s)
					sum += e.Lo ^ e.Hi
				}
				return sum
			})
			runSlice("DepositSlice128", back, func() { DepositSlice128(packed, outSets, mask) }, func() (sum uint64) {
				for _, e := range packed {
					sum += e.Lo ^ e.Hi
				}
				return sum
			})
		}
	})
}

// The alternatives to the portable extraction of one word, kept to repeat the
// choice on other machines: a walk over the mask, and the steps of Mask64
// found on the spot.
func BenchmarkExtractAlternatives(b *testing.B) {
	overMask := func(x, mask uint64) (r uint64) {
		for j := 0; mask != 0; j++ {
			r |= x >> (uint(bits.TrailingZeros64(mask)) & 63) & 1 << (j & 63)
			mask &= mask - 1
		}
		return r
	}
	onTheSpot := func(x, mask uint64) uint64 {
		m := NewMask64(mask)
		return m.extract(x)
	}
	for _, board := range extractBoards {
		sets, mask := benchSets(4096, board.cells, board.pieces)
		for _, alt := range []struct {
			name string
			f    func(x, mask uint64) uint64
		}{{"sparse", extract64Portable}, {"mask", overMask}, {"steps", onTheSpot}} {
			b.Run(board.name+"walk="+alt.name, func(b *testing.B) {
				var sum, want uint64
				for _, s := range sets {
					want += extract64(s.Lo, mask.Lo)
				}
				for b.Loop() {
					sum = 0
					for _, s := range sets {
						sum += alt.f(s.Lo, mask.Lo)
					}
				}
				if sum != want {
					b.Fatalf("sum %x, want %x", sum, want)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/set")
			})
		}
	}
}
