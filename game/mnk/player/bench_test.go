package player

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfectplay/game/mnk"
)

// middle returns a position with some stones near each other.
func middle(g *mnk.Game, stones int) *mnk.Plain {
	return walk(g, rand.New(rand.NewPCG(uint64(g.Cells()), 7)), stones)
}

// BenchmarkSearch searches positions to a fixed depth. Each round must choose the same cell.
func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct{ m, n, k, depth int }{{7, 7, 5, 5}, {10, 10, 5, 5}, {15, 15, 5, 5}, {50, 50, 10, 4}} {
		b.Run(fmt.Sprintf("board=%dx%dk%d/depth=%d", c.m, c.n, c.k, c.depth), func(b *testing.B) {
			g := mustGame(b, c.m, c.n, c.k)
			at := middle(g, 6)
			var nodes uint64
			cell := int32(-1)
			for b.Loop() {
				s, err := newSearch(g, 8<<20, 1)
				if err != nil {
					b.Fatal(err)
				}
				s.f.follow(at)
				var last int32
				s.choose(at.Seat(), c.depth, func(uint64) bool { return false }, func(f *found) { last = f.c })
				if nodes += s.nodes; cell >= 0 && last != cell || at.At(int(last)) != 0 {
					b.Fatalf("cell %d, at first %d", last, cell)
				}
				cell = last
				if err := s.close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

// BenchmarkMonkey and BenchmarkDoge measure how many positions a second the opponents visit.
func BenchmarkMonkey(b *testing.B) { benchThinker(b, "monkey") }
func BenchmarkDoge(b *testing.B)   { benchThinker(b, "sufferingdoge") }

// nodesOf is the number of positions that a chooser has visited for its last move.
func nodesOf(th chooser) uint64 {
	switch th := th.(type) {
	case *strongest:
		return th.s.nodes
	case *monkey:
		return th.nodes
	case *doge:
		return th.nodes
	}
	return 0
}

func benchThinker(b *testing.B, name string) {
	for _, c := range [][3]int{{5, 5, 4}, {7, 7, 5}, {10, 10, 5}} {
		b.Run(fmt.Sprintf("board=%dx%dk%d", c[0], c[1], c[2]), func(b *testing.B) {
			g := mustGame(b, c[0], c[1], c[2])
			s := middle(g, 6)
			var nodes, first uint64
			for b.Loop() {
				b.StopTimer() // each round begins with empty tables
				th := mustPlayer(b, name, g, 1).th
				t := &turn{ctx: b.Context(), limit: 20000}
				b.StartTimer()
				th.choose(t, s.Clone().(*mnk.Plain))
				n := nodesOf(th)
				if nodes += n; first == 0 {
					first = n
				}
				if n != first || s.At(t.best.Load().cell) != 0 {
					b.Fatalf("%d positions, at first %d", n, first)
				}
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}
