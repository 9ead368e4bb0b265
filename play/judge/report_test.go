package judge

import (
	"strings"
	"testing"

	mnk "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
)

// TestReport: o gives the draw away with its first stone.
func TestReport(t *testing.T) {
	s, err := explore.New(explore.Options{Wings: []wing.Wing{mnk.Wing()}, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	q := explore.Query{Game: "mnk-3x3k3", Position: "start", Moves: strings.Split("b2,b1,c1,a3,c2", ","), Seconds: 60}
	r, err := NewReport(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete || len(r.Moves) != len(q.Moves) || len(r.Players) != 2 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []int{0, 1, 0, 0, 0} {
		if got := r.Moves[i].ValueLost; got == nil || *got != want {
			t.Errorf("ply %d loses %v, want %d", i+1, got, want)
		}
	}
	if p := r.Players[1]; p.Player != "o" || p.Errors != 1 || p.Judged != 2 {
		t.Errorf("%+v", p)
	}
	q.Moves = append(q.Moves, "c2")
	if _, err := NewReport(t.Context(), s, q); err == nil || !strings.Contains(err.Error(), "move 6") {
		t.Errorf("a wrong move: %v", err)
	}
}
