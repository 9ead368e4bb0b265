package exact

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"perfectplay/game/domino"
)

var manyDeals = flag.Int("deals", 3000, "deals to compare with the reference")

// randomDeals returns deals, every one equally likely.
func randomDeals(n int, seed uint64) []domino.Deal {
	r := rand.New(rand.NewPCG(seed, 4))
	deals := make([]domino.Deal, n)
	for i := range deals {
		deals[i], _ = domino.RandomDeal(r)
	}
	return deals
}

// edgeDeals are deals with one line, few lines or very many.
func edgeDeals(t testing.TB) []domino.Deal {
	var deals []domino.Deal
	for _, text := range []string{
		"0|2 1|2 1|5 2|2 2|6 4|4 5|6 / 0|4 1|4 1|6 2|4 2|5 4|5 4|6", // 32,172 lines
		"6|6 0|0 0|1 0|2 0|3 0|4 0|5 / 1|1 1|2 1|3 1|4 1|5 2|2 2|3", // stuck at once
		"6|6 1|6 2|4 2|6 3|3 3|4 3|6 / 0|0 0|1 0|2 0|3 0|5 0|6 1|5",
		"0|0 1|2 1|3 1|4 1|5 1|6 2|3 / 0|1 2|4 2|5 2|6 3|4 3|5 3|6",
		"6|6 0|1 0|2 0|3 0|4 0|5 1|2 / 0|6 1|6 2|6 3|6 4|6 5|6 5|5",
		"1|1 2|3 2|4 2|5 2|6 3|4 3|5 / 0|1 1|2 1|3 1|4 1|5 1|6 0|0", // the starter keeps passing
		"1|1 0|1 1|2 1|3 1|4 1|5 1|6 / 2|3 2|4 2|5 2|6 3|4 3|5 3|6",
	} {
		d, _, err := domino.ParseDeal(text)
		if err != nil {
			t.Fatal(err)
		}
		deals = append(deals, d)
	}
	return deals
}

func TestAgainstReference(t *testing.T) {
	s := NewSolver()
	deals := append(edgeDeals(t), randomDeals(*manyDeals, 1)...)
	for _, d := range deals {
		want := domino.ReferenceStats(d.Start())
		if got := s.Stats(d); got != want {
			t.Fatalf("%v: stats %+v, want %+v", d, got, want)
		}
		if got := s.Value(d); got != want.Value {
			t.Fatalf("%v: value %d, want %d", d, got, want.Value)
		}
	}
	stats, err := AllStats(context.Background(), deals, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]int, len(deals))
	if err := Each(context.Background(), len(deals), 2, nil, func(s *Solver, i int) { values[i] = s.Value(deals[i]) }); err != nil {
		t.Fatal(err)
	}
	for i, d := range deals {
		if stats[i] != s.Stats(d) || values[i] != stats[i].Value {
			t.Fatalf("%v: a batch differs", d)
		}
	}
}

// TestPositions compares values along random lines, also within narrow windows.
func TestPositions(t *testing.T) {
	s := NewSolver()
	r := rand.New(rand.NewPCG(5, 5))
	for _, d := range append(edgeDeals(t), randomDeals(300, 3)...) {
		for p := d.Start(); !p.Over(); {
			moves := p.Moves(nil)
			if len(moves) == 0 {
				p = p.Pass()
				continue
			}
			p = p.Play(moves[r.IntN(len(moves))])
			want := domino.AlphaBeta(p, -100, 100)
			if got := s.PositionValue(p); got != want {
				t.Fatalf("%v: value %d, want %d", p, got, want)
			}
			for _, b := range []int{want - 1, want, want + 1} {
				v := s.within(p, b-1, b)
				if (v >= b) != (want >= b) || v >= b && v > want || v < b && v < want {
					t.Fatalf("%v: within %d…%d: %d, value %d", p, b-1, b, v, want)
				}
			}
		}
	}
}

func TestLine(t *testing.T) {
	s := NewSolver()
	for _, d := range append(edgeDeals(t), randomDeals(200, 9)...) {
		p := d.Start()
		for _, turn := range s.Line(p) {
			if turn.Before != p {
				t.Fatalf("%v: the line jumps", d)
			}
			p = p.Play(turn.Move)
		}
		if !p.Over() || p.Score() != s.Value(d) {
			t.Fatalf("%v: the line ends with %d, value %d", d, p.Score(), s.Value(d))
		}
	}
}

func TestSolverDoesNotAllocate(t *testing.T) {
	s := NewSolver()
	deals := append(edgeDeals(t), randomDeals(20, 1)...)
	for _, d := range deals {
		s.Stats(d)
	}
	for _, d := range deals {
		if n := testing.AllocsPerRun(5, func() { s.Stats(d); s.Value(d) }); n != 0 {
			t.Fatalf("%v: %v allocations", d, n)
		}
	}
}

func BenchmarkValue(b *testing.B) {
	deals := randomDeals(2048, 2)
	want := make([]int, len(deals))
	for i, d := range deals {
		want[i] = domino.AlphaBeta(d.Start(), -domino.MaxScore-1, domino.MaxScore+1)
	}
	s := NewSolver()
	i := 0
	for b.Loop() {
		at := i % len(deals)
		if v := s.Value(deals[at]); v != want[at] {
			b.Fatalf("%v: value %d, want %d", deals[at], v, want[at])
		}
		i++
	}
	b.ReportMetric(float64(s.Nodes)/float64(i), "nodes/op")
}

func BenchmarkStats(b *testing.B) {
	deals := randomDeals(2048, 2)
	want := make([]domino.Stats, len(deals))
	for i, d := range deals {
		want[i] = domino.ReferenceStats(d.Start())
	}
	s := NewSolver()
	i, nodes := 0, 0
	for b.Loop() {
		at := i % len(deals)
		if st := s.Stats(deals[at]); st != want[at] {
			b.Fatalf("%v: %+v, want %+v", deals[at], st, want[at])
		}
		nodes += s.graph.Nodes()
		i++
	}
	b.ReportMetric(float64(nodes)/float64(i), "nodes/op")
}
