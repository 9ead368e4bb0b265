package strong

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/solve"
	"perfectplay/solve/retro"
)

var positions = flag.Int("positions", 60, "positions for each rule set that bounded search must agree on")

// TestSearchAgrees compares bounded search on the star of 37 holes with the
// exact solution: at every opening, and at random positions of play.
func TestSearchAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, rules := range []string{"base", "house", "house-code"} {
		t.Run("rules="+rules, func(t *testing.T) {
			g, err := halma.ByID("halma-star37-2p", rules)
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
			random := rand.New(rand.NewPCG(5, uint64(len(rules))))
			decided := 0
			for n := 0; n < *positions; {
				s := g.Start()
				for range random.IntN(60) {
					if s.Result() != game.Ongoing {
						break
					}
					// Moves forward half of the time, so that games come to an end.
					moves := s.Moves(nil)
					m := moves[random.IntN(len(moves))]
					if o, ok := s.(game.Orderer); ok && random.IntN(2) == 0 {
						for _, other := range moves {
							if o.Gain(other) > o.Gain(m) {
								m = other
							}
						}
					}
					s.Make(m)
				}
				if s.Result() != game.Ongoing {
					continue
				}
				n++
				limit := 1 + random.IntN(6)
				mover, other := Sides(g, s)
				want, in := solved.Value(mover, other)
				if in > limit {
					want, in = game.Draw, 0
				}
				report, err := solve.Run(context.Background(), g, s.Clone(), solve.Options{Limit: limit, Scope: solve.WholeOnly, Threads: 1, Memory: 1 << 20, NoLine: true})
				if err != nil {
					t.Fatal(err)
				}
				if got := report.Whole.Record; got.Result != want.String() || got.Distance != in {
					t.Fatalf("%s within %d plies: search %s in %d, exact %v in %d", s, limit, got.Result, got.Distance, want, in)
				}
				if want != game.Draw {
					decided++
				}
			}
			if decided < *positions/10 {
				t.Errorf("only %d of %d positions were decided within the limit", decided, *positions)
			}
		})
	}
}
