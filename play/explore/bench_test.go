package explore_test

import (
	"context"
	"testing"

	halma "perfectplay/game/halma/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
)

// BenchmarkAsk asks about the start of star 37 with its solution open: the values of all moves,
// and best play to the end.
func BenchmarkAsk(b *testing.B) {
	s, err := explore.New(explore.Options{Wings: []wing.Wing{halma.Wing()}, Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	q := explore.Query{Game: "halma-star37-2p", Rules: "house", Position: "start", Seconds: patient}
	ask := func() {
		a, err := s.Ask(context.Background(), q)
		if err != nil || a.Distance == nil || *a.Distance != 29 || len(a.Line) != 29 {
			b.Fatalf("%+v: %v", a, err)
		}
	}
	ask()
	b.ReportAllocs()
	for b.Loop() {
		ask()
	}
}
