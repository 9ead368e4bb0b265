package explore

import (
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/mnk"
	"perfectplay/game/wing"
	"perfectplay/solve/retro"
)

// TestCounted: counted finds exactly the number of positions that the solver finds.
func TestCounted(t *testing.T) {
	m, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		t.Fatal(err)
	}
	always := func() bool { return true }
	if n, ok := counted(m, 765, always); n != 765 || !ok { // positions of tic-tac-toe up to symmetry
		t.Errorf("%d positions of three in a row, %v, want 765", n, ok)
	}
	if _, ok := counted(m, 764, always); ok {
		t.Error("more positions than allowed")
	}
	if _, ok := counted(m, 765, func() bool { return false }); ok {
		t.Error("it does not end when it should")
	}
	// Play may be endless here.
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

// TestUncounted: a game with keys alone and too many positions to count is not called solved,
// and a search answers questions about it.
func TestUncounted(t *testing.T) {
	if testing.Short() {
		t.Skip("counts for a second; not with -short")
	}
	w := wing.Wing{Name: "halma", IDs: func() []string { return []string{"halma-5x5p4"} }, Open: func(id, rules string) (game.Game, error) {
		h, err := halma.ByID(id, "sturtevant")
		return onlyKeys{h}, err
	}}
	s, err := New(Options{Wings: []wing.Wing{w}, Threads: 1, Nodes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a, err := s.Ask(t.Context(), Query{Game: "halma-5x5p4", Position: "start"})
	if err != nil || a.Final || a.Value != Value("open") || a.Source.Kind != wing.BySearch || a.NotWithin == nil || *a.NotWithin == 0 {
		t.Errorf("%+v, %v", a, err)
	}
	g, err := s.Game("halma-5x5p4", "")
	if err != nil || g.Solved || g.Source.Kind != wing.BySearch {
		t.Errorf("%+v, %v", g, err)
	}
}

// onlyKeys hides that a game numbers its positions.
type onlyKeys struct{ game.Game }
