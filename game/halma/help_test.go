package halma

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/game/gametest"
)

// TestAllies compares the chances found for allies with play of all moves, in games that lean
// towards the goals, and in positions where the next seat lacks one piece.
func TestAllies(t *testing.T) {
	var all gametest.AllyCounts
	for _, g := range variants(t) {
		if g.seats < 3 {
			continue
		}
		rng := rand.New(rand.NewPCG(uint64(g.board.Cells()), uint64(g.seats)))
		for range 3 {
			s := g.Start()
			for range rng.IntN(60) {
				if s.Result() != game.Ongoing {
					break
				}
				s.Make(leaning(s, rng))
				if rng.IntN(4) == 0 {
					s = askAllies(t, s, g, &all)
				}
			}
		}
		n := 10
		if g.board.Cells() < 40 { // on crowded boards the moves of other seats matter most
			n = 300
		}
		for range n {
			askAllies(t, g.kernel.newState(g, nearWin(g, rng)), g, &all)
		}
	}
	t.Logf("%+v", all)
	if all.Hopeless < 1000 || all.Left < 1000 || all.Listed < 1000 {
		t.Errorf("%+v: too few to say anything", all)
	}
}

func askAllies(t *testing.T, s game.State, g *Game, count *gametest.AllyCounts) game.State {
	t.Helper()
	if err := gametest.Allies(s.Clone(), g.seats, 3000, count); err != nil {
		t.Fatalf("%s %s: %v", g.ID(), g.Rules(), err)
	}
	return s
}

// leaning returns a random move, mostly a move that gains most.
func leaning(s game.State, rng *rand.Rand) game.Move {
	moves := s.Moves(nil)
	if rng.IntN(4) == 0 {
		return moves[rng.IntN(len(moves))]
	}
	o := s.(game.Orderer)
	slices.SortFunc(moves, func(a, b game.Move) int { return int(o.Gain(b) - o.Gain(a)) })
	return moves[rng.IntN(min(3, len(moves)))]
}
