package perft

import (
	"fmt"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/gametest/stranger"
)

// heap is a game without optional abilities: two players take one to three stones of twelve.
var heap = stranger.Heap{Name: "twelve", Stones: 12, Most: 3}.Game()

// counted is the heap with the abilities that perft uses.
type counted struct{ game.Game }

type countedState struct{ game.State }

func (c counted) Start() game.State    { return countedState{c.Game.Start()} }
func (s countedState) CountMoves() int { return len(s.Moves(nil)) }

// TestCount compares the counts with the number of compositions of the heap.
func TestCount(t *testing.T) {
	for _, g := range []game.Game{heap, counted{heap}} {
		s := g.Start()
		// Eleven turns take one stone each, or one of these turns takes two stones; twelve turns
		// take one stone each.
		for depth, want := range map[int]uint64{0: 1, 1: 3, 2: 9, 3: 27, 11: 12, 12: 1, 13: 0} {
			if got := Count(s, depth); got != want {
				t.Errorf("%T: %d to depth %d, want %d", g, got, depth, want)
			}
		}
		if s.String() != "12.A" {
			t.Errorf("%T: counting left %s", g, s)
		}
	}
}

func TestRead(t *testing.T) {
	got, err := Read(strings.NewReader("# comment\n\nhalma-star37-2p house start 3 120 this program\nx - p 0 1 by hand\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Line{
		{"halma-star37-2p", "house", "start", 3, 120, "this program", 3},
		{"x", "", "p", 0, 1, "by hand", 4},
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, bad := range []string{"a b c 1 2", "a b c x 2 s", "a b c -1 2 s", "a b c 1 -2 s"} {
		if _, err := Read(strings.NewReader("\n" + bad)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

func TestOpen(t *testing.T) {
	byID := func(id, rules string) (game.Game, error) {
		if id != "heap" {
			return nil, fmt.Errorf("no game %s", id)
		}
		return heap, nil
	}
	for _, c := range []struct {
		line Line
		want string
	}{
		{Line{ID: "heap", Position: "start"}, "12.A"},
		{Line{ID: "heap", Position: "5.B"}, "5.B"},
		{Line{ID: "heap", Position: "55.A"}, ""},
		{Line{ID: "pile", Position: "start"}, ""},
	} {
		s, err := c.line.Open(byID)
		if (err == nil) != (c.want != "") || err == nil && s.String() != c.want {
			t.Errorf("%+v: %v, %v; want %q", c.line, s, err, c.want)
		}
	}
}
