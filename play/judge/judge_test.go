package judge

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"perfectplay/game"
	dominowing "perfectplay/game/domino/oracle"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	halmawing "perfectplay/game/halma/oracle"
	"perfectplay/game/halma/strong"
	mnkwing "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/play/transcript"
)

// service is shared by all tests.
var service = sync.OnceValues(func() (*explore.Service, error) {
	return explore.New(explore.Options{Wings: []wing.Wing{halmawing.Wing(), mnkwing.Wing(), dominowing.Wing()}, Memory: 256 << 20, Threads: 1})
})

func analyst(t *testing.T) *explore.Service {
	s, err := service()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAgainstSolution: each move of random games loses the difference of the solver's values
// before and after it.
func TestAgainstSolution(t *testing.T) {
	g, spec := halmatest.Race("halma-5x5p1", "sturtevant")
	sol, err := strong.Solve(t.Context(), spec, strong.Options{Distances: true, Memory: 1 << 28})
	if err != nil {
		t.Fatal(err)
	}
	half := map[game.Value]int{game.Loss: 0, game.Draw: 1, game.Win: 2}
	rng := rand.New(rand.NewPCG(5, 6))
	judged, errs := 0, 0
	for range 30 {
		rec := transcript.Game{ID: g.ID(), Rules: g.Rules()}
		type worth struct {
			v game.Value
			d int
		}
		var before, after []worth
		for c := game.NewCourse(g, g.Start()); c.Result() == game.Ongoing && len(c.Path) < 40; {
			s := c.State
			moves := s.Moves(nil)
			m := moves[rng.IntN(len(moves))]
			v, d := sol.Value(halma.Sides(g, s))
			before = append(before, worth{v, d})
			c.Play(m)
			rec.Moves = c.Names()
			if winner, ok := s.Result().Winner(); ok {
				v, d = game.Loss, 0
				if winner == s.Seat() {
					v = game.Win
				}
			} else {
				v, d = sol.Value(halma.Sides(g, s))
			}
			after = append(after, worth{v.Negate(), d + 1})
		}
		moves, err := Judge(t.Context(), analyst(t), g, &rec, explore.Query{Seconds: 60}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moves {
			b, a := before[m.Ply-1], after[m.Ply-1]
			if m.ValueLost == nil || *m.ValueLost != half[b.v]-half[a.v] || string(m.Value) != b.v.String() || string(m.Kept) != a.v.String() {
				t.Fatalf("%+v: %v, then %v", m, b, a)
			}
			lost := a.d - b.d
			if b.v == game.Loss {
				lost = -lost
			}
			same := b.v == a.v && b.v != game.Draw
			if same != (m.DistanceLost != nil) || same && *m.DistanceLost != lost {
				t.Fatalf("%+v: %v, then %v", m, b, a)
			}
			if best := b.v == a.v && (b.v == game.Draw || lost == 0); best != (m.Best == m.Text) {
				t.Fatalf("%+v: best is %v", m, best)
			}
			judged++
			if *m.ValueLost > 0 {
				errs++
			}
		}
	}
	if judged < 100 || errs < 20 {
		t.Errorf("only %d moves and %d errors", judged, errs)
	}
}

// TestDomino: points count, and passes are not judged.
func TestDomino(t *testing.T) {
	w := dominowing.Wing()
	g, err := w.Open("domino", "")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	passes, lost := 0, 0
	for range 20 {
		s := g.Start()
		rec := transcript.Game{ID: "domino", Seats: []transcript.Seat{{Name: "second", Player: "Bob"}}}
		made := 0
		for s.Result() == game.Ongoing && len(s.Moves(nil)) > 0 {
			moves := s.Moves(nil)
			m := moves[rng.IntN(len(moves))]
			if m == game.Pass {
				passes++
			} else {
				made++
			}
			rec.Moves = append(rec.Moves, s.MoveString(m))
			s.Make(m)
		}
		moves, err := Judge(t.Context(), analyst(t), g, &rec, explore.Query{Seconds: 60}, nil)
		if err != nil || len(moves) != made {
			t.Fatalf("%d moves of %d judged: %v", len(moves), made, err)
		}
		for _, m := range moves {
			if m.ScoreLost == nil || *m.ScoreLost < 0 || (*m.ScoreLost == 0) != (m.Best == m.Text) {
				t.Fatalf("%+v", m)
			}
			if want := map[string]string{"starter": "starter", "second": "Bob"}[m.Seat]; m.Player != want {
				t.Fatalf("%s is %s", m.Seat, m.Player)
			}
			lost += *m.ScoreLost
		}
	}
	if passes == 0 || lost == 0 {
		t.Errorf("%d passes, %d points lost", passes, lost)
	}
}

// TestOpen: unproved moves are not judged, and an illegal move is refused before anything is.
func TestOpen(t *testing.T) {
	g, err := halma.ByID("halma-star121-2p", "base")
	if err != nil {
		t.Fatal(err)
	}
	moves, err := Judge(t.Context(), analyst(t), g, &transcript.Game{Moves: []string{"d1-e5"}}, explore.Query{Seconds: 0.05}, nil)
	if err != nil || len(moves) != 1 || moves[0].ValueLost != nil || moves[0].Best != "" || moves[0].Value != explore.Open {
		t.Errorf("%+v, %v", moves, err)
	}
	asked := false
	if _, err := Judge(t.Context(), analyst(t), g, &transcript.Game{Moves: []string{"a1-q99"}}, explore.Query{Seconds: 0.05}, func() { asked = true }); err == nil || asked {
		t.Errorf("asked %v: %v", asked, err)
	}
	small, err := halma.ByID("halma-star13-2p", "base")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	moves, err = Judge(ctx, analyst(t), small, &transcript.Game{Moves: []string{"a1-b2", "e1-d2", "b2-c1"}}, explore.Query{Seconds: 60}, func() {
		if n++; n == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || len(moves) != 2 {
		t.Errorf("%d moves, %v", len(moves), err)
	}
}

// TestTallies sums up hand-made moves.
func TestTallies(t *testing.T) {
	n := func(i int) *int { return &i }
	moves := []Move{
		{Player: "a", Phase: Opening, Text: "x", Best: "x", ValueLost: n(0), DistanceLost: n(0)},
		{Player: "b", Phase: Opening, Text: "x", Best: "y", ValueLost: n(0), DistanceLost: n(4)},
		{Player: "a", Phase: Middle, Text: "x", Best: "y", ValueLost: n(2)},
		{Player: "a", Phase: End, Text: "x"},
		{Player: "a", Phase: End, Text: "x", Best: "y", ValueLost: n(1), ScoreLost: n(7)},
	}
	list := Tallies(moves)
	if len(list) != 2 || list[0].Player != "a" || list[1].Player != "b" {
		t.Fatalf("%+v", list)
	}
	a, b := list[0], list[1]
	if a.Moves != 4 || a.Judged != 3 || a.Best != 1 || a.Errors != 2 || a.ErrorsIn[Opening] != 0 || a.ErrorsIn[Middle] != 1 || a.JudgedIn[End] != 1 || a.ValueLost != 3 || a.ScoreLost != 7 || a.DistanceLost != 0 {
		t.Errorf("%+v", a)
	}
	if b.Judged != 1 || b.Errors != 0 || b.Best != 0 || b.DistanceLost != 4 {
		t.Errorf("%+v", b)
	}
	for plies, want := range map[int]string{1: "o", 2: "om", 3: "ome", 7: "ooommee"} {
		got := ""
		for ply := range plies {
			got += string(phase(ply, plies)[0])
		}
		if got != want {
			t.Errorf("%d plies: %s, want %s", plies, got, want)
		}
	}
}

// TestMissedWin: giving up a win proved by threats, on a board of 225 cells, is one error,
// though the rest is unknown.
func TestMissedWin(t *testing.T) {
	g, err := mnkwing.Wing().Open("mnk-15x15k5", "")
	if err != nil {
		t.Fatal(err)
	}
	rec := transcript.Game{ID: "mnk-15x15k5", Position: "15.15.15.15.9o5.8xxox3.6o1oxo4.7xoxx4.8xxoo3.7x1o5.6o8.15.15.15.15", Moves: []string{"l9"}}
	moves, err := Judge(t.Context(), analyst(t), g, &rec, explore.Query{Nodes: 1 << 15}, nil)
	if err != nil || len(moves) != 1 {
		t.Fatal(moves, err)
	}
	if m := moves[0]; m.Value != explore.Win || !m.Missed || m.Best != "h5" {
		t.Errorf("%+v", m)
	}
	if all := Tallies(moves); all[0].Errors != 1 || all[0].Judged != 1 || all[0].Best != 0 {
		t.Errorf("%+v", all[0])
	}
}
