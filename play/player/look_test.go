package player

import (
	"context"
	"errors"
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/play/explore"
)

// TestLook: outlooks of every kind of game name legal moves, best first, and a legal line; they
// come at once, grow deeper, and stop when nobody listens. Obvious wins and threats come first.
func TestLook(t *testing.T) {
	s := must(service())(t)
	for _, c := range []struct {
		id, position string
		moves        []string
		race         bool
		limit        int
		best         string // the first move wanted
		threat       string
	}{
		{id: "halma-star121-2p", race: true, limit: 2},
		{id: "halma-star121-6p", race: true},
		{id: "halma-star121-1p", race: true, limit: 2},
		{id: "halma-star37-2p", position: "_.11.___1___.______._____.__2___._______.22._-1", race: true, limit: 3},
		{id: "mnk-15x15k5", limit: 2},
		{id: "mnk-15x15k5", moves: []string{"h8", "a1", "h9", "a3", "h10", "a5"}, limit: 2, threat: "x wins by threats"},
		{id: "mnk-15x15k5", moves: []string{"h8", "a1", "h9", "a3", "h10", "a5", "h11"}, limit: 2, threat: "x completes a line"},
		{id: "mnk-15x15k5", moves: []string{"h8", "a1", "h9", "a3", "h10", "a5", "h11", "h7"}, limit: 2, best: "h12", threat: "x completes a line"},
		{id: "mnk-15x15k5", moves: []string{"h8", "a1", "h9", "a3", "h10"}, limit: 2, threat: "x threatens to win"},
	} {
		q := explore.Query{Game: c.id, Position: "start", Moves: c.moves, Limit: c.limit}
		if c.position != "" {
			q.Position = c.position
		}
		if c.limit == 0 {
			q.Seconds = 0.3
		}
		course := must(s.Course(q))(t)
		g, at := course.Game, course.State
		var last *Outlook
		n, depth := 0, 0
		err := Look(t.Context(), s, q, 2, func(o *Outlook) error {
			if n++; o.Depth < depth {
				t.Errorf("%s: depth %d after %d", c.id, o.Depth, depth)
			}
			last, depth = o, o.Depth
			return nil
		})
		if err != nil || last == nil {
			t.Fatalf("%s: %d reports, %v", c.id, n, err)
		}
		if len(last.Seats) != g.Seats() || len(last.Moves) == 0 || len(last.Line) == 0 || last.Line[0] != last.Moves[0].Move {
			t.Fatalf("%s: %+v", c.id, last)
		}
		sum := 0.0
		for _, e := range last.Seats {
			sum += e.Share
			if e.Share < 0 || e.Share > 1 || (e.Turns != nil) != c.race {
				t.Errorf("%s: seat %+v", c.id, e)
			}
		}
		if g.Seats() > 1 && (sum < 0.99 || sum > 1.01) {
			t.Errorf("%s: the shares add up to %v", c.id, sum)
		}
		legal := at.Moves(nil)
		for i, m := range last.Moves {
			move, err := at.ParseMove(m.Move)
			if err != nil || !slices.Contains(legal, move) {
				t.Errorf("%s: %s: %v", c.id, m.Move, err)
			}
			if i > 0 && g.Seats() == 2 && m.Share > last.Moves[i-1].Share {
				t.Errorf("%s: %s comes after a worse move", c.id, m.Move)
			}
		}
		for _, text := range last.Line {
			m, err := at.ParseMove(text)
			if err != nil || at.Result() != game.Ongoing {
				t.Fatalf("%s: line %v: %s: %v", c.id, last.Line, text, err)
			}
			at.Make(m)
		}
		if c.best != "" && last.Moves[0].Move != c.best {
			t.Errorf("%s: %s comes first, want %s", c.id, last.Moves[0].Move, c.best)
		}
		threat := ""
		if len(last.Threats) > 0 {
			threat = last.Threats[0].Seat + " " + last.Threats[0].Text
		}
		if threat != c.threat {
			t.Errorf("%s after %v: threat %q, want %q", c.id, c.moves, threat, c.threat)
		}
	}
	enough := errors.New("enough")
	n := 0
	err := Look(t.Context(), s, explore.Query{Game: "halma-star121-2p", Position: "start", Seconds: 60}, 2, func(*Outlook) error { n++; return enough })
	if !errors.Is(err, enough) || n != 1 {
		t.Errorf("%d reports, then %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, id := range []string{"halma-star121-6p", "halma-star121-2p", "mnk-19x19k5"} {
		nodes := int64(0)
		err := Look(ctx, s, explore.Query{Game: id, Position: "start", Seconds: 60}, 2, func(o *Outlook) error { nodes = o.Nodes; return nil })
		if err != nil || nodes > 10_000 {
			t.Errorf("%s: when nobody waits any more %d positions are visited, %v", id, nodes, err)
		}
	}
	if err := Look(t.Context(), s, explore.Query{Game: "mnk-3x3k3", Position: "xxx.oo1.3"}, 1, func(*Outlook) error { t.Error("a finished game has an outlook"); return nil }); err != nil {
		t.Error(err)
	}
}
