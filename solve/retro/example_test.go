package retro_test

import (
	"context"
	"fmt"

	"perfectplay/game/halma"
	"perfectplay/solve/retro"
)

// Three players, one piece each, on the star of 13 holes: nobody can force a win
// alone, and any two can force one against the third.
func Example() {
	g, err := halma.ByID("halma-star13-3p", "liou")
	if err != nil {
		panic(err)
	}
	s, err := retro.Solve(context.Background(), g, retro.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Positions(), "positions")
	for _, seats := range []uint8{0b001, 0b010, 0b100, 0b110, 0b101, 0b011} {
		value, plies, _ := s.Forced(g.Start(), seats)
		fmt.Printf("%03b: %v in %d\n", seats, value, plies)
	}
	// Output:
	// 1245 positions
	// 001: loss in 9
	// 010: loss in 9
	// 100: loss in 8
	// 110: win in 9
	// 101: win in 9
	// 011: win in 8
}
