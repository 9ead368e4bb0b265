package command

import "testing"

// TestAtlas compares the verdicts of the committed atlas with print, and its counts with
// the numbers of positions.
func TestAtlas(t *testing.T) {
	list, err := atlasBoards()
	if err != nil {
		t.Fatal(err)
	}
	if err := readAtlas("../../../docs/data/atlas.csv", list); err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.Solved == atlasNothing {
			continue
		}
		said := r.Verdict
		if err := r.compare(); err != nil || r.Verdict != said {
			t.Errorf("%s under %s: %q, the file says %q (%v)", r.Game, r.Rules, r.Verdict, said, err)
		}
		if n := 2 * (*r.Wins + *r.Losses + *r.Draws + *r.Illegal); n != *r.Positions {
			t.Errorf("%s under %s: %d positions counted of %d", r.Game, r.Rules, n, *r.Positions)
		}
	}
}
