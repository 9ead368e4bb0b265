package halma_test

import (
	"fmt"

	"perfectplay/game/halma"
)

// Play two moves on the star of 37 holes and draw the board.
func Example() {
	g, err := halma.ByID("halma-star37-2p", "house")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := g.Start()
	fmt.Println(len(s.Moves(nil)), "moves")
	for _, text := range []string{"b1-c3", "h2-g5"} {
		m, err := s.ParseMove(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		s.Make(m)
	}
	fmt.Println(s)
	// Output:
	// 6 moves
	// 2.2_.____2__.______._____.______.__1____._1.1-1
}
