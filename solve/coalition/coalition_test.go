package coalition_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/strong"
	"perfectplay/solve"
	"perfectplay/solve/coalition"
)

var whole = flag.Bool("whole", false, "explore the game of six under base, too")

// TestCoalitionsOfTwo compares coalitions of one with the two-army solver.
func TestCoalitionsOfTwo(t *testing.T) {
	for _, c := range []struct{ id, rules string }{{"halma-star13-2p", "base"}, {"halma-star13-2p", "house"}, {"halma-3x3p1", "sturtevant"}, {"halma-3x3p2", "gamesman"}} {
		g, spec := halmatest.Race(c.id, c.rules)
		solved, err := strong.Solve(context.Background(), spec, strong.Options{Distances: true})
		if err != nil {
			t.Fatal(err)
		}
		all, err := coalition.Solve(context.Background(), g, 1_000_000, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, d := solved.Value(halma.Sides(g, g.Start()))
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
	c, err := coalition.Solve(context.Background(), g, 1_000_000, nil)
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

// TestParanoid compares verdicts of bounded search, one seat against all others,
// with exact ones: every game of one piece on the star of 13 holes, every seat,
// at the start and at positions of random play.
func TestParanoid(t *testing.T) {
	for _, c := range []struct {
		seats     int
		rules     string
		positions int // of random play; 0 where the game takes minutes to explore
	}{
		{2, "base", 40}, {2, "house", 40}, {2, "liou", 40},
		{3, "base", 30}, {3, "house", 30}, {3, "liou", 30},
		{4, "base", 20}, {4, "house", 20}, {4, "liou", 20},
		{6, "base", 0}, {6, "house", 10}, {6, "liou", 10},
	} {
		id := fmt.Sprintf("halma-star13-%dp", c.seats)
		t.Run("game="+id+",rules="+c.rules, func(t *testing.T) {
			t.Parallel()
			if c.positions == 0 {
				if !*whole {
					t.Skip("4,990,992 positions take minutes: run with -whole")
				}
				c.positions = 10
			}
			if testing.Short() && c.seats == 6 && c.rules == "liou" {
				t.Skip("takes seconds; not with -short")
			}
			g, err := halma.ByID(id, c.rules)
			if err != nil {
				t.Fatal(err)
			}
			all, err := coalition.Solve(context.Background(), g, 10_000_000, nil)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(uint64(c.seats), uint64(len(c.rules))))
			found := map[game.Value]int{}
			judge := func(s game.State, limit int) {
				for seat := range g.Seats() {
					v, d, ok := all.Value(s, 1<<seat)
					if !ok {
						t.Fatalf("%s cannot be reached", s)
					}
					drawn := v == game.Draw
					if d > limit || drawn {
						v, d = game.Unknown, 0
					}
					report, err := solve.Run(context.Background(), g, s.Clone(), solve.Options{
						Algo: solve.Paranoid, Hero: &seat, Limit: limit, Scope: solve.WholeOnly, Threads: 1, Memory: 1 << 20, NoLine: true})
					if err != nil {
						t.Fatal(err)
					}
					got, in := report.Whole.Value, report.Whole.Distance
					if got != v && (got != game.Draw || !drawn) || in != d {
						t.Fatalf("%s, seat %s within %d plies: search %v in %d, exact %v in %d", s, g.SeatName(seat), limit, got, in, v, d)
					}
					found[v]++
				}
			}
			judge(g.Start(), 12)
			for n := 0; n < c.positions; {
				s := g.Start()
				var moves []game.Move
				for range random.IntN(5 * g.Seats()) {
					if moves = s.Moves(moves[:0]); len(moves) > 0 {
						s.Make(moves[random.IntN(len(moves))])
					}
				}
				if s.Result() == game.Ongoing {
					judge(s, 1+random.IntN(10))
					n++
				}
			}
			if found[game.Loss] == 0 || found[game.Win] == 0 && g.Seats() < 6 {
				t.Errorf("%v: too little is decided to compare", found)
			}
			t.Logf("%v", found)
		})
	}
}
