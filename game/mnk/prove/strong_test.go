package prove

import (
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/solve/retro"
)

// solved returns the value and distance of the positions of a small board, for the side to
// move, from its complete solution.
func solved(t *testing.T, g *mnk.Game) func(s game.State) (game.Value, int) {
	t.Helper()
	all, err := retro.Solve(t.Context(), g, retro.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(all.Close)
	return func(s game.State) (game.Value, int) {
		v, plies, ok := all.Value(s)
		if !ok {
			t.Fatalf("%s: %s has no value", g.ID(), s)
		}
		return v, plies
	}
}
