package bitboard

import (
	"math/rand/v2"
	"testing"

	"perfectplay/internal/impl"
)

// benchSets returns n random sets of pieces, and the mask of the cells that another random set
// leaves free.
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

// BenchmarkExtract works on 4096 sets, too many for the branch predictor to learn.
func BenchmarkExtract(b *testing.B) {
	const n = 4096
	impl.TestAll(b, "bitboard", func(b *testing.B) {
		for _, board := range []struct {
			name          string
			cells, pieces int
		}{{"board=25/pieces=4/", 25, 4}, {"board=49/pieces=3/", 49, 3}} {
			sets, mask := benchSets(n, board.cells, board.pieces)
			var packed [n]uint64
			var sums, packedSums uint64
			for i, s := range sets {
				packed[i] = plainExtract(s.Lo, mask.Lo)
				sums += s.Lo
				packedSums += packed[i]
			}
			run := func(name string, want uint64, f func(i int) uint64) {
				b.Run(board.name+"op="+name, func(b *testing.B) {
					var sum uint64
					for b.Loop() {
						sum = 0
						for i := range n {
							sum += f(i)
						}
					}
					if sum != want {
						b.Fatalf("sum %x, want %x", sum, want)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/op")
				})
			}
			run("Extract64", packedSums, func(i int) uint64 { return Extract64(sets[i].Lo, mask.Lo) })
			run("Deposit64", sums, func(i int) uint64 { return Deposit64(packed[i], mask.Lo) })
		}
	})
}
