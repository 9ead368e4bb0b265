package main

import (
	"context"
	"flag"
	"testing"

	"perfectplay/game"
	"perfectplay/game/gametest"
	"perfectplay/solve/retro"
)

func TestConformance(t *testing.T) {
	gametest.Run(t, rules{})
	gametest.Wing(t, teeko())
}

var whole = flag.Bool("whole", false, "solve the whole game")

// TestSolution: the game is a draw. Print gives 75,710,250 positions with all pieces down,
// including positions already won by the player to move.
func TestSolution(t *testing.T) {
	if n := first[full+1] - first[full]; n != 75_710_250 {
		t.Errorf("%d positions with all pieces down", n)
	}
	wins := 0
	for _, set := range sets[4] {
		if (&state{stones: [2]uint64{set}}).has(0) {
			wins++
		}
	}
	if wins != 44 {
		t.Errorf("%d sets of four win, printed are 44", wins)
	}
	if !*whole {
		t.Skip("solves Teeko and looks at every position, for minutes; with -whole")
	}
	s, err := retro.Solve(context.Background(), rules{}, retro.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v, _, _ := s.Value(rules{}.Start()); v != game.Draw || s.Positions() != 96_428_136 {
		t.Errorf("%v with %d positions", v, s.Positions())
	}
	c, err := s.Mover(context.Background())
	t.Logf("%+v %v", c, err)
}
