package command

import (
	"bytes"
	"os"
	"testing"
)

// TestAtlasPage compares the committed page with what its rows make, its verdicts with
// print, and its counts with the numbers of positions.
func TestAtlasPage(t *testing.T) {
	const dir = "../../../docs/"
	list, err := atlasBoards()
	if err != nil {
		t.Fatal(err)
	}
	if err := readAtlas(dir+"data/atlas.csv", list); err != nil {
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
	var got bytes.Buffer
	if err := writeAtlasPage(&got, list); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(dir + "atlas.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Error("docs/atlas.md is not what its rows make: lab atlas docs/data/atlas.csv halma-2x2p1 --page docs/atlas.md --plot docs/atlas.svg")
	}
}
