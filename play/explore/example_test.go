package explore_test

import (
	"context"
	"fmt"
	"log"

	halma "perfectplay/game/halma/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
)

// The value of a position, and of every move in it, best first.
func ExampleService_Ask() {
	s, err := explore.New(explore.Options{Wings: []wing.Wing{halma.Wing()}})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	a, err := s.Ask(context.Background(), explore.Query{Game: "halma-star13-2p", Position: "start"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Text)
	for _, m := range a.Moves {
		fmt.Println(m.Move, m.Worth)
	}
	// Output:
	// 1 wins in 9 plies
	// a1-b2 win in 9
	// a1-b3 win in 9
}
