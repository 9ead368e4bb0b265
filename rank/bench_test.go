package rank

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/internal/impl"
)

// Boards and armies of the games: 3 and 6 pieces on the 7×7 diamond, 3 on the
// star of 37, 10 on the 9×9 diamond and on the star of 121.
var benchArmies = []struct{ cells, pieces int }{{37, 3}, {49, 3}, {49, 6}, {81, 10}, {121, 10}}

// batch is how many random sets a benchmark goes through in turn: too many for
// the branch predictor to learn by heart, as it does 256 of them, and few enough
// for the second-level cache. Times are reported for one.
const batch = 4096

func perItem(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/"+unit)
}

// randomSets returns sets of s and their ranks, and the sum of the ranks.
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
func timed(b *testing.B, name string, n int, unit string, want uint64, f func() uint64) {
	b.Helper()
	b.Run(name, func(b *testing.B) {
		var got uint64
		for b.Loop() {
			got = f()
		}
		if got != want {
			b.Fatalf("%d, want %d", got, want)
		}
		perItem(b, n, unit)
	})
}

func BenchmarkSubsets(b *testing.B) {
	for _, c := range benchArmies {
		s := subsets(b, c.cells, c.pieces)
		sets, ranks, sum := randomSets(b, s)
		words := words(sets)
		var fold uint64
		for _, x := range sets {
			fold += x.Lo ^ x.Hi
		}
		name := fmt.Sprintf("cells=%d/pieces=%d/", c.cells, c.pieces)
		timed(b, name+"op=Rank", batch, "set", sum, func() (sum uint64) {
			for _, x := range sets {
				sum += s.Rank(x)
			}
			return sum
		})
		timed(b, name+"op=Unrank", batch, "set", fold, func() (fold uint64) {
			for _, r := range ranks {
				x := s.Unrank(r)
				fold += x.Lo ^ x.Hi
			}
			return fold
		})
		timed(b, name+"op=UnrankPlain", batch, "set", fold, func() (fold uint64) {
			for _, r := range ranks {
				x := s.unrankPlain(r)
				fold += x.Lo ^ x.Hi
			}
			return fold
		})
		if c.cells <= 64 {
			timed(b, name+"op=Rank64", batch, "set", sum, func() (sum uint64) {
				for _, x := range words {
					sum += s.Rank64(x)
				}
				return sum
			})
			timed(b, name+"op=Unrank64", batch, "set", fold, func() (fold uint64) {
				for _, r := range ranks {
					fold += s.Unrank64(r)
				}
				return fold
			})
			last := s.Unrank64(batch)
			timed(b, name+"op=Next64", batch, "set", last, func() uint64 {
				x := s.First().Lo
				for range batch {
					x = Next64(x)
				}
				return x
			})
		}
		last := s.Unrank(batch)
		timed(b, name+"op=Next128", batch, "set", last.Lo^last.Hi, func() uint64 {
			x := s.First()
			for range batch {
				x = Next128(x)
			}
			return x.Lo ^ x.Hi
		})
	}
}

// The ranks of all moves of all pieces to 12 destinations each, about what
// Chinese Checkers has in its middle game.
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
		timed(b, name+"by=Rank", n, "move", want, func() (sum uint64) {
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
		timed(b, name+"by=Lift", n, "move", want, func() (sum uint64) {
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
		if s.n > 64 {
			continue
		}
		timed(b, name+"by=Lift64", n, "move", want, func() (sum uint64) {
			for i, x := range sets {
				for p := x.Lo; p != 0; p &= p - 1 {
					s.Lift64(&l, x.Lo&^(p&-p))
					for d := to[i].Lo; d != 0; d &= d - 1 {
						sum += l.Rank64(bits.TrailingZeros64(d))
					}
				}
			}
			return sum
		})
	}
}

func BenchmarkArmies(b *testing.B) {
	impl.TestAll(b, "bitboard", func(b *testing.B) {
		for _, c := range []struct {
			cells int
			sizes []int
		}{{49, []int{3, 3}}, {49, []int{6, 6}}, {37, []int{3, 3, 3, 3, 3}}, {121, []int{6, 6}}} {
			a, err := NewArmies(c.cells, c.sizes...)
			if err != nil {
				b.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 1))
			var indices [batch]uint64
			var sets [batch][]bitboard.Set128
			var sets64 [batch][]uint64
			var sum, fold uint64
			for i := range batch {
				indices[i] = r.Uint64N(a.Size())
				sum += indices[i]
				sets[i] = make([]bitboard.Set128, len(c.sizes))
				a.Sets(sets[i], indices[i])
				sets64[i] = words(sets[i])
				fold += sets[i][0].Lo ^ sets[i][1].Lo
			}
			name := fmt.Sprintf("cells=%d/armies=%dx%d/", c.cells, len(c.sizes), c.sizes[0])
			timed(b, name+"op=Index", batch, "position", sum, func() (sum uint64) {
				for _, s := range sets {
					sum += a.Index(s)
				}
				return sum
			})
			dst := make([]bitboard.Set128, len(c.sizes))
			timed(b, name+"op=Sets", batch, "position", fold, func() (fold uint64) {
				for _, i := range indices {
					a.Sets(dst, i)
					fold += dst[0].Lo ^ dst[1].Lo
				}
				return fold
			})
			for _, i := range []int{0, len(c.sizes) - 1} {
				var want uint64
				moves := 0
				each := func(f func(s []bitboard.Set128, from, to int)) {
					for _, s := range sets[:32] {
						var free bitboard.Set128
						for _, x := range s {
							free = free.Or(x)
						}
						free = bitboard.First128(c.cells).AndNot(free)
						for from := s[i]; !from.IsEmpty(); from = from.DropMin() {
							f(s, from.Min(), -1)
							for to := free; !to.IsEmpty(); to = to.DropMin() {
								f(s, from.Min(), to.Min())
							}
						}
					}
				}
				each(func(s []bitboard.Set128, from, to int) {
					if to < 0 {
						return
					}
					moves++
					old := s[i]
					s[i] = s[i].Without(from).With(to)
					want += a.Index(s)
					s[i] = old
				})
				var l ArmyLift
				timed(b, fmt.Sprintf("%sop=ArmyLift/army=%dth", name, i), moves, "move", want, func() (sum uint64) {
					each(func(s []bitboard.Set128, from, to int) {
						if to < 0 {
							a.Lift(&l, s, i, from)
							return
						}
						sum += l.Index(to)
					})
					return sum
				})
			}
			if c.cells > 64 {
				continue
			}
			timed(b, name+"op=Index64", batch, "position", sum, func() (sum uint64) {
				for _, s := range sets64 {
					sum += a.Index64(s)
				}
				return sum
			})
			dst64 := make([]uint64, len(c.sizes))
			timed(b, name+"op=Sets64", batch, "position", fold, func() (fold uint64) {
				for _, i := range indices {
					a.Sets64(dst64, i)
					fold += dst64[0] ^ dst64[1]
				}
				return fold
			})
		}
	})
}
