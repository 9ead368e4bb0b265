package explore

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"

	"perfectplay/game"
	halma "perfectplay/game/halma/oracle"
	mnk "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
)

// TestSteady asks about positions of several games by a bound on nodes, on an idle program
// and beside goroutines that never rest: the answers are equal, byte for byte.
func TestSteady(t *testing.T) {
	wings := []wing.Wing{halma.Wing(), mnk.Wing()}
	type question struct{ id, rules, position string }
	var list []question
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ id, rules string }{{"mnk-7x7k5", ""}, {"mnk-5x4k4", ""}, {"halma-star73-2p", "house"}, {"halma-star37-3p", "house"}} {
		service, err := New(Options{Wings: wings})
		if err != nil {
			t.Fatal(err)
		}
		_, s, err := service.State(Query{Game: c.id, Rules: c.rules, Position: "start"})
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			list = append(list, question{c.id, c.rules, s.String()})
			for range 1 + rng.IntN(3) {
				if moves := s.Moves(nil); len(moves) > 0 && s.Result() == game.Ongoing {
					s.Make(moves[rng.IntN(len(moves))])
				}
			}
		}
		service.Close()
	}
	ask := func() (answers []string) {
		service, err := New(Options{Wings: wings, Nodes: 1 << 15})
		if err != nil {
			t.Fatal(err)
		}
		defer service.Close()
		for _, q := range list {
			a, err := service.Ask(context.Background(), Query{Game: q.id, Rules: q.rules, Position: q.position})
			if err != nil {
				t.Fatal(err)
			}
			a.Progress = nil // times, and how far a search has come at the last tick
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
	for range 4 * runtime.GOMAXPROCS(0) {
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
			t.Errorf("%v: %.200s alone, %.200s under load", list[i], quiet[i], loud[i])
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
