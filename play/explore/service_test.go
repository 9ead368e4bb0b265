package explore_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	domino "perfectplay/game/domino/oracle"
	halma "perfectplay/game/halma/oracle"
	mnk "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
)

// patient is more time than any question of these tests takes on a busy machine.
const patient = 300

// must returns v. An error ends the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// newService returns a service of all games; the end of the test closes it.
func newService(t *testing.T, o explore.Options) *explore.Service {
	t.Helper()
	if o.Wings == nil {
		o.Wings = []wing.Wing{halma.Wing(), mnk.Wing(), domino.Wing()}
	}
	s, err := explore.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// ask asks with more time than the question needs.
func ask(t *testing.T, s *explore.Service, q explore.Query) *explore.Answer {
	t.Helper()
	if q.Seconds == 0 {
		q.Seconds = patient
	}
	a, err := s.Ask(context.Background(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return a
}

// TestKnown asks for values from the literature or our documents.
func TestKnown(t *testing.T) {
	s := newService(t, explore.Options{})
	for _, c := range []struct {
		game, rules, position, moves string
		value                        explore.Value
		distance, score              int // −1 without a distance, 0 without a score
		kind                         wing.Kind
		text                         string
	}{
		{"halma-star37-2p", "house", "start", "", explore.Win, 29, 0, wing.BySolution, "1 wins in 29 plies"},
		{"halma-star37-2p", "house", "start", "b1-c4", explore.Loss, 28, 0, wing.BySolution, "1 wins in 28 plies"},
		{"domino", "", "start", "", explore.Loss, -1, -12, wing.ByDeal, "second wins by 12"},
		{"domino", "", "start", "4|4", explore.Win, -1, 12, wing.ByDeal, "second wins by 12"},
		// A move that ends the deal is best and still has no distance: play is for points.
		{"domino", "", "01.06.56_04.12.13.22_40_1", "", explore.Win, -1, 7, wing.ByDeal, "second wins by 7"},
		{"mnk-6x6k4", "", "start", "", explore.Win, -1, 0, wing.ByProof, "x wins"},
		{"mnk-3x3k3", "", "start", "", explore.Draw, -1, 0, wing.BySolution, "a draw"},
		{"mnk-3x3k3", "", "start", "b2,a2", explore.Win, 5, 0, wing.BySolution, "x wins in 5 plies"},
		{"mnk-19x19k9", "", "start", "", explore.Draw, -1, 0, wing.ByProof, "a draw"},
		{"halma-star13-3p", "liou", "start", "", explore.Loss, 9, 0, wing.ByCoalitions, "together the others beat 1 in 9 plies"},
	} {
		q := explore.Query{Game: c.game, Rules: c.rules, Position: c.position}
		if c.moves != "" {
			q.Moves = strings.Split(c.moves, ",")
		}
		if c.game == "mnk-19x19k9" {
			q.Seconds = 0.5 // most moves stay open, so time bounds the question
		}
		a := ask(t, s, q)
		distance := -1
		if a.Distance != nil {
			distance = *a.Distance
		}
		score := 0
		if a.Score != nil {
			score = *a.Score
		}
		if a.Value != c.value || distance != c.distance || score != c.score || a.Source.Kind != c.kind || a.Text != c.text || !a.Final {
			t.Errorf("%s %s after %q: %s in %d, score %d, by %s: %q; want %s in %d, score %d, by %s: %q", c.game, c.rules, c.moves,
				a.Value, distance, score, a.Source.Kind, a.Text, c.value, c.distance, c.score, c.kind, c.text)
		}
	}
}

// TestSearched: a search answers if a solution does not fit the memory.
func TestSearched(t *testing.T) {
	s := newService(t, explore.Options{Memory: explore.MinMemory})
	a := ask(t, s, explore.Query{Game: "halma-star13-6p", Rules: "liou", Position: "start"})
	const text = "together the others beat 1 in 4 plies; if everybody plays for himself, 4 wins"
	if a.Value != explore.Loss || a.Distance == nil || *a.Distance != 4 || a.Source.Kind != wing.BySearch || a.Text != text || !a.Final {
		t.Errorf("%s, %v, by %s: %s", a.Value, a.Distance, a.Source.Kind, a.Text)
	}
}

// TestErrors asks wrong questions of every kind.
func TestErrors(t *testing.T) {
	s := newService(t, explore.Options{})
	for _, c := range []struct {
		query explore.Query
		fault explore.Fault
		index int
		text  string
	}{
		{explore.Query{Game: "go-9x9", Position: "start"}, explore.BadGame, -1, `unknown game "go-9x9"`},
		{explore.Query{Game: "", Position: "start"}, explore.BadGame, -1, `unknown game ""`},
		{explore.Query{Game: "halma-star38-2p", Position: "start"}, explore.BadGame, -1, `no star of "38" holes`},
		{explore.Query{Game: "halma-star37-5p", Position: "start"}, explore.BadGame, -1, "a star seats 1, 2, 3, 4 or 6"},
		{explore.Query{Game: "mnk-0x3k3", Position: "start"}, explore.BadGame, -1, "want 1 to 70"},
		{explore.Query{Game: "halma-star37-2p", Rules: "mine", Position: "start"}, explore.BadRules, -1, `unknown rules "mine"`},
		{explore.Query{Game: "halma-5x5p3", Rules: "house", Position: "start"}, explore.BadRules, -1, "a diamond has none"},
		{explore.Query{Game: "mnk-3x3k3", Rules: "house", Position: "start"}, explore.BadRules, -1, "one rule set only"},
		{explore.Query{Game: "mnk-3x3k3"}, explore.BadPosition, -1, "no position: start is the first one"},
		{explore.Query{Game: "mnk-3x3k3", Position: "xx1.3.3"}, explore.BadPosition, -1, "2 stones x and 0 stones o"},
		{explore.Query{Game: "domino", Position: "nonsense"}, explore.BadPosition, -1, "want hand_hand_ends_seat"},
		{explore.Query{Game: "mnk-3x3k3", Position: "start", Moves: []string{"b2", "b2"}}, explore.BadMove, 1, "move 2: mnk: move b2: the cell is taken"},
		{explore.Query{Game: "mnk-3x3k3", Position: "start", Moves: []string{"b2", "a1", "", "c3"}}, explore.BadMove, 2, "move 3"},
		{explore.Query{Game: "mnk-3x3k3", Position: "start", Moves: strings.Split("a1,a2,b1,b2,c1,c2", ",")}, explore.BadMove, 5,
			`move 6: "c2": the game is over: x has won: 3 in a row.`},
		{explore.Query{Game: "mnk-3x3k3", Position: "start", Limit: -1}, explore.BadQuery, -1, "limit -1"},
		{explore.Query{Game: "mnk-3x3k3", Position: "start", Limit: 1_000_000}, explore.BadQuery, -1, "limit 1000000: want 1 to 30000"},
		{explore.Query{Game: "mnk-3x3k3", Position: "start", Seconds: -1}, explore.BadQuery, -1, "seconds -1"},
	} {
		_, err := s.Ask(context.Background(), c.query)
		var e *explore.Error
		if !errors.As(err, &e) {
			t.Errorf("%+v: %v, want an error of the query", c.query, err)
			continue
		}
		if e.Fault != c.fault || e.Index != c.index || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%+v: %s at %d: %v; want %s at %d: %s", c.query, e.Fault, e.Index, err, c.fault, c.index, c.text)
		}
		_, errP := s.Position(c.query)
		_, errS := s.Course(c.query)
		errA := s.Analyse(context.Background(), c.query, func(*explore.Answer) error { return nil })
		for _, other := range []error{errP, errS, errA} {
			if other == nil || other.Error() != err.Error() {
				t.Errorf("%+v: Ask says %v, another %v", c.query, err, other)
			}
		}
	}
}

// TestOver asks about finished games.
func TestOver(t *testing.T) {
	s := newService(t, explore.Options{})
	for _, c := range []struct {
		game, rules, position, text, won string
		value                            explore.Value
		cells                            []int
	}{
		{"mnk-3x3k3", "", "xxx.oo1.3", "x has won: 3 in a row.", "x", explore.Loss, []int{0, 1, 2}},
		{"mnk-3x3k3", "", "xox.xoo.oxx", "The game is drawn: the board is full.", "", explore.Draw, nil},
		{"halma-star13-2p", "base", "1.____.___.____.2-2", "1 has won: all its pieces stand in its goal.", "1", explore.Loss, []int{0}},
		{"domino", "", "-_04_11_1", "starter has played every tile: starter wins by 4.", "starter", explore.Loss, nil},
		{"domino", "", "00_44_11_1", "Both are stuck: starter wins by 8.", "starter", explore.Loss, nil},
	} {
		a := ask(t, s, explore.Query{Game: c.game, Rules: c.rules, Position: c.position})
		if !a.Over || a.Text != c.text || a.Won != c.won || a.Value != c.value || a.Source.Kind != wing.ByRules || len(a.Moves) > 0 || a.Seat != "" {
			t.Errorf("%s %s: %+v", c.game, c.position, a)
		}
		if !slices.Equal(a.Picture.Won, c.cells) {
			t.Errorf("%s %s: won by %v, want %v", c.game, c.position, a.Picture.Won, c.cells)
		}
	}
}

// TestThirdTime: a position's third occurrence ends a game of two seats as a draw, and no move
// follows.
func TestThirdTime(t *testing.T) {
	s := newService(t, explore.Options{Wings: []wing.Wing{halma.Wing()}})
	round := []string{"b1-c3", "h1-g4", "c3-b1", "g4-h1"}
	for n, over := range []bool{false, false, true} {
		q := explore.Query{Game: "halma-star37-2p", Position: "start", Moves: slices.Repeat(round, n), Nodes: 1}
		a, err := s.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if a.Repeated != n+1 || a.Over != over || over && (a.Value != explore.Draw || len(a.Moves) > 0 || a.Won != "" || a.Seat != "" || !strings.Contains(a.Text, "third time")) {
			t.Errorf("%d times: %+v", n+1, a)
		}
		q.Moves = append(q.Moves, "b1-c3")
		if _, err := s.Position(q); over != (err != nil) {
			t.Errorf("on after %d times: %v", n+1, err)
		}
	}
}
