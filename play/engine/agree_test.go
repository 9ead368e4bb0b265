package engine

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/play/explore"
)

var positions = flag.Int("positions", 120, "positions on which the protocol is compared with the library")

// TestAgrees: on random positions of known games of all kinds, the lines of analyse and the
// answers in JSON agree with the service, and go plays a best move.
func TestAgrees(t *testing.T) {
	s := newService(t)
	ids := []string{"halma-star13-2p base", "halma-star37-2p house", "halma-5x5p1 sturtevant", "mnk-3x3k3", "mnk-4x3k3", "domino"}
	rng := rand.New(rand.NewPCG(8, 9))
	var said strings.Builder
	var want []*explore.Answer
	for len(want) < *positions {
		// The ids are grouped by board, so that each board is solved once.
		id, rules, _ := strings.Cut(ids[len(want)*len(ids) / *positions], " ")
		q := explore.Query{Game: id, Rules: rules, Position: "start", Seconds: 300}
		_, at, err := s.State(q)
		if err != nil {
			t.Fatal(err)
		}
		for range rng.IntN(12) {
			if moves := at.Moves(nil); len(moves) > 0 {
				at.Make(moves[rng.IntN(len(moves))])
			}
		}
		if at.Result() != game.Ongoing {
			continue
		}
		q.Position = at.String()
		var last *explore.Answer
		if err := s.Analyse(t.Context(), q, func(a *explore.Answer) error { last = a; return nil }); err != nil {
			t.Fatal(err)
		}
		question := must(json.Marshal(q))(t)
		fmt.Fprintf(&said, "{\"id\":\"q\",%s\nnew %s %s\nposition %s\nanalyse\nhint\n", question[1:], id, rules, q.Position)
		want = append(want, last)
	}
	e := newTestEngine(t)
	e.Budget, e.Most = 5*time.Minute, 0
	lines := says(t, e, said.String())
	next := func() string {
		line := lines[0]
		lines = lines[1:]
		return line
	}
	for _, a := range want {
		var got Answer
		if err := json.Unmarshal([]byte(next()), &got); err != nil {
			t.Fatal(err)
		}
		text := func(w *explore.Worth) string { return worth(w) }
		if string(got.ID) != `"q"` || !got.Done || got.Answer == nil || text(&got.Worth) != text(&a.Worth) || len(got.Moves) != len(a.Moves) || !reflect.DeepEqual(got.Line, a.Line) {
			t.Fatalf("%s %s: JSON %+v", a.Game, a.Position, got)
		}
		next() // the answer to new
		next() // the answer to position
		line := next()
		for strings.HasPrefix(line, "info ") {
			line = next()
		}
		best := map[string]bool{}
		for i, m := range a.Moves {
			if want := "move " + m.Move + " " + text(&m.Worth); line != want || text(&got.Moves[i].Worth) != text(&m.Worth) || got.Moves[i].Move != m.Move {
				t.Fatalf("%s %s: %q, in JSON %s, want %q", a.Game, a.Position, line, got.Moves[i].Move, want)
			}
			best[m.Move] = text(&m.Worth) == text(&a.Moves[0].Worth)
			line = next()
		}
		if want := "= " + text(&a.Worth); line != want {
			t.Fatalf("%s %s: %q, want %q", a.Game, a.Position, line, want)
		}
		if hint := strings.TrimPrefix(next(), "= "); !best[hint] {
			t.Fatalf("%s %s: plays %s, %s is best", a.Game, a.Position, hint, a.Moves[0].Move)
		}
	}
}
