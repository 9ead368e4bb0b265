package explore_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"perfectplay/game"
	domino "perfectplay/game/domino/oracle"
	halma "perfectplay/game/halma/oracle"
	mnk "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
)

// TestCompose sets up positions from their pictures and wants their own texts; gametest.Wing does so
// along random games. A picture that shows no position is refused with a reason.
func TestCompose(t *testing.T) {
	t.Parallel()
	s := newService(t, explore.Options{Threads: 1})
	for _, q := range []explore.Query{{Game: "halma-star37-6p", Position: "start"}, {Game: "mnk-3x3k3", Position: "x2.1o1.3"}, {Game: "domino", Position: "deal-7"}} {
		a := must(s.Position(q))(t)
		if text, err := s.Compose(q.Game, "", a.Picture, a.Seat); err != nil || text != a.Position {
			t.Fatalf("%s: composed %q, %v; want %q", q.Game, text, err, a.Position)
		}
	}
	cells := slices.Repeat([]int{-1}, 13)
	for _, c := range []struct {
		id, seat, says string
		p              wing.Picture
	}{
		{"halma-star13-2p", "7", "unknown seat", wing.Picture{Pieces: cells}},
		{"halma-star13-2p", "1", "12 cells", wing.Picture{Pieces: cells[:12]}},
		{"halma-star13-2p", "1", "piece of seat 2", wing.Picture{Pieces: append(slices.Clone(cells[:12]), 2)}},
		{"domino", "starter", "1 hands", wing.Picture{Hands: [][]string{{"0|0"}}}},
		{"domino", "starter", "unknown tile", wing.Picture{Hands: [][]string{{"0|9"}, {}}}},
		{"domino", "starter", "unknown tile", wing.Picture{Hands: [][]string{{"1|0"}, {}}}},
	} {
		if text, err := s.Compose(c.id, "", c.p, c.seat); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: composed %q, %v; want an error about %q", c.id, text, err, c.says)
		}
	}
	for _, deal := range []string{"deal-", "deal-x", "deal-99999999999999999999"} {
		if _, err := s.Position(explore.Query{Game: "domino", Position: deal}); err == nil {
			t.Errorf("%s is a position", deal)
		}
	}
}

// TestSettings: the values of every game fit the settings of its family, no two games have equal
// values, and templates give the ids of games.
func TestSettings(t *testing.T) {
	t.Parallel()
	wings := []wing.Wing{halma.Wing(), mnk.Wing(), domino.Wing()}
	for i := range wings { // as if too large to solve: else the service counts positions of every game
		wings[i].Positions = func(game.Game) float64 { return math.MaxFloat64 }
	}
	s := newService(t, explore.Options{Wings: wings, Threads: 1})
	for _, f := range s.Games() {
		seen := map[string]string{}
		for i, id := range f.Games {
			g, err := s.Game(id, "")
			if err != nil {
				t.Fatal(err)
			}
			if g.Family != f.Name || len(g.Values) != len(f.Settings) {
				t.Errorf("%s: family %q, values %q for %d settings", id, g.Family, g.Values, len(f.Settings))
				continue
			}
			if len(f.Settings) == 0 {
				continue
			}
			key := strings.Join(f.Values[i], ", ")
			if seen[key] != "" || !slices.Equal(f.Values[i], g.Values) {
				t.Errorf("%s and %q have the values %s; the game says %q", id, seen[key], key, g.Values)
			}
			seen[key] = id
			built := f.Template
			for j, set := range f.Settings {
				built = strings.ReplaceAll(built, "{"+set.Name+"}", g.Values[j])
			}
			if f.Template != "" && built != id {
				t.Errorf("the template gives %s for %s", built, id)
			}
		}
	}
}

// TestLessons: every family has four pictures of its rules, with legal moves.
func TestLessons(t *testing.T) {
	t.Parallel()
	s := newService(t, explore.Options{Threads: 1})
	for _, f := range s.Games() {
		if len(f.Lessons) != 4 {
			t.Errorf("%s has %d lessons, want 4", f.Name, len(f.Lessons))
		}
		for _, l := range f.Lessons {
			a, err := s.Position(explore.Query{Game: l.Game, Rules: l.Rules, Position: l.Position})
			if err != nil {
				t.Fatalf("%s: %v", l.Text, err)
			}
			i := slices.IndexFunc(a.Moves, func(m explore.Move) bool { return m.Move == l.Move })
			if i < 0 || l.Text == "" {
				t.Errorf("%s: no move %s in %s", l.Text, l.Move, l.Position)
				continue
			}
			if strings.Contains(l.Text, " wins") != a.Moves[i].Over && !strings.Contains(l.Text, "draw") && f.Name != "domino" {
				t.Errorf("%s: the move ends the game: %v", l.Text, a.Moves[i].Over)
			}
		}
	}
}
