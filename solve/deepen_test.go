package solve_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/solve"
)

// TestNoLimit: without a limit a search continues until every value is final, and finds the same
// as with a sufficient limit. An endless draw of max^n stays open to its deepest horizon.
func TestNoLimit(t *testing.T) {
	for _, c := range []struct {
		id, rules string
		limit     int
		algos     []solve.Algo
	}{
		{"halma-star13-2p", "house", 30, []solve.Algo{solve.AlphaBeta, solve.Proof, solve.MaxN}},
		{"halma-star13-3p", "house", 40, []solve.Algo{solve.Paranoid, solve.Proof, solve.MaxN}},
		{"mnk-3x3k3", "", 9, []solve.Algo{solve.AlphaBeta, solve.Proof, solve.MaxN}},
	} {
		g := onBoard(t, c.id, c.rules)
		for _, algo := range c.algos {
			for _, threads := range []int{1, 2} {
				t.Run(fmt.Sprintf("game=%s,algo=%s,threads=%d", c.id, algo, threads), func(t *testing.T) {
					run := func(limit int) *solve.Report {
						r, err := solve.Run(context.Background(), g, g.Start(), solve.Options{Algo: algo, Limit: limit, Threads: threads, Time: 10 * time.Minute})
						if err != nil {
							t.Fatal(err)
						}
						return r
					}
					far, none := run(c.limit), run(0)
					if none.Interrupted {
						t.Fatal("not done in ten minutes")
					}
					all := append([]solve.Search{none.Whole}, none.Openings...)
					for i, want := range append([]solve.Search{far.Whole}, far.Openings...) {
						got := all[i]
						if got.Value == game.Unknown && got.Reached < solve.MaxLimitMaxN || got.Value != want.Value && want.Value != game.Unknown ||
							got.Winner != want.Winner || got.Distance != want.Distance {
							t.Errorf("%q: %v in %d, winner %d, %d plies; within %d plies %v in %d, winner %d",
								got.Name, got.Value, got.Distance, got.Winner, got.Reached, c.limit, want.Value, want.Distance, want.Winner)
						}
					}
				})
			}
		}
	}
}

// TestNoLimitStopped: when the time is up, all searches have excluded a forced result for the same
// number of plies.
func TestNoLimitStopped(t *testing.T) {
	g := onStar(t, "halma-star37-2p", "base")
	r, err := solve.Run(context.Background(), g, g.Start(), solve.Options{Time: time.Second, Threads: 1, Memory: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Interrupted || r.Limit < 3 {
		t.Fatalf("interrupted %v at %d plies", r.Interrupted, r.Limit)
	}
	for _, s := range append(r.Openings, r.Whole) {
		if s.Value != game.Unknown || s.Distance != 0 || s.Reached < r.Limit-2 || s.Reached > r.Limit {
			t.Errorf("%q: %v in %d, excluded to %d of %d plies", s.Name, s.Value, s.Distance, s.Reached, r.Limit)
		}
	}
	if _, err := solve.Run(context.Background(), g, g.Start(), solve.Options{Limit: -1}); err == nil {
		t.Error("a limit below 0 is accepted")
	}
}
