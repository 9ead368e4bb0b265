package domino_test

import (
	"fmt"

	"perfectplay/game/domino"
)

// A deal is read from text. The highest double decides who starts, and with which tile.
func ExampleParseDeal() {
	deal, swapped, err := domino.ParseDeal("00 11 02 13 24 35 46 / 66 55 01 12 23 34 45")
	if err != nil {
		panic(err)
	}
	fmt.Println("the second hand starts:", swapped)
	s := domino.New(deal).Start()
	for range 3 {
		m := s.Moves(nil)[0]
		fmt.Println(s.MoveString(m))
		s.Make(m)
	}
	// Output:
	// the second hand starts: true
	// 6|6
	// 4|6
	// 3|4-4
}
