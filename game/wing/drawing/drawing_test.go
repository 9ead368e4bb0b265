package drawing

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"perfectplay/game/wing"
)

// elements counts the elements of a drawing by name, and fails unless it is well-formed
// XML.
func elements(t *testing.T, drawing []byte) map[string]int {
	t.Helper()
	n := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(string(drawing))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatalf("%v: %s", err, drawing)
		}
		if e, ok := token.(xml.StartElement); ok {
			n[e.Name.Local]++
		}
	}
}

// A triangle of holes, a row of squares, and a table.
var (
	triangle = wing.Board{
		Width: 3, Height: 2, Seats: []wing.Seat{{Name: "1", Home: []int{0}}, {Name: "2", Home: []int{2}}},
		Cells: []wing.Cell{{Name: "b1", X: 1.5, Y: 0.5, Near: []int{1, 2}}, {Name: "a1", X: 0.5, Y: 1.5, Near: []int{2}}, {Name: "a2", X: 2.5, Y: 1.5}},
	}
	squares = wing.Board{
		Squares: true, Width: 3, Height: 1, Seats: []wing.Seat{{Name: "x", Sign: wing.Cross}, {Name: "o", Sign: wing.Ring}},
		Cells: []wing.Cell{{Name: "a1", X: 0.5, Y: 0.5}, {Name: "b1", X: 1.5, Y: 0.5}, {Name: "c1", X: 2.5, Y: 0.5}},
	}
	row = wing.Board{Tiles: []string{"0|0"}, Seats: []wing.Seat{{Name: "starter"}, {Name: "second"}}}
)

var seven = 7

// TestSVG counts the elements on each kind of board: holes, pieces, names, tiles, arrows,
// signs and the lines of the legend.
func TestSVG(t *testing.T) {
	for name, c := range map[string]struct {
		board   wing.Board
		picture wing.Picture
		moves   []Move
		want    map[string]int
	}{
		"empty holes": {triangle, wing.Picture{Pieces: []int{-1, -1, -1}}, nil, map[string]int{"rect": 1, "circle": 3, "text": 3, "path": 3}},
		"pieces":      {triangle, wing.Picture{Pieces: []int{0, -1, 1}}, nil, map[string]int{"rect": 1, "circle": 5, "text": 3, "path": 3}},
		"won":         {triangle, wing.Picture{Pieces: []int{0, -1, 1}, Won: []int{0}}, nil, map[string]int{"rect": 1, "circle": 6, "text": 3, "path": 3}},
		// An arrow has two paths and a sign; two values make two lines.
		"arrows": {triangle, wing.Picture{Pieces: []int{0, -1, 1}}, []Move{
			{Trace: wing.Trace{Path: []int{0, 1}}, Value: "win", Distance: &seven}, {Trace: wing.Trace{Path: []int{0, 1, 2}}, Value: "loss"}, {Value: "loss"},
		}, map[string]int{"rect": 1, "circle": 9, "text": 9, "path": 7}},
		"squares": {squares, wing.Picture{Pieces: []int{0, 1, -1}}, nil, map[string]int{"rect": 4, "path": 1, "circle": 1, "text": 1}},
		"signs":   {squares, wing.Picture{Pieces: []int{0, 1, -1}}, []Move{{Trace: wing.Trace{Path: []int{2}}, Value: "draw"}}, map[string]int{"rect": 4, "path": 1, "circle": 3, "text": 4}},
		"tiles": {row, wing.Picture{Hands: [][]string{{"0|1", "2|2"}, {"1|5"}}, Row: []string{"3|3"}, Ends: []int{3, 3}}, nil,
			map[string]int{"rect": 5, "path": 4, "text": 11}},
	} {
		got := elements(t, SVG(c.board, c.picture, `<"&>`, c.moves))
		for _, element := range []string{"circle", "rect", "path", "text"} {
			if got[element] != c.want[element] {
				t.Errorf("%s: %d of %s, want %d", name, got[element], element, c.want[element])
			}
		}
		if got["title"] != 1 {
			t.Errorf("%s: no title", name)
		}
	}
}

// TestSigns draws one move of each value.
func TestSigns(t *testing.T) {
	for value, want := range map[string]string{"win": ">+</text>", "draw": ">=</text>", "loss": ">−</text>", "open": ">?</text>"} {
		drawing := SVG(triangle, wing.Picture{Pieces: []int{0, -1, 1}}, "", []Move{{Trace: wing.Trace{Path: []int{0, 1}}, Value: value, Distance: &seven}})
		if got := strings.Count(string(drawing), want); got != 2 || !strings.Contains(string(drawing), "in 7 plies") {
			t.Errorf("%s: %d signs on the arrow and in the legend", value, got)
		}
	}
}
