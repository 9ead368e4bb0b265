package player

import (
	"slices"
	"strings"
	"testing"

	"perfectplay/game/mnk"
)

// play lets a chooser choose at a position given as text.
func play(t *testing.T, name string, g *mnk.Game, seed uint64, text string) string {
	t.Helper()
	s, err := g.Plain().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	th := &turn{ctx: t.Context(), limit: 5000}
	mustPlayer(t, name, g, seed).(*clocked).th.choose(th, s.(*mnk.Plain))
	return g.CellName(th.best.Load().cell)
}

// TestOneMove: everybody but the first levels completes a line before he blocks one, and
// blocks one before anything else.
func TestOneMove(t *testing.T) {
	for _, c := range []struct {
		m, n, k    int
		text, want string
	}{
		{5, 5, 4, "xxx2.ooo2.5.5.5", "d5"},
		{5, 5, 4, "xxxo1.ooo2.5.5.x4", "d4"},
		{5, 5, 4, "xxx2.oo3.5.5.5", "d5"},
		{3, 3, 3, "xx1.1o1.3", "c3"},
		{12, 12, 5, "12.12.12.12.2xxxx6.2oooo6.12.12.12.12.12.12", "b8 g8"},
	} {
		g := mustGame(t, c.m, c.n, c.k)
		for _, name := range []string{Strongest, "level-4"} {
			if got := play(t, name, g, 1, c.text); !slices.Contains(strings.Fields(c.want), got) {
				t.Errorf("%s at %s: %s, want %s", name, c.text, got, c.want)
			}
		}
	}
}

// TestSeeds: the first levels depend on nothing but the seed, and come by every cell.
func TestSeeds(t *testing.T) {
	g := mustGame(t, 4, 4, 4)
	for name, want := range map[string]int{"level-1": 16, "level-2": 16, "level-3": 1} {
		seen := map[string]bool{}
		for seed := range uint64(500) {
			c := play(t, name, g, seed, "4.4.4.4")
			if c != play(t, name, g, seed, "4.4.4.4") {
				t.Fatalf("%s: not the same cell with seed %d", name, seed)
			}
			seen[c] = true
		}
		if len(seen) != want {
			t.Errorf("%s: %d first moves, want %d: %v", name, len(seen), want, seen)
		}
	}
}
