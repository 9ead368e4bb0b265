package app

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/play/explore"
)

// face is an interface: its text about a query, and whether it refuses.
type face struct {
	name string
	says func(t *testing.T, q explore.Query) (text string, refused bool)
}

// ofNoPerson matches texts that are not for people.
var ofNoPerson = regexp.MustCompile(`%!|<nil>|panic|goroutine|runtime error|0x[0-9a-f]{6}|\[\]`)

// ofGame matches a package's name before a reason.
var ofGame = regexp.MustCompile(`^(halma|mnk|domino): `)

// TestSentences: all interfaces explain an illegal move, a move after the end, unknown ids and
// rules, the end of a game, a pass and a draw by endless play in the game's words. The page's
// own tests cover its texts.
func TestSentences(t *testing.T) {
	t.Parallel()
	service, address := served(t, newApp(ours...))
	command := func(args ...string) func(t *testing.T, q explore.Query) (string, bool) {
		return func(t *testing.T, q explore.Query) (string, bool) {
			all := slices.Clone(args)
			for i, a := range all {
				all[i] = strings.NewReplacer("GAME", q.Game, "POSITION", q.Position).Replace(a)
			}
			if q.Rules != "" {
				all = slices.Insert(all, 1, "--rules", q.Rules)
			}
			if len(q.Moves) > 0 {
				all = slices.Insert(all, 1, "--moves", strings.Join(q.Moves, ","))
			}
			out, _, err := says(t.Context(), newApp(ours...), "", all...)
			if err != nil {
				return err.Error(), true
			}
			return out, false
		}
	}
	faces := []face{
		{"service", func(t *testing.T, q explore.Query) (string, bool) {
			a, err := service.Ask(t.Context(), q)
			if err != nil {
				return err.Error(), true
			}
			return a.Text, false
		}},
		{"HTTP API", func(t *testing.T, q explore.Query) (string, bool) {
			v := url.Values{"position": {q.Position}, "rules": {q.Rules}, "moves": {strings.Join(q.Moves, ",")}, "limit": {"2"}}
			r, err := http.Get(address + "/api/v1/games/" + q.Game + "/position?" + v.Encode())
			if err != nil {
				t.Fatal(err)
			}
			defer r.Body.Close()
			var said struct{ Text, Error string }
			if err := json.NewDecoder(r.Body).Decode(&said); err != nil {
				t.Fatal(err)
			}
			if (said.Error != "") != (r.StatusCode >= 400 && r.StatusCode < 500) {
				t.Errorf("status %s with the error %q", r.Status, said.Error)
			}
			return said.Text + said.Error, said.Error != ""
		}},
		{"analyse", command("analyse", "GAME", "--position", "POSITION", "--limit", "2")},
		{"probe", command("probe", "GAME", "--limit", "2", "--", "POSITION")},
		{"engine", func(t *testing.T, q explore.Query) (string, bool) {
			in := "new " + strings.TrimSpace(q.Game+" "+q.Rules) + "\nposition " + q.Position + "\n"
			for _, m := range q.Moves {
				in += "play " + m + "\n"
			}
			text := runs(t, in+"result\n", "engine")
			for line := range strings.Lines(text) {
				if quoted, ok := strings.CutPrefix(line, "? "); ok {
					if text, err := strconv.Unquote(strings.TrimSpace(quoted)); err == nil {
						return text, true
					}
					return quoted, true
				}
			}
			return text, false
		}},
		{"play", func(t *testing.T, q explore.Query) (string, bool) {
			args := []string{"play", q.Game, "--position", q.Position}
			if q.Rules != "" {
				args = append(args, "--rules", q.Rules)
			}
			if c, err := service.Course(explore.Query{Game: q.Game, Rules: q.Rules, Position: "start"}); err == nil {
				for seat := range c.Game.Seats() {
					args = append(args, "--seat", c.Game.SeatName(seat)+"=human")
				}
			}
			out, _, err := says(t.Context(), newApp(ours...), strings.Join(append(slices.Clone(q.Moves), "quit\n"), "\n"), args...)
			if err != nil {
				return err.Error(), true
			}
			return out, len(q.Moves) > 0
		}},
	}
	check := func(t *testing.T, q explore.Query, refused bool, want string, only ...string) {
		t.Helper()
		for _, f := range faces {
			if len(only) > 0 && !slices.Contains(only, f.name) {
				continue
			}
			text, no := f.says(t, q)
			part := want
			if f.name == "play" { // play prints the error inside a sentence, without the game's name
				part = strings.TrimSuffix(ofGame.ReplaceAllString(want, ""), ".")
			}
			if no != refused || !strings.Contains(text, part) || ofNoPerson.MatchString(text) {
				t.Errorf("%s %s %s %q: %s, refused %v: %q, want %q", q.Game, q.Rules, q.Position, q.Moves, f.name, no, text, want)
			}
		}
	}
	for _, c := range []struct{ id, rules, illegal, over, last string }{
		{"halma-star13-2p", "base", "a1-a1", "1.____.___.____.2-2", "e1-d1"},
		{"halma-star13-3p", "base", "a1-e1", "1.3__4.___.____._-3", "d1-c1"},
		{"halma-star37-1p", "house", "a1-a2", "", ""},
		{"halma-4x4p3", "sturtevant", "a1-g1", "", ""},
		{"mnk-3x3k3", "", "z9", "xxx.oo1.3", "c3"},
		{"domino", "", "7|7", "-_04_11_1", "0|4"},
	} {
		t.Run(c.id, func(t *testing.T) {
			q := explore.Query{Game: c.id, Rules: c.rules, Position: "start", Limit: 2}
			wrong := q
			wrong.Moves = []string{c.illegal}
			_, err := service.Course(wrong)
			var e *explore.Error
			if !errors.As(err, &e) || e.Fault != explore.BadMove {
				t.Fatalf("%q: %v", c.illegal, err)
			}
			check(t, wrong, true, e.Err.Error())
			wrong = q
			wrong.Rules = "nobodys"
			check(t, wrong, true, "nobodys")
			wrong = q
			wrong.Game, wrong.Rules = strings.Replace(c.id, "-", "-x", 1)+"x", ""
			check(t, wrong, true, wrong.Game)
			if c.over == "" {
				return
			}
			q.Position = c.over
			a, err := service.Ask(t.Context(), q)
			if err != nil || !a.Over || !strings.HasSuffix(a.Text, ".") {
				t.Fatalf("%s: %+v: %v", c.over, a, err)
			}
			check(t, q, false, a.Text, "service", "HTTP API", "analyse", "probe", "play")
			q.Moves = []string{c.last}
			check(t, q, true, " is over")
		})
	}
	// find returns the first wanted position of random games.
	find := func(t *testing.T, id string, wanted func(s game.State) bool) explore.Query {
		rng := rand.New(rand.NewPCG(1, 2))
		q := explore.Query{Game: id, Position: "start", Limit: 2}
		for range 100 {
			c, err := service.Course(q)
			if err != nil {
				t.Fatal(err)
			}
			s := c.State
			for n := 0; n < 60 && s.Result() == game.Ongoing; n++ {
				if wanted(s) {
					q.Position = s.String()
					return q
				}
				moves := s.Moves(nil)
				s.Make(moves[rng.IntN(len(moves))])
			}
		}
		t.Fatalf("%s: no such position", id)
		return q
	}
	t.Run("pass", func(t *testing.T) {
		passes := func(s game.State) bool { return s.Moves(nil)[0] == game.Pass }
		q := find(t, "domino", passes)
		a, err := service.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		want := a.Seat + " has no legal move and passes"
		if !strings.HasPrefix(a.Text, want+": ") {
			t.Errorf("%s: %q", q.Position, a.Text)
		}
		check(t, q, false, want, "service", "HTTP API", "analyse", "play")
		shut := explore.Query{Game: "halma-star13-6p", Rules: "base", Position: "_._32_.__4._165._-5"}
		check(t, shut, false, "5 has no legal move and passes", "play")
	})
	t.Run("endless play", func(t *testing.T) {
		q := explore.Query{Game: "halma-4x4p3", Rules: "gamesman", Position: "start", Limit: 2}
		a, err := service.Ask(t.Context(), q)
		if err != nil || a.Value != explore.Draw {
			t.Fatalf("%v, %v", a, err)
		}
		check(t, q, false, "a draw: nobody can force a win", "service", "HTTP API", "analyse")
		round := []string{"b1-c3", "h1-g3", "c3-b1", "g3-h1"}
		q = explore.Query{Game: "halma-star37-2p", Rules: "base", Position: "start", Moves: append(round, round...)}
		check(t, q, true, "this position has come up for the third time: the game is drawn by endless play", "play")
		if a, err := service.Ask(t.Context(), q); err != nil || a.Repeated != 3 {
			t.Errorf("come up %d times: %v", a.Repeated, err)
		}
	})
}
