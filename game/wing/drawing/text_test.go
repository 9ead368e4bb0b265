package drawing

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"perfectplay/game/wing"
)

// rhombus has three rows: of one hole, of two holes and of one hole.
var rhombus = wing.Board{
	Width: 2, Height: 3, Seats: []wing.Seat{{Name: "1"}, {Name: "white"}},
	Cells: []wing.Cell{{Name: "c1", X: 1, Y: 0.5}, {Name: "b1", X: 0.5, Y: 1.37}, {Name: "b2", X: 1.5, Y: 1.37}, {Name: "a1", X: 1, Y: 2.23}},
}

// TestText compares drawings line by line.
func TestText(t *testing.T) {
	holes := wing.Picture{Pieces: []int{0, -1, -1, 1}}
	deal := wing.Picture{Hands: [][]string{{"2|5"}, {"?|?", "0|0"}}, Ends: []int{3, 6}}
	for name, c := range map[string]struct {
		board    wing.Board
		picture  wing.Picture
		seat     int
		terminal Terminal
		want     string
	}{
		"holes":      {rhombus, holes, 0, Terminal{}, "c   1|b  · ·|a   2|"},
		"names":      {rhombus, holes, 0, Terminal{Names: true}, "c     1|b  b1  b2|a     2|"},
		"last":       {rhombus, holes, 0, Terminal{Last: []int{1, 2, 0}}, "c  [1]|b (·(·)|a   2|"},
		"last, far":  {rhombus, holes, 0, Terminal{Last: []int{2, 3}, Names: true}, "c     1|b  b1 (b2)|a    [2]|"},
		"narrow":     {rhombus, holes, 0, Terminal{Width: 6, Names: true}, "c   1|b  · ·|a   2|"},
		"too narrow": {rhombus, holes, 0, Terminal{Width: 5}, ""},
		"squares":    {squares, wing.Picture{Pieces: []int{0, 1, -1}}, 0, Terminal{Last: []int{1}}, " 1  x[o]·|    a b c|"},
		"dense":      {squares, wing.Picture{Pieces: []int{0, 1, -1}}, 0, Terminal{Last: []int{1}, Width: 7}, " 1  xo·|    abc|"},
		"no room":    {squares, wing.Picture{Pieces: []int{0, 1, -1}}, 0, Terminal{Width: 6}, ""},
		"kinds":      {squares, wing.Picture{Pieces: []int{0, 1, -1}, Kinds: []string{"K", "p2", ""}}, 0, Terminal{Last: []int{1}}, " 1   K [p2]  ·|     a   b   c|"},
		"unknown":    {wing.Board{}, wing.Picture{}, 0, Terminal{}, ""},
		"tiles": {wing.Board{Tiles: []string{"2|5"}, Seats: []wing.Seat{{Name: "starter"}, {Name: "second"}}}, deal, 0, Terminal{},
			"starter, to move|╭───┬───╮|│●  │● ●│|│   │ ● │|│  ●│● ●│|╰───┴───╯|the row: 3 … 6|" +
				"second|╭───┬───╮╭───┬───╮|│   │   ││   │   │|│ ? │ ? ││   │   │|" +
				"│   │   ││   │   │|╰───┴───╯╰───┴───╯|"},
		"tiles, narrow": {wing.Board{Tiles: []string{"2|5"}, Seats: []wing.Seat{{Name: "a"}, {Name: "b"}}}, wing.Picture{Hands: [][]string{{"0|0", "0|0"}, nil}}, -1,
			Terminal{Width: 12}, "a|" + strings.Repeat("╭───┬───╮|│   │   │|│   │   │|│   │   │|╰───┴───╯|", 2) + "the row is empty|b|"},
	} {
		if got := strings.ReplaceAll(Text(c.board, c.picture, c.seat, c.terminal), "\n", "|"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// TestTextColours: colours add to a picture and change nothing in it.
func TestTextColours(t *testing.T) {
	p := wing.Picture{Pieces: []int{0, -1, -1, 1}}
	for _, names := range []bool{false, true} {
		painted := 0
		paint := func(seat int, text string) string {
			painted++
			return "<" + text + ">"
		}
		plain := Text(rhombus, p, 0, Terminal{Names: names, Last: []int{2, 0}})
		got := Text(rhombus, p, 0, Terminal{Names: names, Last: []int{2, 0}, Paint: paint})
		if want := map[bool]int{false: 2, true: 4}[names]; strings.NewReplacer("<", "", ">", "").Replace(got) != plain || painted != want {
			t.Errorf("%d painted, want %d, in\n%s", painted, want, got)
		}
	}
}

// TestNoGrid: the cells of a ring and of a line, all named k and a number, are no grid; rows and
// columns of squares are.
func TestNoGrid(t *testing.T) {
	var ring wing.Board
	for i := range 9 {
		at := 2 * math.Pi * float64(i) / 9
		ring.Cells = append(ring.Cells, wing.Cell{Name: fmt.Sprintf("k%d", i+1), X: 3 + 2.5*math.Sin(at), Y: 3 - 2.5*math.Cos(at)})
	}
	ring.Width, ring.Height, ring.Seats = 6, 6, make([]wing.Seat, 2)
	p := wing.Picture{Pieces: slices.Repeat([]int{-1}, 9)}
	if text := Text(ring, p, 0, Terminal{}); strings.Contains(text, "k") {
		t.Errorf("a ring:\n%s", text)
	}
	squares := ring
	squares.Squares, squares.Cells = true, nil
	for i := range 9 {
		squares.Cells = append(squares.Cells, wing.Cell{Name: string(rune('a'+i%3)) + string(rune('3'-i/3)), X: float64(i%3) + 0.5, Y: float64(i/3) + 0.5})
	}
	if text := Text(squares, p, 0, Terminal{}); !strings.Contains(text, "a b c") || !strings.Contains(text, " 3 ") {
		t.Errorf("squares:\n%s", text)
	}
}
