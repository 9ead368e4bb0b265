package player

import (
	"errors"
	"slices"
	"testing"

	"perfectplay/play/explore"
)

// TestPlay: a move by a query, and wrong queries.
func TestPlay(t *testing.T) {
	s := must(service())(t)
	p, err := Play(t.Context(), s, "perfect", explore.Query{Game: "halma-star13-2p", Position: "start", Moves: []string{"a1-b2", "e1-d2"}}, 1, 1)
	if err != nil || p.Move != "b2-c1" || p.Seat != "1" || p.Note != "win in 7" || p.After == p.Position || p.Level != "perfect" {
		t.Errorf("%+v, %v", p, err)
	}
	seen := map[string]bool{}
	for seed := range uint64(40) {
		p, err := Play(t.Context(), s, "random", explore.Query{Game: "mnk-3x3k3", Position: "start"}, seed, 1)
		if err != nil {
			t.Fatal(err)
		}
		seen[p.Move] = true
	}
	if len(seen) < 7 {
		t.Errorf("random plays %v", seen)
	}
	for _, c := range []struct {
		level string
		q     explore.Query
		fault explore.Fault
	}{
		{"best", explore.Query{Game: "mnk-3x3k3", Position: "start"}, BadLevel},
		{"random", explore.Query{Game: "chess", Position: "start"}, explore.BadGame},
		{"random", explore.Query{Game: "mnk-3x3k3", Position: "xxx.oo1.3"}, explore.BadPosition},
		{"random", explore.Query{Game: "mnk-3x3k3", Position: "start", Moves: []string{"d4"}}, explore.BadMove},
		{"random", explore.Query{Game: "halma-star37-2p", Position: "start", Moves: slices.Repeat([]string{"b1-c3", "h1-g4", "c3-b1", "g4-h1"}, 2)}, explore.BadPosition},
	} {
		_, err := Play(t.Context(), s, c.level, c.q, 0, 1)
		var bad *explore.Error
		if !errors.As(err, &bad) || bad.Fault != c.fault {
			t.Errorf("%s %+v: %v", c.level, c.q, err)
		}
	}
}
