package strong

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/solve/retro"
)

var games = []struct{ id, rules string }{
	{"halma-star13-2p", "base"}, {"halma-star13-2p", "house"}, {"halma-star13-2p", "house-code"}, {"halma-star13-2p", "liou"},
	{"halma-3x3p1", "sturtevant"}, {"halma-3x3p2", "sturtevant"}, {"halma-3x3p3", "gamesman"}, {"halma-3x3p3", "sturtevant"},
	{"halma-4x4p2", "filled+stay-out"}, {"halma-4x4p3", "sturtevant"}, {"halma-4x4p4", "sturtevant"}, {"halma-4x4p4", "stay-in-goal"},
	{"halma-4x4p6", "sturtevant"}, {"halma-4x4p6", "sturtevant-2019-run"}, {"halma-4x4p6", "gamesman"}, {"halma-5x5p3", "gamesman"},
	{"halma-star37-2p", "base"}, {"halma-star37-2p", "house"}, {"halma-star37-2p", "house-code"}, {"halma-star37-2p", "liou"},
}

// TestAgainstRules plays solved games at random with the move generator of the
// rules and checks every position met against those its moves lead to.
func TestAgainstRules(t *testing.T) {
	for _, c := range games {
		t.Run("game="+c.id+",rules="+c.rules, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && c.id == "halma-star37-2p" {
				t.Skip("solving takes seconds; not with -short")
			}
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
			value := func(s game.State) (game.Value, int) {
				mover, other := Sides(g, s)
				return solved.Value(mover, other)
			}
			random := rand.New(rand.NewPCG(1, 2))
			met := map[game.Value]int{}
			for range 200 {
				s := g.Start()
				for range 60 {
					v, d := value(s)
					met[v]++
					if err := Consistent(s, v, d, true, value); err != nil {
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
		mover, other := Sides(g, s)
		if !slices.Equal(mover, []int{8}) || !slices.Equal(other, []int{0}) {
			t.Errorf("%s: mover %v other %v", s, mover, other)
		}
		s, err = g.Parse("2.__.___.__.1-2")
		if err != nil {
			t.Fatal(err)
		}
	}
}
