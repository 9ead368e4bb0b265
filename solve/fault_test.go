package solve_test

import (
	"errors"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/solve"
)

// faulty is four in a row with a method that panics if the second player has cell 6.
type faulty struct {
	*mnk.Game
	in string
}

type faultyState struct {
	mnk.Position
	g faulty
}

func (g faulty) Start() game.State { return &faultyState{g.Game.Start().(mnk.Position), g} }

func (g faulty) Parse(text string) (game.State, error) {
	s, err := g.Game.Parse(text)
	if err != nil {
		return nil, err
	}
	return &faultyState{s.(mnk.Position), g}, nil
}

func (s *faultyState) Clone() game.State {
	return &faultyState{s.Position.Clone().(mnk.Position), s.g}
}

func (s *faultyState) Moves(buf []game.Move) []game.Move {
	if s.g.in == "Moves" && s.At(6) == 2 {
		panic("planted")
	}
	return s.Position.Moves(buf)
}

func (s *faultyState) Make(m game.Move) {
	if s.g.in == "Make" && s.At(6) == 2 {
		panic("planted")
	}
	s.Position.Make(m)
}

// TestPanic: a panic of a game ends its search with an error that names game, position and
// function; other searches continue.
func TestPanic(t *testing.T) {
	g, err := mnk.ByID("mnk-4x4k4")
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{"Moves", "Make"} {
		for _, algo := range []solve.Algo{solve.AlphaBeta, solve.Proof, solve.MaxN} {
			for _, threads := range []int{1, 4} {
				bad := faulty{g, in}
				_, err := solve.Run(t.Context(), bad, bad.Start(), solve.Options{Algo: algo, Limit: 6, Threads: threads, Memory: 4 << 20})
				var fault *game.Fault
				if !errors.As(err, &fault) || fault.Game != "mnk-4x4k4" || fault.Position == "" || fault.Value != "planted" {
					t.Errorf("%s, %v, %d threads: %v", in, algo, threads, err)
				}
				if r, err := solve.Run(t.Context(), g, g.Start(), solve.Options{Algo: algo, Limit: 2, Threads: threads, Memory: 4 << 20}); err != nil || r.Interrupted {
					t.Errorf("the next search: %v", err)
				}
			}
		}
	}
}
