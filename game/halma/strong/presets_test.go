package strong

import (
	"context"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
)

// TestPresets counts the winning openings under rule sets that differ in what a chain may pass.
func TestPresets(t *testing.T) {
	for i, c := range []struct {
		id, rules           string
		wins, losses, draws uint64
		distance, openings  int
	}{
		{"halma-star37-2p", "house", 2143370, 1384018, 14612, 29, 4},
		{"halma-star37-2p", "house-loose", 2142725, 1384253, 15022, 29, 4},
		{"halma-star37-2p", "house-code", 2134339, 1393781, 13880, 29, 2},
		{"halma-5x5p3", "gamesman-2026", 2134797, 1393483, 13720, 29, 2},
		{"halma-5x5p3", "filled+stay-in-goal+goal-transit", 2134797, 1393483, 13720, 29, 2},
	} {
		if i%3 > 0 && testing.Short() {
			continue // one star and one diamond only
		}
		g, spec := halmatest.Race(c.id, c.rules)
		solved, err := Solve(context.Background(), spec, Options{Distances: true})
		if err != nil {
			t.Fatal(err)
		}
		n := solved.Counts()
		if n.Wins != c.wins || n.Losses != c.losses || n.Draws != c.draws {
			t.Errorf("%s %s: %+v", c.id, c.rules, n)
		}
		s := g.Start()
		v, d := solved.Value(halma.Sides(g, s))
		openings := 0
		for _, m := range s.Moves(nil) {
			s.Make(m)
			if v, _ := solved.Value(halma.Sides(g, s)); v == game.Loss {
				openings++
			}
			s.Unmake()
		}
		if v != game.Win || d != c.distance || openings != c.openings {
			t.Errorf("%s %s: the start is %v in %d, %d openings win", c.id, c.rules, v, d, openings)
		}
	}
}
