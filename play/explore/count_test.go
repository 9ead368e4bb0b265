package explore

import (
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/mnk"
	"perfectplay/solve/retro"
)

// TestCounted: as many positions are counted as the solver finds, not one less and not one more.
func TestCounted(t *testing.T) {
	m, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		t.Fatal(err)
	}
	always := func() bool { return true }
	if n, ok := counted(m, 765, always); n != 765 || !ok { // of tic-tac-toe up to symmetry
		t.Errorf("%d positions of three in a row, %v, want 765", n, ok)
	}
	if _, ok := counted(m, 764, always); ok {
		t.Error("more positions than allowed")
	}
	if _, ok := counted(m, 765, func() bool { return false }); ok {
		t.Error("it does not end when it should")
	}
	// Play may go on for ever here.
	h, err := halma.ByID("halma-4x4p1", "sturtevant")
	if err != nil {
		t.Fatal(err)
	}
	all, err := retro.Solve(t.Context(), onlyKeys{h}, retro.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	if n, ok := counted(h, 1<<20, always); !ok || n != int(all.Positions()) {
		t.Errorf("%s: %d positions, the solver finds %d", h.ID(), n, all.Positions())
	}
}

// onlyKeys hides that a game numbers its positions.
type onlyKeys struct{ game.Game }
