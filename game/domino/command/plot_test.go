package command

import (
	"os"
	"path/filepath"
	"testing"

	"perfectplay/game/domino"
	"perfectplay/game/domino/census"
)

// TestPlotLittle draws a part of the census that was interrupted before its
// first unit, and one that has met a single deal.
func TestPlotLittle(t *testing.T) {
	c, err := census.New(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := plotCensus(filepath.Join(dir, "none.svg"), "lines", c.Tally); err == nil {
		t.Error("no games are drawn")
	}
	files, _ := os.ReadDir(dir)
	if len(files) != 0 {
		t.Errorf("%d files without a game", len(files))
	}
	six := &c.Tally.ByDouble[6]
	six.Games, six.Leaves = 1, []int64{0, 1}
	six.Values[domino.MaxScore+5] = 1
	c.Tally.Hands[7][domino.Starter] = census.Role{Games: 1, Wins: 1, Score: 5, Leaves: 1}
	for _, list := range []string{"lines", "values", "hands"} {
		if err := plotCensus(filepath.Join(dir, list+".svg"), list, c.Tally); err != nil {
			t.Error(err)
		}
	}
	if files, _ = os.ReadDir(dir); len(files) != 3 {
		t.Errorf("%d files, want 3", len(files))
	}
}
