package solitaire_test

import (
	"context"
	"fmt"

	"perfectplay/game/halma"
	"perfectplay/game/halma/solitaire"
)

// The shortest way of three pieces alone across the star of 37 holes.
func Example() {
	g, err := halma.ByID("halma-star37-2p", "base")
	if err != nil {
		panic(err)
	}
	spec, err := g.TwoArmy()
	if err != nil {
		panic(err)
	}
	c, err := solitaire.Cross(context.Background(), spec, solitaire.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println("no crossing in fewer than", c.Bound, "moves; one of", len(c.Moves), "begins")
	for _, m := range c.Moves[:3] {
		fmt.Printf("%s-%s\n", g.Board().CellName(m.From), g.Board().CellName(m.To))
	}
	// Output:
	// no crossing in fewer than 11 moves; one of 11 begins
	// a1-c3
	// b1-c4
	// b2-d3
}
