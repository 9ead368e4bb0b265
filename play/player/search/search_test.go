package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/halma"
	"perfectplay/game/halma/evaluation"
	"perfectplay/game/halma/strong"
	"perfectplay/game/mnk"
	"perfectplay/game/wing"
	"perfectplay/solve/retro"
)

func board(t testing.TB, id, rules string) *halma.Game {
	t.Helper()
	g, err := halma.ByID(id, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// newSearch returns a search that judges halma by its evaluation and other games by their
// states.
func newSearch(t testing.TB, g game.Game, seed uint64) *Search {
	t.Helper()
	return newSearchBy(t, g, Options{Memory: 8 << 20, Seed: seed})
}

// judge is the evaluation of halma.
func judge(g game.Game) wing.Evaluator { return evaluation.New(g.(*halma.Game)) }

// newSearchBy is newSearch with options.
func newSearchBy(t testing.TB, g game.Game, o Options) *Search {
	t.Helper()
	if _, ok := g.(*halma.Game); ok {
		o.Evaluation = judge
	}
	w, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// wander plays n random turns from the start, fewer if the game would end.
func wander(g game.Game, rng *rand.Rand, n int) game.State {
	s := g.Start()
	for range n {
		moves := s.Moves(nil)
		if len(moves) == 0 {
			break
		}
		s.Make(moves[rng.IntN(len(moves))])
		if s.Result() != game.Ongoing {
			s.Unmake()
			break
		}
	}
	return s
}

// TestLegal: every search plays a legal move on every board with every number of seats, and in
// other games, and leaves the state as it was.
func TestLegal(t *testing.T) {
	var games []game.Game
	for i, size := range halma.Sizes() {
		// All stars but the largest, and one of nine of the many other boards.
		if strings.Contains(size.ID, "star") && !strings.Contains(size.ID, "star121p") || i%9 == 0 {
			games = append(games, board(t, size.ID, "base"))
		}
	}
	games = append(games, board(t, "halma-star73-4p", "house"), board(t, "halma-6x6p6", "sturtevant"), domino.Default())
	for _, id := range []string{"mnk-3x3k3", "mnk-9x9k5", "mnk-15x15k5"} {
		g, err := mnk.ByID(id)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	for _, g := range games {
		w := newSearch(t, g, 1)
		rng := rand.New(rand.NewPCG(7, 8))
		for _, n := range []int{0, 30} {
			s := wander(g, rng, n)
			if s.Result() != game.Ongoing {
				continue // nobody can move on the smallest board
			}
			before := s.String()
			moves := s.Moves(nil)
			a := w.Best(t.Context(), s, moves, Limits{Nodes: 80})
			if !slices.Contains(moves, a.Move) {
				t.Fatalf("%s: move %d is none", s, a.Move)
			}
			if s.String() != before {
				t.Fatalf("%s has become %s", before, s)
			}
			if a.Nodes > 80+50+int64(len(moves)) {
				t.Errorf("%s: %d positions, 80 were allowed", s, a.Nodes)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	if _, err := New(board(t, "halma-star13-2p", "base"), Options{Memory: 1}); err == nil {
		t.Error("a table in one byte")
	}
}

// TestClaims: on star 37, which is solved, proved claims are true, distances are reached, and
// the opponent's position is lost.
func TestClaims(t *testing.T) {
	g := board(t, "halma-star37-2p", "house")
	spec, err := g.TwoArmy()
	if err != nil {
		t.Fatal(err)
	}
	sol, err := strong.Solve(t.Context(), spec, strong.Options{Distances: true, Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	value := func(s game.State) (game.Value, int) { return sol.Value(halma.Sides(g, s)) }
	rng := rand.New(rand.NewPCG(11, 12))
	w := newSearch(t, g, 1)
	claims := map[game.Value]int{}
	for range 1500 {
		s := wander(g, rng, 10+rng.IntN(120))
		v, distance := value(s)
		a := w.Best(t.Context(), s, s.Moves(nil), Limits{Nodes: 400})
		if a.Value == game.Unknown {
			continue
		}
		claims[a.Value]++
		if a.Value != v || a.Distance < distance {
			t.Fatalf("%s: %v within %d, it is %v in %d", s, a.Value, a.Distance, v, distance)
		}
		if s.Make(a.Move); a.Value == game.Win && s.Result() == game.Ongoing {
			if after, _ := value(s); after != game.Loss {
				t.Fatalf("%s after the move is %v", s, after)
			}
		}
	}
	if claims[game.Win] < 40 || claims[game.Loss] < 2 {
		t.Errorf("claims %v: too few to mean much", claims)
	}
}

// TestKept: a proved win stays won, within its plies.
func TestKept(t *testing.T) {
	g := board(t, "halma-star37-2p", "base")
	rng := rand.New(rand.NewPCG(21, 22))
	won := 0
	for range 25 {
		w := newSearch(t, g, 1)
		s := wander(g, rng, 20+rng.IntN(100))
		seat, left := s.Seat(), -1
		for ply := 0; s.Result() == game.Ongoing && (ply < 80 || left > 0); ply++ {
			moves := s.Moves(nil)
			if s.Seat() != seat {
				s.Make(moves[rng.IntN(len(moves))])
				if left--; left == 0 {
					t.Fatalf("no win in time at %s", s)
				}
				continue
			}
			a := w.Best(t.Context(), s, moves, Limits{Nodes: 1000})
			if left > 0 && a.Value != game.Win {
				t.Fatalf("%s: was won within %d, now %v", s, left, a.Value)
			}
			if a.Value == game.Win && (left < 0 || a.Distance < left) {
				left = a.Distance
			}
			s.Make(a.Move)
			left--
		}
		if winner, ok := s.Result().Winner(); ok && winner == seat {
			won++
		} else if left >= 0 {
			t.Fatalf("not won at %s", s)
		}
	}
	if won < 15 {
		t.Errorf("won %d of 25 games against random moves", won)
	}
}

// TestProved: on stars of 13 holes a proof, of one thread or several, holds against all others
// together, and one thread finds quick wins.
func TestProved(t *testing.T) {
	for _, id := range []string{"halma-star13-2p", "halma-star13-3p", "halma-star13-4p"} {
		if id == "halma-star13-4p" && testing.Short() {
			continue // it costs more than both others
		}
		g := board(t, id, "base")
		sol, err := retro.Solve(t.Context(), g, retro.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		value := func(s game.State, seat int) (game.Value, int) {
			v, distance, ok := sol.Forced(s, 1<<seat)
			if !ok {
				t.Fatalf("%s: %s has no value", id, s)
			}
			return v, distance
		}
		rng := rand.New(rand.NewPCG(31, 32))
		claims, shares, quick := 0, 0, 0
		for i := range 210 {
			w, limits, count := newSearch(t, g, 1), Limits{Nodes: 3000}, &claims
			if i >= 150 {
				w, limits, count = shared(t, g, 0), Limits{Time: 30 * time.Millisecond}, &shares
			}
			s := wander(g, rng, rng.IntN(20))
			hero := s.Seat()
			v, distance := value(s, hero)
			a := w.Best(t.Context(), s, s.Moves(nil), limits)
			switch {
			case a.Value != game.Unknown && a.Value != v:
				t.Fatalf("%s: %v, it is %v", s, a.Value, v)
			case a.Value == game.Win && a.Distance < distance:
				t.Fatalf("%s: within %d, it takes %d", s, a.Distance, distance)
			case v == game.Win && distance <= 3 && i < 150:
				if quick++; a.Value != game.Win {
					t.Errorf("%s: won in %d and not seen", s, distance)
				}
			}
			if a.Value != game.Unknown {
				*count++
			}
			won := func(m game.Move, seat int) {
				s.Make(m)
				if s.Result() == game.Ongoing {
					if v, _ := value(s, seat); v != game.Win {
						t.Fatalf("%s is not won for seat %d: %v", s, seat, v)
					}
				}
				s.Unmake()
			}
			if a.Value == game.Win {
				won(a.Move, hero)
			}
			if w.tree.root == nil || i >= 150 {
				continue // a win at once needs no tree
			}
			for j := range w.tree.root.kids() { // proofs inside the tree, for any seat
				if x := &w.tree.root.kids()[j]; j < 200 && x.winner() >= 0 && x.winner() < maxSeats {
					won(x.move, x.winner())
				}
			}
		}
		if claims < 20 || shares < 8 || quick < 5 {
			t.Errorf("%s: %d claims, %d of several threads, %d quick wins: too few", id, claims, shares, quick)
		}
	}
}

// TestClock: a search ends when its clock says so, and when its context ends.
func TestClock(t *testing.T) {
	g := board(t, "halma-star121-2p", "base")
	now, asked := time.Unix(0, 0), 0
	w, err := New(g, Options{Evaluation: judge, Now: func() time.Time {
		asked++
		now = now.Add(time.Millisecond)
		return now
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := g.Start()
	a := w.Best(t.Context(), s, s.Moves(nil), Limits{Time: 40 * time.Millisecond})
	if asked < 5 || asked > 60 || a.Nodes > 64*60 {
		t.Errorf("asked for the time %d times, %d positions, for 40 ms of one each", asked, a.Nodes)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if a := w.Best(over, s, s.Moves(nil), Limits{}); a.Nodes > 200 {
		t.Errorf("%d positions after the end of the context", a.Nodes)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestRoundInCircles: a game repeats no choice while another is left; a repeated question gets
// the same answer.
func TestRoundInCircles(t *testing.T) {
	g := board(t, "halma-star37-2p", "base")
	w := newSearch(t, g, 1)
	s := g.Start()
	first := w.Best(t.Context(), s, s.Moves(nil), Limits{Nodes: 500}).Move
	choices := func() []game.Move {
		w.s = s.Clone()
		list, _ := w.fresh(s, s.Moves(nil))
		return list
	}
	if !slices.Contains(choices(), first) {
		t.Error("asked again at once it may not choose the same")
	}
	s.Make(first)
	s.Make(s.Moves(nil)[0])
	w.Best(t.Context(), s, s.Moves(nil), Limits{Nodes: 500})
	s.Unmake()
	s.Unmake()
	if list := choices(); slices.Contains(list, first) || len(list) != len(s.Moves(nil))-1 {
		t.Error("back at the start after another position it may choose the same")
	}
}

func BenchmarkBest(b *testing.B) {
	for _, id := range []string{"halma-star121-2p", "halma-star121-6p"} {
		b.Run("game="+id[6:], func(b *testing.B) {
			g := board(b, id, "base")
			s := wander(g, rand.New(rand.NewPCG(1, 2)), 60)
			nodes := int64(0)
			for b.Loop() {
				w := newSearch(b, g, 1)
				a := w.Best(b.Context(), s, s.Moves(nil), Limits{Nodes: 20_000})
				nodes += a.Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}
