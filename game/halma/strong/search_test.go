package strong

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/solve"
)

var (
	positions = flag.Int("positions", 60, "positions for each rule set that bounded search must agree on")
	horizon   = flag.Int("horizon", 14, "plies that bounded search looks ahead at the openings; at 30 it finds all wins of the start")
)

// TestSearchAgrees compares bounded search on the star of 37 holes with the
// exact solution: at every opening, and at random positions of play.
func TestSearchAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("the searches take seconds; not with -short")
	}
	for _, rules := range []string{"base", "house", "house-loose", "house-code"} {
		t.Run("rules="+rules, func(t *testing.T) {
			g, spec := halmatest.Race("halma-star37-2p", rules)
			solved, err := Solve(context.Background(), spec, Options{Distances: true})
			if err != nil {
				t.Fatal(err)
			}
			searchOpenings(t, g, solved)
			searchRandom(t, g, solved, 2, 6)
		})
	}
}

// TestSearchAgreesWide is TestSearchAgrees on boards of two and three words.
func TestSearchAgreesWide(t *testing.T) {
	for _, c := range []struct {
		id, rules string
		long      bool
	}{
		{"halma-9x9p1", "sturtevant", false}, {"halma-star73p1-2p", "house", false}, {"halma-star121p1-2p", "base", false},
		{"halma-9x9p2", "sturtevant", true}, {"halma-11x11p2", "gamesman-2026", true}, {"halma-star73p2-2p", "house", true}, {"halma-star121p2-2p", "base", true},
	} {
		t.Run("game="+c.id+",rules="+c.rules, func(t *testing.T) {
			if c.long && !*long {
				t.Skip("takes up to a minute; with -long")
			}
			g, spec := halmatest.Race(c.id, c.rules)
			solved, err := Solve(context.Background(), spec, Options{Distances: true})
			if err != nil {
				t.Fatal(err)
			}
			searchRandom(t, g, solved, 5, 10)
		})
	}
}

// searchRandom compares bounded search with the exact solution at positions of play. One move in
// oneIn is random; the other moves lead to the nearest end. Searches are of 1 to most plies.
func searchRandom(t *testing.T, g *halma.Game, solved *Solution, oneIn, most int) {
	t.Helper()
	random := rand.New(rand.NewPCG(5, uint64(len(g.Rules()))))
	met, decided := map[game.Value]int{}, 0
	for n := 0; n < *positions; {
		s, plies := g.Start(), 0
		for ; plies < 200 && s.Result() == game.Ongoing; plies++ {
			moves := s.Moves(nil)
			m, soonest := moves[random.IntN(len(moves))], 256
			if random.IntN(oneIn) == 0 {
				moves = nil // play the random move m
			}
			for _, other := range moves {
				s.Make(other)
				if v, in := solved.Value(halma.Sides(g, s)); v != game.Draw && in < soonest {
					m, soonest = other, in
				}
				s.Unmake()
			}
			s.Make(m)
		}
		for range min(1+random.IntN(most), plies) {
			s.Unmake()
		}
		n++
		limit := 1 + random.IntN(most)
		mover, other := halma.Sides(g, s)
		want, in := solved.Value(mover, other)
		drawn := want == game.Draw
		if in > limit || want == game.Draw {
			want, in = game.Unknown, 0
		}
		report, err := solve.Run(context.Background(), g, s.Clone(), solve.Options{Limit: limit, Scope: solve.WholeOnly, Threads: 1, Memory: 1 << 20, NoLine: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Whole; got.Value != want && (got.Value != game.Draw || !drawn) || got.Distance != in {
			t.Fatalf("%s within %d plies: search %v in %d, exact %v in %d", s, limit, got.Value, got.Distance, want, in)
		}
		met[want]++
		if want != game.Unknown {
			decided++
		}
	}
	t.Logf("%d random positions, search and table agree: %d won, %d lost, %d not decided within 1 to %d plies",
		*positions, met[game.Win], met[game.Loss], met[game.Unknown], most)
	if decided < *positions/10 {
		t.Errorf("only %d of %d positions were decided within the limit", decided, *positions)
	}
}

// searchOpenings compares search with the exact solution at the start and after every opening.
func searchOpenings(t *testing.T, g *halma.Game, solved *Solution) {
	t.Helper()
	report, err := solve.Run(context.Background(), g, g.Start(), solve.Options{Limit: *horizon, Threads: 1, Memory: 256 << 20, NoLine: true})
	if err != nil {
		t.Fatal(err)
	}
	openings := g.Start().Moves(nil)
	if len(report.Openings) != len(openings) {
		t.Fatalf("search reports %d openings of %d", len(report.Openings), len(openings))
	}
	within := func(v game.Value, d int) string {
		if v == game.Draw || d > *horizon {
			return game.Unknown.String()
		}
		return fmt.Sprintf("%v in %d", v, d)
	}
	for i, m := range openings {
		s := g.Start()
		text := s.MoveString(m)
		s.Make(m)
		v, d := solved.Value(halma.Sides(g, s))
		exact, got := within(v.Negate(), d+1), report.Openings[i]
		if got.Name != text || got.Value.String() != exact && fmt.Sprintf("%v in %d", got.Value, got.Distance) != exact {
			t.Errorf("opening %s within %d plies: search %s %v in %d, exact %s", text, *horizon, got.Name, got.Value, got.Distance, exact)
		}
		t.Logf("opening %s within %d plies: %s by search and by table", text, *horizon, exact)
	}
	v, d := solved.Value(halma.Sides(g, g.Start()))
	exact, got := within(v, d), report.Whole
	if got.Value.String() != exact && fmt.Sprintf("%v in %d", got.Value, got.Distance) != exact {
		t.Errorf("the start within %d plies: search %v in %d, exact %s", *horizon, got.Value, got.Distance, exact)
	}
	t.Logf("the start within %d plies: %s by search and by table", *horizon, exact)
}
