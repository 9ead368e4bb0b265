package game_test

import (
	"fmt"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// Any game is played by the same calls. This counts the ways to play some plies.
func Example() {
	g, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		panic(err)
	}
	var count func(s game.State, plies int) int
	count = func(s game.State, plies int) (ways int) {
		if plies == 0 {
			return 1
		}
		for _, m := range s.Moves(nil) {
			s.Make(m)
			ways += count(s, plies-1)
			s.Unmake()
		}
		return ways
	}
	s := g.Start()
	for plies := range 7 {
		fmt.Print(count(s, plies), " ")
	}
	// Output: 1 9 72 504 3024 15120 54720
}
