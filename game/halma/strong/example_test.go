package strong_test

import (
	"context"
	"fmt"

	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
)

// Solve a small board for all its positions, and look up the positions after each opening move.
func Example() {
	g, err := halma.ByID("halma-3x3p3", "sturtevant")
	if err != nil {
		panic(err)
	}
	spec, err := g.TwoArmy()
	if err != nil {
		panic(err)
	}
	solution, err := strong.Solve(context.Background(), spec, strong.Options{Distances: true})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%+v\n", solution.Counts())
	s := g.Start()
	value, plies := solution.Value(halma.Sides(g, s))
	fmt.Println("start:", value, "in", plies)
	for _, m := range s.Moves(nil) {
		name := s.MoveString(m)
		s.Make(m)
		// From the side of the player to move after the opening.
		value, plies := solution.Value(halma.Sides(g, s))
		s.Unmake()
		fmt.Printf("%s: %v in %d\n", name, value.Negate(), plies+1)
	}
	// Output:
	// {Wins:720 Losses:580 Draws:0 Illegal:380}
	// start: win in 7
	// b1-c1: win in 7
	// b1-c2: loss in 2
	// b2-c2: loss in 2
	// b2-c3: win in 7
	// a1-c1: loss in 2
	// a1-c3: loss in 2
}
