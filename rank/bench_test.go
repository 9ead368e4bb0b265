package rank

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
)

// Armies on boards of Chinese Checkers.
var benchArmies = []struct{ cells, pieces int }{{37, 3}, {49, 3}, {49, 6}, {81, 10}, {121, 10}}

// batch is the number of random sets that a benchmark goes through: too many for the branch
// predictor to learn, few enough for the second-level cache.
const batch = 4096

func perItem(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/op")
}

func randomSets(b *testing.B, s *Subsets) (sets []bitboard.Set128, ranks []uint64, sum uint64) {
	b.Helper()
	r := rand.New(rand.NewPCG(1, uint64(s.n)))
	for range batch {
		rank := r.Uint64N(s.size)
		sets = append(sets, s.unrankPlain(rank))
		ranks = append(ranks, rank)
		sum += rank
	}
	return sets, ranks, sum
}

// timed runs f, which must return want, and reports the time of one of n items.
func timed(b *testing.B, name string, n int, want uint64, f func() uint64) {
	b.Helper()
	b.Run(name, func(b *testing.B) {
		var got uint64
		for b.Loop() {
			got = f()
		}
		if got != want {
			b.Fatalf("%d, want %d", got, want)
		}
		perItem(b, n)
	})
}

func BenchmarkSubsets(b *testing.B) {
	for _, c := range benchArmies {
		s := subsets(b, c.cells, c.pieces)
		sets, ranks, sum := randomSets(b, s)
		var fold uint64
		for _, x := range sets {
			fold += x.Lo ^ x.Hi
		}
		name := fmt.Sprintf("cells=%d/pieces=%d/", c.cells, c.pieces)
		timed(b, name+"op=Rank", batch, sum, func() (sum uint64) {
			for _, x := range sets {
				sum += s.Rank(x)
			}
			return sum
		})
		timed(b, name+"op=Unrank", batch, fold, func() (fold uint64) {
			for _, r := range ranks {
				x := s.Unrank(r)
				fold += x.Lo ^ x.Hi
			}
			return fold
		})
		timed(b, name+"op=UnrankPlain", batch, fold, func() (fold uint64) {
			for _, r := range ranks {
				x := s.unrankPlain(r)
				fold += x.Lo ^ x.Hi
			}
			return fold
		})
		if c.cells <= 64 {
			timed(b, name+"op=Rank64", batch, sum, func() (sum uint64) {
				for _, x := range sets {
					sum += s.Rank64(x.Lo)
				}
				return sum
			})
			timed(b, name+"op=Unrank64", batch, fold, func() (fold uint64) {
				for _, r := range ranks {
					fold += s.Unrank64(r)
				}
				return fold
			})
			last := s.Unrank64(batch)
			timed(b, name+"op=Next64", batch, last, func() uint64 {
				x := uint64(1)<<s.k - 1
				for range batch {
					x = Next64(x)
				}
				return x
			})
		}
	}
}

// BenchmarkLift ranks all moves of all pieces to 12 destinations each, as in the middle game.
func BenchmarkLift(b *testing.B) {
	const destinations = 12
	for _, c := range benchArmies {
		s := subsets(b, c.cells, c.pieces)
		sets, _, _ := randomSets(b, s)
		sets = sets[:32]
		r := rand.New(rand.NewPCG(2, 2))
		to := make([]bitboard.Set128, len(sets))
		var want uint64
		for i, x := range sets {
			for to[i].Count() < destinations {
				if c := r.IntN(s.n); !x.Has(c) {
					to[i] = to[i].With(c)
				}
			}
			for from := range x.Cells() {
				for c := range to[i].Cells() {
					want += s.Rank(x.Without(from).With(c))
				}
			}
		}
		n := len(sets) * s.k * destinations
		name := fmt.Sprintf("cells=%d/pieces=%d/", c.cells, c.pieces)
		timed(b, name+"by=Rank", n, want, func() (sum uint64) {
			for i, x := range sets {
				for p := x; !p.IsEmpty(); p = p.DropMin() {
					rest := x.Without(p.Min())
					for d := to[i]; !d.IsEmpty(); d = d.DropMin() {
						sum += s.Rank(rest.With(d.Min()))
					}
				}
			}
			return sum
		})
		var l Lift
		timed(b, name+"by=Lift", n, want, func() (sum uint64) {
			for i, x := range sets {
				for p := x; !p.IsEmpty(); p = p.DropMin() {
					s.Lift(&l, x.Without(p.Min()))
					for d := to[i].Lo; d != 0; d &= d - 1 {
						sum += l.Rank(bits.TrailingZeros64(d))
					}
					for d := to[i].Hi; d != 0; d &= d - 1 {
						sum += l.Rank(64 + bits.TrailingZeros64(d))
					}
				}
			}
			return sum
		})
	}
}

func BenchmarkPositions(b *testing.B) {
	p, err := NewPositions(Board{
		Cells: 12, Lead: 2, Symmetries: grid(3, 4)[:1],
		Kinds: []Kind{{1, 1, 0}, {1, 1, 0}, {2, 2, 2}, {2, 2, 2}, {2, 4, 2}},
	})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	on, held, sum := make([][10]uint64, batch), make([][6]uint8, batch), uint64(0)
	numbers := make([]uint64, batch)
	for i := range batch {
		for numbers[i] = r.Uint64N(p.Size()); !p.At(numbers[i], on[i][:], held[i][:]); {
			numbers[i] = r.Uint64N(p.Size())
		}
		sum += numbers[i]
	}
	timed(b, "number", batch, sum, func() (sum uint64) {
		for i := range batch {
			n, _, _ := p.Number(on[i][:], held[i][:])
			sum += n
		}
		return sum
	})
	timed(b, "at", batch, batch, func() (with uint64) {
		for i, n := range numbers {
			if p.At(n, on[i][:], held[i][:]) {
				with++
			}
		}
		return with
	})
}
