package strong

import (
	"context"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/solve"
	"perfectplay/solve/retro"
)

// TestCoalitionsOfTwo compares coalitions of one with the two-army solver.
func TestCoalitionsOfTwo(t *testing.T) {
	for _, c := range []struct{ id, rules string }{{"halma-star13-2p", "base"}, {"halma-star13-2p", "house"}, {"halma-3x3p1", "sturtevant"}, {"halma-3x3p2", "gamesman"}} {
		g, err := halma.ByID(c.id, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		spec, err := TwoArmy(g)
		if err != nil {
			t.Fatal(err)
		}
		solved, err := retro.Solve(context.Background(), spec, retro.Options{Distances: true})
		if err != nil {
			t.Fatal(err)
		}
		all, err := retro.SolveCoalitions(context.Background(), g, 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		v, d := solved.Value(Sides(g, g.Start()))
		for seat, want := range []game.Value{v, v.Negate()} {
			if got, in := all.Start(1 << seat); got != want || in != d {
				t.Errorf("%s under %s: seat %d %v in %d, want %v in %d", c.id, c.rules, seat, got, in, want, d)
			}
		}
	}
}

// TestPublishedThreePlayers checks the count of B. Liou, "Solving three-player
// Chinese checkers" (2026), and what is said there about the start: nobody can
// force a win, and any two can force the third to lose.
func TestPublishedThreePlayers(t *testing.T) {
	g, err := halma.ByID("halma-star13-3p", "liou")
	if err != nil {
		t.Fatal(err)
	}
	c, err := retro.SolveCoalitions(context.Background(), g, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	if c.Positions() != 1245 {
		t.Errorf("%d positions can be reached, published are 1245", c.Positions())
	}
	for seat := range 3 {
		if v, _ := c.Start(1 << seat); v != game.Loss {
			t.Errorf("seat %d alone: %v, published is a loss", seat, v)
		}
	}
}

// TestParanoid compares verdicts of bounded search with exact ones.
func TestParanoid(t *testing.T) {
	for _, c := range []struct{ id, rules string }{{"halma-star13-3p", "base"}, {"halma-star13-3p", "house"}, {"halma-star13-4p", "liou"}} {
		g, err := halma.ByID(c.id, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		all, err := retro.SolveCoalitions(context.Background(), g, 10_000_000)
		if err != nil {
			t.Fatal(err)
		}
		for seat := range g.Seats() {
			v, d := all.Start(1 << seat)
			limit := 12
			report, err := solve.Run(context.Background(), g, g.Start(), solve.Options{Algo: solve.Paranoid, Hero: &seat, Limit: limit, Scope: solve.WholeOnly, Memory: 16 << 20})
			if err != nil {
				t.Fatal(err)
			}
			got, in := report.Whole.Record.Result, report.Whole.Record.Distance
			if d > limit {
				v, d = game.Draw, 0
			}
			if got != v.String() || in != d {
				t.Errorf("%s under %s, seat %d: search %s in %d, exact %v in %d", c.id, c.rules, seat, got, in, v, d)
			}
		}
	}
}
