package strong

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
)

// TestAgainstRules plays solved games at random by the move generator of the rules and compares the
// value of every position with the values after its moves.
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
					if err := consistent(s, v, d, true, value); err != nil {
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

// consistent checks that the value and distance of a position follow from the values and distances
// after its moves, or from its result if it is over. value returns the claimed value of a position
// for its mover. The state comes back unchanged. Without distances only values are compared.
//
// If this holds for every position, all values are right: wins and losses by induction on the
// distance; draws because neither player has a move from a drawn position to a won one. Values
// alone would not do: they can support each other in a cycle.
func consistent(s game.State, v game.Value, d int, distances bool, value func(game.State) (game.Value, int)) error {
	wrong := func(want game.Value, in int) error {
		return fmt.Errorf("%s: %v in %d, want %v in %d", s, v, d, want, in)
	}
	if r := s.Result(); r != game.Ongoing {
		want := game.Draw
		if winner, ok := r.Winner(); ok {
			if want = game.Loss; winner == s.Seat() {
				want = game.Win
			}
		}
		if v != want || distances && d != 0 {
			return wrong(want, 0)
		}
		return nil
	}
	want, in := game.Loss, 0
	for _, m := range s.Moves(nil) {
		s.Make(m)
		next, n := value(s)
		s.Unmake()
		switch next = next.Negate(); {
		case next == game.Unknown:
			return fmt.Errorf("%s: move %s leads to a position without a value", s, s.MoveString(m))
		case next > want:
			want, in = next, n+1
		case next == want && next == game.Win:
			in = min(in, n+1)
		case next == want && next == game.Loss:
			in = max(in, n+1)
		}
	}
	if want == game.Draw {
		in = 0
	}
	if v != want || distances && d != in {
		return wrong(want, in)
	}
	return nil
}
