package gametest

import (
	"fmt"
	"os"
	"testing"

	"perfectplay/game"
	"perfectplay/game/perft"
)

// RunPerft checks every line of a perft file whose count is at most nodes, as a
// subtest each. Lines above the budget are skipped and reported.
func RunPerft(t *testing.T, file string, nodes uint64, byID func(id, rules string) (game.Game, error)) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	lines, err := perft.Read(in)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for _, l := range lines {
		t.Run(fmt.Sprintf("%s/%s/line=%d/depth=%d", l.ID, l.Rules, l.Line, l.Depth), func(t *testing.T) {
			if l.Count > nodes {
				t.Skipf("%d leaves are above the budget of %d", l.Count, nodes)
			}
			s, err := l.Open(byID)
			if err != nil {
				t.Fatal(err)
			}
			if got := perft.Count(s, l.Depth); got != l.Count {
				t.Errorf("%s:%d: %d leaves, want %d (%s)", file, l.Line, got, l.Count, l.Source)
			}
		})
	}
}
