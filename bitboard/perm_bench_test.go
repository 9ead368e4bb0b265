package bitboard

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkPerm permutes sets of pieces and of free cells by every implementation.
func BenchmarkPerm(b *testing.B) {
	for _, board := range []struct{ cells, pieces int }{{49, 3}, {121, 10}, {121, 60}} {
		sets, _ := benchSets(4096, board.cells, board.pieces)
		r := rand.New(rand.NewPCG(1, 1))
		p := identityOf(board.cells)
		r.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		c128, err := p.Compile128()
		if err != nil {
			b.Fatal(err)
		}
		turn, err := reversalOf(board.cells).Compile128()
		if err != nil {
			b.Fatal(err)
		}
		name := fmt.Sprintf("cells=%d/pieces=%d/by=", board.cells, board.pieces)
		run := func(by string, p Perm, f func(Set128) Set128) {
			var want uint64
			for _, s := range sets {
				t := p.apply(s)
				want += t.Lo ^ t.Hi
			}
			b.Run(name+by, func(b *testing.B) {
				var sum uint64
				for b.Loop() {
					sum = 0
					for _, s := range sets {
						t := f(s)
						sum += t.Lo ^ t.Hi
					}
				}
				if sum != want {
					b.Fatalf("sum %x, want %x", sum, want)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/op")
			})
		}
		run("plain", p, p.apply)
		run("cell", p, c128.byCell)
		run("chunk", p, c128.byChunk)
		run("apply", p, c128.Apply)
		run("half-turn", reversalOf(board.cells), turn.Apply)
		if board.cells <= 64 {
			c64, err := p.Compile64()
			if err != nil {
				b.Fatal(err)
			}
			run("apply64", p, func(s Set128) Set128 { return Set128{Lo: c64.Apply(Set64{s.Lo}).Lo} })
		}
	}
}
