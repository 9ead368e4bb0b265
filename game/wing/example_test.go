package wing_test

import (
	"fmt"

	"perfectplay/game/mnk/oracle"
)

// A wing opens games by their ids and says what stands on which cell.
func Example() {
	w := oracle.Wing()
	g, err := w.Open("mnk-3x3k3", "")
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("x2.1o1.3")
	if err != nil {
		panic(err)
	}
	board := w.Board(g)
	for cell, seat := range w.Picture(g, s).Pieces {
		if seat >= 0 {
			fmt.Println(board.Cells[cell].Name, g.SeatName(seat))
		}
	}
	// Output:
	// a3 x
	// b2 o
}
