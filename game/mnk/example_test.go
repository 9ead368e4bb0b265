package mnk_test

import (
	"fmt"

	"perfectplay/game/mnk"
)

// A position is read from text, and a move is made in it.
func Example() {
	g, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("xx1.oo1.3")
	if err != nil {
		panic(err)
	}
	m, err := s.ParseMove("c3")
	if err != nil {
		panic(err)
	}
	fmt.Println(len(s.Moves(nil)), "moves")
	s.Make(m)
	winner, over := s.Result().Winner()
	fmt.Println(s, over, g.SeatName(winner))
	// Output:
	// 5 moves
	// xxx.oo1.3 true x
}
