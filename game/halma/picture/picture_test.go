package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
)

// elements counts the elements of a drawing by name, and fails on what is no
// well-formed XML.
func elements(t *testing.T, drawing []byte) map[string]int {
	t.Helper()
	n := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(string(drawing))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			n[e.Name.Local]++
		}
	}
}

// TestSVG draws the start of every kind of board with all its moves: a circle
// and a text for each hole, each arrow and each line of the legend, whose lines
// have a text more.
func TestSVG(t *testing.T) {
	for _, id := range []string{"halma-star13-2p", "halma-star37-6p", "halma-star121-3p", "halma-4x4p3", "halma-7x7p6"} {
		g, err := halma.ByID(id, "base")
		if err != nil {
			t.Fatal(err)
		}
		s := g.Start()
		var moves []Move
		for _, m := range s.Moves(nil) {
			moves = append(moves, Move{Text: s.MoveString(m), Value: game.Draw})
		}
		drawing, err := SVG(g.Board(), s.String(), append(moves, Move{Text: "pass"}))
		if err != nil {
			t.Fatal(err)
		}
		edges := 0
		for c := range g.Board().Cells() {
			for d := range halma.Dir(halma.Dirs) {
				if g.Board().Next(c, d) > c {
					edges++
				}
			}
		}
		n := elements(t, drawing)
		// The pass has a line in the legend and no arrow.
		if want := g.Board().Cells() + len(moves) + 2; n["circle"] != want || n["text"] != want+2 || n["path"] != edges+2*len(moves) {
			t.Errorf("%s: %d circles and %d texts for %d holes, arrows and lines; %d paths for %d edges and %d moves",
				id, n["circle"], n["text"], want, n["path"], edges, len(moves))
		}
		if pieces := strings.Count(string(drawing), `>1</text>`); pieces != g.Board().Pieces() {
			t.Errorf("%s: %d pieces of seat 1, want %d", id, pieces, g.Board().Pieces())
		}
	}
}

// TestSigns draws one move of each value.
func TestSigns(t *testing.T) {
	b, err := halma.Star(2)
	if err != nil {
		t.Fatal(err)
	}
	position := "2.22._______.______._____.______._______.11.1-1"
	for value, want := range map[game.Value]string{game.Win: ">+</text>", game.Draw: ">=</text>", game.Loss: ">−</text>", game.Unknown: ">?</text>"} {
		drawing, err := SVG(b, position, []Move{{Text: "b1-c4", Value: value, Distance: 7}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(drawing), want); got != 2 || !strings.Contains(string(drawing), "in 7 plies") {
			t.Errorf("%v: %d signs on the arrow and in the legend", value, got)
		}
	}
	if _, err := SVG(b, "1.11-1", nil); err == nil {
		t.Error("a position of another board is drawn")
	}
}
