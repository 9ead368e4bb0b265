package explore

import (
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/mnk"
	"perfectplay/solve/retro"
)

// TestCountable: as many positions are counted as the solver finds, not one less and not one more.
func TestCountable(t *testing.T) {
	m, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for n = 1; !countable(m, n, func() bool { return true }); n++ {
	}
	if n != 765 { // of tic-tac-toe up to symmetry
		t.Errorf("%d positions of three in a row, want 765", n)
	}
	if countable(m, n, func() bool { return false }) {
		t.Error("it does not end when it should")
	}
	h, err := halma.ByID("halma-4x4p1", "sturtevant")
	if err != nil {
		t.Fatal(err)
	}
	all, err := retro.Solve(t.Context(), onlyKeys{h}, retro.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	is := int(all.Positions())
	if !countable(h, is, func() bool { return true }) || countable(h, is-1, func() bool { return true }) {
		t.Errorf("%s: the solver finds %d positions", h.ID(), is)
	}
}

// onlyKeys hides that a game numbers its positions.
type onlyKeys struct{ game.Game }
