package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
)

// TestLikely: what a plan expects of another seat is what a greedy player does with
// every move compared, but for a win: nearly always, as it compares a few.
func TestLikely(t *testing.T) {
	for _, id := range []string{"halma-star37-2p", "halma-star121-3p", "halma-star121-6p"} {
		g := board(t, id, "base")
		w := newSearch(t, g, Plan, 1)
		rng := rand.New(rand.NewPCG(41, 42))
		plies, missed := 0, 0
		for range 6 {
			s := wander(g, rng, 4)
			for ply := 0; s.Result() == game.Ongoing && ply < 240; ply++ {
				seat, most, won := s.Seat(), int32(math.MinInt32), false
				for _, m := range s.Moves(nil) {
					s.Make(m)
					if winner, over := s.Result().Winner(); over && winner == seat {
						won = true
					} else {
						most = max(most, s.(game.Evaluator).Evaluate(seat))
					}
					s.Unmake()
				}
				w.s = s
				before := s.String()
				m, wins := w.likely()
				if s.String() != before || wins != won {
					t.Fatalf("%s: %s has become %s; can win %t, want %t", id, before, s, wins, won)
				}
				s.Make(m)
				plies++
				if s.(game.Evaluator).Evaluate(seat) != most {
					missed++
				}
			}
		}
		if t.Logf("%s: %d of %d moves missed", id, missed, plies); missed*50 > plies {
			t.Errorf("%s: %d of %d moves missed", id, missed, plies)
		}
	}
}

// TestPlanHome: an army alone comes home, and its last turns are as few as there are.
func TestPlanHome(t *testing.T) {
	const last = 3
	for _, id := range []string{"halma-star37-1p", "halma-star73-1p"} {
		g := board(t, id, "base")
		rng := rand.New(rand.NewPCG(43, 44))
		for range 6 {
			w := newSearch(t, g, Plan, 1)
			w.o.Evaluator = nil // which would finish the race by itself
			s := wander(g, rng, 4)
			n := 0
			for ; s.Result() == game.Ongoing; n++ {
				if n == 60 {
					t.Fatalf("%s: not home in %d turns: %s", id, n, s)
				}
				s.Make(w.Best(t.Context(), s, s.Moves(nil), Limits{Nodes: 10_000}).Move)
			}
			for range last {
				s.Unmake()
			}
			if home(s, last-1) {
				t.Errorf("%s: %s is nearer to home than %d turns", id, s, last)
			}
		}
	}
}

// home reports whether an army alone comes home in so many turns.
func home(s game.State, turns int) bool {
	if s.Result() != game.Ongoing || turns == 0 {
		return s.Result() != game.Ongoing
	}
	for _, m := range s.Moves(nil) {
		s.Make(m)
		found := home(s, turns-1)
		s.Unmake()
		if found {
			return true
		}
	}
	return false
}

// TestPlanGoesOn: a plan does not end where another seat could win, so that the hero
// still goes home the short way should it not.
func TestPlanGoesOn(t *testing.T) {
	g := board(t, "halma-star121-6p", "base")
	w := newSearch(t, g, Plan, 1)
	rng := rand.New(rand.NewPCG(45, 46))
	ends := 0
	for range 12 {
		s := wander(g, rng, 4)
		var made []game.Move
		for s.Result() == game.Ongoing && len(made) < 400 {
			w.s = s
			m, wins := w.likely()
			if wins {
				break
			}
			s.Make(m)
			made = append(made, m)
		}
		if len(made) == 400 {
			continue // all are in each other's way
		}
		for range 3 { // the seat whose turn is three before the win
			s.Unmake()
		}
		ends++
		a := w.Best(t.Context(), s, s.Moves(nil), Limits{Nodes: 8000})
		if a.Turns == 0 && a.Depth < horizon && a.Score < 0 {
			t.Errorf("%s: the plan ends after %d turns", s, a.Depth)
		}
	}
	if ends < 4 {
		t.Errorf("%d games ended", ends)
	}
}
