package explore_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
	"perfectplay/play/explore"
	"perfectplay/solve"
)

// agrees fails if value, moves and line of an answer are not one statement.
func agrees(t *testing.T, s explore.Explorer, a *explore.Answer) {
	t.Helper()
	bad := func(what string) {
		t.Helper()
		t.Fatalf("%s %s %s: %s: %s by %+v, line %v, moves %.300v", a.Game, a.Rules, a.Position, what, a.Worth, a.Source, a.Line, a.Moves)
	}
	c, err := s.Course(explore.Query{Game: a.Game, Rules: a.Rules, Position: a.Position})
	if err != nil {
		t.Fatal(err)
	}
	g, at := c.Game, c.State
	switch {
	case a.Over:
		return
	case a.Value == explore.Open && len(a.Line) > 0:
		bad("a line of an open position")
	case a.Value != explore.Open && (a.Moves[0].Value != a.Value || number(a.Moves[0].Distance) != number(a.Distance)):
		bad("the first move is worth another value")
	case a.Value != explore.Open && (a.Moves[0].Score == nil) != (a.Score == nil) || a.Score != nil && *a.Score != *a.Moves[0].Score:
		bad("the first move is worth other points")
	case a.Value != explore.Open && (len(a.Line) == 0 || a.Line[0] != a.Moves[0].Move):
		bad("the line begins with another move")
	}
	for _, m := range a.Moves {
		switch {
		case m.Value == explore.Win && a.Value != explore.Win, a.Value == explore.Loss && m.Value != explore.Loss, a.Value == explore.Draw && m.Value == explore.Win:
			bad(m.Move + " is worth more, or not known to be lost")
		case a.Score == nil && a.Value == explore.Win && m.Value == explore.Win && m.Distance != nil && a.Distance != nil && *m.Distance < *a.Distance:
			bad(m.Move + " wins sooner")
		}
	}
	for _, f := range a.Force {
		if f.Seat == a.Seat && (f.Value != a.Value || number(f.Distance) != number(a.Distance)) {
			bad("the seat can force something else")
		}
	}
	listed := map[string]bool{}
	for _, m := range a.Moves {
		listed[m.Move] = true
	}
	for _, m := range at.Moves(nil) {
		if !listed[at.MoveString(m)] || len(listed) != len(a.Moves) {
			bad("every legal move stands in the list once, not so " + at.MoveString(m))
		}
	}
	seat := at.Seat()
	for _, text := range a.Line {
		m, err := at.ParseMove(text)
		if err != nil {
			bad(err.Error())
		}
		at.Make(m)
	}
	if winner, over := at.Result().Winner(); over && g.Seats() == 2 {
		if is := map[bool]explore.Value{true: explore.Win, false: explore.Loss}[winner == seat]; is != a.Value {
			bad("the line ends otherwise")
		}
	}
}

// TestStatement: value, moves and line are one statement in every report, however early a
// question ends: within few nodes, at a limit, or with the first fact.
func TestStatement(t *testing.T) {
	s := newService(t, explore.Options{Threads: 2, Nodes: 1 << 11})
	rng := rand.New(rand.NewPCG(8, 9))
	said := map[explore.Value]int{}
	check := func(q explore.Query) {
		a := must(s.Ask(t.Context(), q))(t)
		agrees(t, s, a)
		said[a.Value]++
		q.Nodes = 1 << (6 + rng.IntN(8))
		for _, limit := range []int{0, 1 + rng.IntN(7)} {
			ctx, cancel := context.WithCancel(t.Context())
			if q.Limit = limit; limit > 0 { // to a limit the search goes move by move
				q.Nodes = 0
			}
			if err := s.Analyse(ctx, q, func(a *explore.Answer) error {
				if agrees(t, s, a); a.Value != explore.Open || limit > 0 && a.Progress != nil && a.Progress.Nodes > 1<<12 {
					cancel() // the answer has the facts so far
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			cancel()
		}
	}
	for _, c := range []struct {
		id, rules string
		few       int // least number of random moves before a question
	}{
		{"mnk-3x3k3", "", 0}, {"mnk-4x4k4", "", 2}, {"mnk-5x5k4", "", 4}, {"mnk-6x6k4", "", 4}, {"mnk-7x7k5", "", 8}, {"mnk-9x9k5", "", 12}, {"mnk-12x12k4", "", 4}, {"mnk-13x13k5", "", 12},
		{"mnk-13x13k9", "", 20}, {"domino", "", 0}, {"halma-star37-2p", "house", 0}, {"halma-star73-2p", "base", 20}, {"halma-5x5p3", "sturtevant", 0},
		{"halma-star13-4p", "base", 0}, {"halma-star37-3p", "house", 0}, {"halma-star37-1p", "base", 4},
	} {
		for range *positions / 20 {
			at := must(s.Course(explore.Query{Game: c.id, Rules: c.rules, Position: "start"}))(t).State
			for range c.few + rng.IntN(8) {
				list := at.Moves(nil)
				if at.Make(list[rng.IntN(len(list))]); at.Result() != game.Ongoing {
					at.Unmake()
					break
				}
			}
			check(explore.Query{Game: c.id, Rules: c.rules, Position: at.String()})
		}
	}
	crossing := []explore.Query{
		{Game: "mnk-11x11k5", Position: "11.11.11.11.4xx5.7x3.7x3.11.2o6o1.2o6o1.11"},
		{Game: "mnk-12x12k5", Position: "12.12.12.12.4xx6.7x4.7x4.12.2o6o2.2o6o2.12.12"},
		{Game: "mnk-15x15k5", Position: "15.15.15.15.6xx7.9x5.9x5.15.3o7o3.3o7o3.15.15.15.15.15"},
	}
	if testing.Short() {
		crossing = crossing[:1]
	}
	for _, q := range crossing {
		check(q)
		q.Nodes = 1 << 17
		var last *explore.Answer
		if err := s.Analyse(t.Context(), q, func(a *explore.Answer) error {
			agrees(t, s, a)
			last = a
			return nil
		}); err != nil || last.Value != explore.Win {
			t.Errorf("%s: two crossing twos: %s, %v", q.Game, last.Worth, err)
		}
	}
	for _, v := range []explore.Value{explore.Win, explore.Draw, explore.Loss, explore.Open} {
		if said[v] < 3 {
			t.Errorf("%d answers are %s: too few", said[v], v)
		}
	}
}

// oneFact is a book that knows only the first position of every question.
type oneFact struct {
	falseBook
	fact solve.Fact
}

// Look implements [explore.Book].
func (b oneFact) Look(_ game.Game, _ int, states []game.State) ([]solve.Fact, []bool, error) {
	facts, known := make([]solve.Fact, len(states)), make([]bool, len(states))
	facts[0], known[0] = b.fact, true
	return facts, known, nil
}

// Facts implements [solve.Book].
func (oneFact) Facts(game.Game, int, func([]uint64, solve.Fact)) error { return nil }

// Learn implements [solve.Book].
func (oneFact) Learn(game.Game, int, game.State, []uint64, solve.Fact) {}

// TestNoMoveNoValue: a win that a book knows of a position alone stays open until a move is
// known that achieves it, unless it is a loss.
func TestNoMoveNoValue(t *testing.T) {
	never := solve.Fact{WinBy: solve.Never, LossBy: solve.Never, Best: game.NoMove}
	win, loss := never, never
	win.WinBy, win.WinOver, win.LossOver = 9, 8, solve.Never
	loss.LossBy, loss.LossOver, loss.WinOver = 8, 7, solve.Never
	for _, c := range []struct {
		fact solve.Fact
		want explore.Value
	}{{win, explore.Open}, {loss, explore.Loss}} {
		s := newService(t, explore.Options{Book: oneFact{fact: c.fact}, Nodes: 1})
		a, err := s.Ask(t.Context(), explore.Query{Game: "mnk-9x9k5", Position: "start"})
		if err != nil || a.Value != c.want {
			t.Fatalf("%+v, %v, want %s", a, err, c.want)
		}
		agrees(t, s, a)
	}
}
