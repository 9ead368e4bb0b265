package explore_test

import (
	"context"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/play/explore"
	"perfectplay/solve"
)

// falseBook claims that nobody can win from the first position of every question.
type falseBook struct{ solve.Book }

// Look implements [explore.Book].
func (falseBook) Look(_ game.Game, _ int, states []game.State) ([]solve.Fact, []bool, error) {
	facts, known := make([]solve.Fact, len(states)), make([]bool, len(states))
	facts[0] = solve.Fact{WinBy: solve.Never, WinOver: solve.Never, LossBy: solve.Never, LossOver: solve.Never, Best: game.NoMove}
	known[0] = true
	return facts, known, nil
}

// TestContradiction: a book calls the start a draw, and a move wins. The answer is an error,
// not both.
func TestContradiction(t *testing.T) {
	s := newService(t, explore.Options{Book: falseBook{}})
	a, err := s.Ask(context.Background(), explore.Query{Game: "mnk-6x5k4", Position: "start"})
	if err == nil || !strings.Contains(err.Error(), "5.5.5.5.5.5 is a draw, and by its moves a win") {
		t.Errorf("%+v, %v", a, err)
	}
}
