package solve_test

import (
	"context"
	"fmt"
	"log"

	"perfectplay/game/halma"
	"perfectplay/solve"
)

// Search the start of a small game of Chinese Checkers for two: the winner, the distance, the
// moves.
func ExampleRun() {
	g, err := halma.ByID("halma-star13-2p", "base")
	if err != nil {
		log.Fatal(err)
	}
	report, err := solve.Run(context.Background(), g, g.Start(), solve.Options{Limit: 12, Scope: solve.WholeOnly})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v in %d plies, by %s\n", report.Whole.Value, report.Whole.Distance, report.Whole.Name)
	fmt.Println(report.Line)
	// Output:
	// win in 9 plies, by a1-b2
	// [a1-b2 e1-d2 b2-c1 d2-d3 c1-d2 d3-e1 d2-d3 e1-d2 d3-e1]
}

// Search from a position reached by play, and list the value of each move for its maker.
func ExampleRun_openings() {
	g, err := halma.ByID("halma-star13-2p", "base")
	if err != nil {
		log.Fatal(err)
	}
	s := g.Start()
	for _, text := range []string{"a1-b2", "e1-d2"} {
		m, err := s.ParseMove(text)
		if err != nil {
			log.Fatal(err)
		}
		s.Make(m)
	}
	report, err := solve.Run(context.Background(), g, s, solve.Options{Limit: 12, Scope: solve.OpeningsOnly})
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range report.Openings {
		fmt.Printf("%s: %v in %d\n", o.Name, o.Value, o.Distance)
	}
	// Output:
	// b2-c1: win in 7
	// b2-c2: loss in 4
	// b2-b1: loss in 8
	// b2-b3: loss in 6
	// b2-a1: loss in 8
}
