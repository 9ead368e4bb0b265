package player

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// middle returns a position with some stones near each other.
func middle(g *mnk.Game, stones int) *mnk.Plain {
	rng := rand.New(rand.NewPCG(uint64(g.Cells()), 7))
	s := g.Plain().Start().(*mnk.Plain)
	f := newField(g)
	for range stones {
		f.follow(s)
		l := local{f: f}
		cells := l.moves(s.Seat(), 0, 8)
		s.Make(game.Move(cells[rng.IntN(len(cells))].c))
	}
	return s
}

// BenchmarkLocal searches positions to a fixed depth. Each round must visit the
// same positions and choose the same cell.
func BenchmarkLocal(b *testing.B) {
	for _, c := range []struct{ m, n, k, depth int }{{7, 7, 5, 5}, {10, 10, 5, 5}, {50, 50, 10, 4}, {70, 70, 10, 4}} {
		b.Run(fmt.Sprintf("board=%dx%dk%d/depth=%d", c.m, c.n, c.k, c.depth), func(b *testing.B) {
			g := mustGame(b, c.m, c.n, c.k)
			s := middle(g, 6)
			l := local{f: newField(g)}
			l.f.follow(s)
			var nodes, first uint64
			var cell, want int32 = -1, -1
			for b.Loop() {
				l.choose(s.Seat(), c.depth, func() bool { return false }, func(c int32, _ int64, _ int) { cell = c })
				if nodes += l.nodes; first == 0 {
					first, want = l.nodes, cell
				}
				if l.nodes != first || cell != want || s.At(int(cell)) != 0 {
					b.Fatalf("%d positions and cell %d, at first %d and %d", l.nodes, cell, first, want)
				}
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

// BenchmarkMonkey and BenchmarkDoge: positions a second of the opponents, with
// a limit of positions.
func BenchmarkMonkey(b *testing.B) { benchThinker(b, "monkey") }
func BenchmarkDoge(b *testing.B)   { benchThinker(b, "sufferingdoge") }

func benchThinker(b *testing.B, name string) {
	for _, c := range [][3]int{{5, 5, 4}, {7, 7, 5}, {10, 10, 5}} {
		b.Run(fmt.Sprintf("board=%dx%dk%d", c[0], c[1], c[2]), func(b *testing.B) {
			g := mustGame(b, c[0], c[1], c[2])
			s := middle(g, 6)
			var nodes, first uint64
			for b.Loop() {
				b.StopTimer() // tables are empty at first each time
				th := mustPlayer(b, name, g, 1).(*clocked).th
				t := &turn{ctx: b.Context(), limit: 20000}
				b.StartTimer()
				th.choose(t, s.Clone().(*mnk.Plain))
				n := uint64(0)
				switch th := th.(type) {
				case *monkey:
					n = th.nodes
				case *doge:
					n = th.nodes
				}
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

// BenchmarkGuard looks for the windows to stop on a large board.
func BenchmarkGuard(b *testing.B) {
	g := mustGame(b, 70, 70, 10)
	q := newGuard(newField(g))
	q.f.follow(middle(g, 40))
	want := -1
	for b.Loop() {
		_, left := q.veto(0)
		if want < 0 {
			want = left
		}
		if left != want || left == 0 {
			b.Fatalf("%d cells, at first %d", left, want)
		}
	}
}
