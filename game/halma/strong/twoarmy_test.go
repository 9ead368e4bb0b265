package strong

import (
	"context"
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/tablebase/verify"
)

// TestAgainstRules plays solved games at random with the move generator of the
// rules and checks every position met against those its moves lead to.
func TestAgainstRules(t *testing.T) {
	for _, c := range halmatest.Games() {
		t.Run("game="+c.ID+",rules="+c.Rules, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && c.ID == "halma-star37-2p" {
				t.Skip("solving takes seconds; not with -short")
			}
			g, spec := halmatest.Race(c.ID, c.Rules)
			solved, err := Solve(context.Background(), spec, Options{Distances: true})
			if err != nil {
				t.Fatal(err)
			}
			value := func(s game.State) (game.Value, int) {
				mover, other := halma.Sides(g, s)
				return solved.Value(mover, other)
			}
			random := rand.New(rand.NewPCG(1, 2))
			met := map[game.Value]int{}
			for range 200 {
				s := g.Start()
				for range 60 {
					v, d := value(s)
					met[v]++
					if err := verify.Consistent(s, v, d, true, value); err != nil {
						t.Fatal(err)
					}
					if s.Result() != game.Ongoing {
						break
					}
					moves := s.Moves(nil)
					s.Make(moves[random.IntN(len(moves))])
				}
			}
			if met[game.Unknown] > 0 {
				t.Errorf("%d positions met have no value", met[game.Unknown])
			}
		})
	}
}

func TestSides(t *testing.T) {
	g, err := halma.ByID("halma-3x3p1", "base")
	if err != nil {
		t.Fatal(err)
	}
	s := g.Start()
	for range 2 {
		mover, other := halma.Sides(g, s)
		if mover != bitboard.Cell128(8) || other != bitboard.Cell128(0) {
			t.Errorf("%s: mover %x other %x", s, mover, other)
		}
		s, err = g.Parse("2.__.___.__.1-2")
		if err != nil {
			t.Fatal(err)
		}
	}
}
