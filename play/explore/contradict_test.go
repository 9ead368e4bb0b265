package explore_test

import (
	"context"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/gametest/stranger"
	"perfectplay/game/wing"
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

// TestContradiction: a book calls the start a draw, but a move wins. The answer is an error.
func TestContradiction(t *testing.T) {
	s := newService(t, explore.Options{Book: falseBook{}})
	a, err := s.Ask(context.Background(), explore.Query{Game: "mnk-6x5k4", Position: "start"})
	if err == nil || !strings.Contains(err.Error(), "5.5.5.5.5.5 is a draw, and by its moves a win") {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestUnlikeKeys: in a stranger's game two positions share a key, and the solver refuses it. The
// answer comes from a search, and a warning names the positions.
func TestUnlikeKeys(t *testing.T) {
	h := stranger.Heap{Name: "alike", Stones: 21, Most: 3, Keys: true, KeyOf: func(left int) uint64 { return uint64(left / 2) }}
	var warned []string
	s := newService(t, explore.Options{Wings: []wing.Wing{stranger.Wing(h)}, Warn: func(err error) { warned = append(warned, err.Error()) }})
	const want = "cannot be solved completely, so a search answers: retro: heap-alike: positions "
	for range 2 {
		a, err := s.Ask(context.Background(), explore.Query{Game: "heap-alike", Position: "start"})
		if err != nil || !strings.Contains(a.Warning, want) || a.Source.Kind != wing.BySearch {
			t.Fatalf("%+v, %v", a, err)
		}
		if len(warned) == 0 || warned[len(warned)-1] != a.Warning {
			t.Fatalf("warned %q, want %q", warned, a.Warning)
		}
	}
}
