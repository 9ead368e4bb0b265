package exact_test

import (
	"context"
	"fmt"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
)

// A deal solved: its value for the starter, its number of lines of play, and perfect play.
func ExampleSolver() {
	d, _, err := domino.ParseDeal("66 16 24 26 33 34 36 / 00 01 02 03 05 06 15")
	if err != nil {
		panic(err)
	}
	s := exact.NewSolver()
	stats := s.Stats(d)
	fmt.Printf("value %d, %d lines, %d blocked\n", s.Value(d), stats.Leaves, stats.Blocked)
	for _, turn := range s.Line(d.Start())[:4] {
		fmt.Println(turn)
	}
	// Output:
	// value -19, 1673 lines, 264 blocked
	// 6|6
	// 0|6
	// 2|6-6
	// 0|1-0
}

// A hand against every hand that the other player may hold.
func ExampleStudy() {
	hand, err := domino.ParseHand("00 11 22 33 44 55 66")
	if err != nil {
		panic(err)
	}
	h, err := exact.Study(context.Background(), hand, 2, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d games, the owner wins %.2f %% of them\n", h.Games, h.WinPercent)
	// Output: 116280 games, the owner wins 28.91 % of them
}
