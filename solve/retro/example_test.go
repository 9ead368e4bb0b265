package retro_test

import (
	"context"
	"fmt"

	"perfectplay/game/halma"
	"perfectplay/game/mnk"
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

// All visits the positions of a solution, and Line plays one to its end.
func ExampleSolution_All() {
	g, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		panic(err)
	}
	s, err := retro.Solve(context.Background(), g, retro.Options{})
	if err != nil {
		panic(err)
	}
	longest := g.Start()
	for state := range s.All() {
		if len(s.Line(state)) > len(s.Line(longest)) {
			longest = state.Clone()
		}
	}
	value, plies, _ := s.Value(longest)
	fmt.Println(longest, value, "in", plies)
	for _, m := range s.Line(longest) {
		fmt.Println(longest.MoveString(m))
		longest.Make(m)
	}
	// Output:
	// o1x.3.3 win in 5
	// c2
	// c1
	// b2
	// b3
	// a2
}
