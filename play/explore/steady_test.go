package explore

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"perfectplay/game"
	domino "perfectplay/game/domino/oracle"
	halma "perfectplay/game/halma/oracle"
	mnk "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
)

// TestSteady asks about positions of all families within a bound on nodes, in an idle
// program and beside goroutines that never rest: the answers are equal, byte for byte.
func TestSteady(t *testing.T) {
	wings := []wing.Wing{halma.Wing(), mnk.Wing(), domino.Wing()}
	var list []Query
	rng := rand.New(rand.NewPCG(1, 2))
	if testing.Short() {
		t.Skip("fills all processors for seconds; not with -short")
	}
	most := 8 // positions of each game
	for _, c := range []struct{ id, rules string }{
		{"mnk-3x3k3", ""}, {"mnk-5x4k4", ""}, {"mnk-6x6k4", ""}, {"mnk-7x7k5", ""}, {"mnk-8x8k5", ""}, {"mnk-12x12k5", ""}, {"domino", ""},
		{"halma-star37-2p", "house"}, {"halma-star73-2p", "house"}, {"halma-star73-2p", "base"}, {"halma-star121-2p", "house-code"},
		{"halma-5x5p3", "sturtevant"}, {"halma-star13-4p", "base"}, {"halma-star37-3p", "house"}, {"halma-star73-6p", "house"},
	} {
		service, err := New(Options{Wings: wings})
		if err != nil {
			t.Fatal(err)
		}
		g, err := service.Course(Query{Game: c.id, Rules: c.rules, Position: "start"})
		if err != nil {
			t.Fatal(err)
		}
		s := g.State
		n := most
		if c.id == "mnk-12x12k5" {
			n = most / 3 // each costs as much as ten of any other board
		}
		for range n {
			if s.Result() != game.Ongoing { // begin another game
				s = g.Game.Start()
			}
			list = append(list, Query{Game: c.id, Rules: c.rules, Position: s.String()})
			for range 1 + rng.IntN(3) {
				if moves := s.Moves(nil); s.Result() == game.Ongoing {
					s.Make(moves[rng.IntN(len(moves))])
				}
			}
		}
		service.Close()
	}
	ask := func() (answers []string) {
		service, err := New(Options{Wings: wings, Nodes: 1 << 12, Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer service.Close()
		for _, q := range list {
			a, err := service.Ask(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			a.Progress = nil // times and the depth at the last tick differ
			text, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			answers = append(answers, string(text))
		}
		return answers
	}
	quiet := ask()
	var rest atomic.Bool
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for !rest.Load() {
			}
		}()
	}
	loud := ask()
	rest.Store(true)
	open := 0
	for i := range list {
		if quiet[i] != loud[i] {
			at := 0
			for at < min(len(quiet[i]), len(loud[i])) && quiet[i][at] == loud[i][at] {
				at++
			}
			at = max(at-60, 0)
			t.Errorf("%v: ...%.200s alone, ...%.200s under load", list[i], quiet[i][at:], loud[i][at:])
		}
		var a Answer
		if err := json.Unmarshal([]byte(quiet[i]), &a); err != nil {
			t.Fatal(err)
		}
		if a.Value == Open {
			open++
		}
	}
	if open == 0 || open == len(list) {
		t.Errorf("%d of %d answers are open: the bound is not tested", open, len(list))
	}
}

// TestOrder: whatever move the line begins with, the list holds every move once.
func TestOrder(t *testing.T) {
	lost := func(distance int) fact {
		f := unknown()
		f.Value, f.Distance = game.Loss, distance
		return f
	}
	a := &analysis{place: &place{}, moves: make([]game.Move, 4), whole: lost(6), facts: []fact{lost(6), lost(6), lost(-1), lost(6)},
		after: []after{{name: "a"}, {name: "b"}, {name: "c"}, {name: "d"}}}
	for _, begins := range []string{"", "a", "b", "c", "d"} {
		a.line = []string{begins, "x"}
		st := a.stated()
		sorted := slices.Sorted(slices.Values(st.order))
		if !slices.Equal(sorted, []int{0, 1, 2, 3}) || begins != "" && begins != "c" && a.after[st.order[0]].name != begins {
			t.Errorf("a line that begins with %q: order %v", begins, st.order)
		}
	}
}
