package retro

import (
	"context"
	"fmt"
	"testing"
)

// TestSolitaire checks what holds for every board: all placements are reached,
// and as far from home as from the goal.
func TestSolitaire(t *testing.T) {
	for n := 3; n <= 6; n++ {
		s, err := SolveSolitaire(context.Background(), diamond(n, 3), 1<<24)
		if err != nil {
			t.Fatal(err)
		}
		sum := uint64(0)
		for _, c := range s.Levels {
			sum += c
		}
		if sum != s.Placements || s.Shortest < 1 || s.Shortest >= len(s.Levels) {
			t.Errorf("%dx%d: %d of %d placements reached, %d moves to the goal: levels %v", n, n, sum, s.Placements, s.Shortest, s.Levels)
		}
	}
	if _, err := SolveSolitaire(context.Background(), diamond(5, 3), 100); err == nil {
		t.Error("a limit is not kept")
	}
}

// TestSolitaireByHand is a single piece: steps alone, since there is nobody to
// hop over.
func TestSolitaireByHand(t *testing.T) {
	s, err := SolveSolitaire(context.Background(), diamond(3, 1), 1000)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.Levels, s.Shortest); got != "[1 2 3 2 1] 4" {
		t.Errorf("levels %s, want [1 2 3 2 1] 4", got)
	}
}
