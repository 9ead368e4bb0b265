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
	"perfectplay/solve/coalition"
)

func board(t testing.TB, id, rules string) *halma.Game {
	t.Helper()
	g, err := halma.ByID(id, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// newSearch judges halma by its evaluation, other games by themselves.
func newSearch(t testing.TB, g game.Game, kind Kind, seed uint64) *Search {
	t.Helper()
	o := Options{Memory: 8 << 20, Seed: seed}
	if h, ok := g.(*halma.Game); ok {
		o.Evaluator = evaluation.New(h)
	}
	w, err := New(g, kind, o)
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

// kinds are those for a number of seats.
func kinds(seats int) []Kind {
	return slices.DeleteFunc(Kinds(), func(k Kind) bool { return k == AlphaBeta && seats > 2 })
}

// wander plays n random turns from the start, fewer where the game would end.
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

// TestLegal: every search plays a legal move on every board with every number of
// seats, and in other games, and leaves the state as it is.
func TestLegal(t *testing.T) {
	var games []game.Game
	for i, size := range halma.Sizes() {
		if strings.Contains(size.ID, "star") && !strings.Contains(size.ID, "star121p") || i%9 == 0 { // the diamonds are many
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
		for _, kind := range kinds(g.Seats()) {
			w := newSearch(t, g, kind, 1)
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
					t.Fatalf("%v: %s: move %d is none", w, s, a.Move)
				}
				if s.String() != before {
					t.Fatalf("%v: %s has become %s", w, before, s)
				}
				if a.Nodes > 80+50+int64(len(moves)) {
					t.Errorf("%v: %s: %d positions, 80 were allowed", w, s, a.Nodes)
				}
			}
		}
	}
}

func TestRefused(t *testing.T) {
	if _, err := New(board(t, "halma-star13-3p", "base"), AlphaBeta, Options{}); err == nil {
		t.Error("alphabeta for three")
	}
	if _, err := New(board(t, "halma-star13-2p", "base"), "best", Options{}); err == nil {
		t.Error("best is no search")
	}
	if _, err := New(board(t, "halma-star13-2p", "base"), AlphaBeta, Options{Memory: 1}); err == nil {
		t.Error("a table in one byte")
	}
}

// TestDeterministic: equal seeds and budgets give equal games.
func TestDeterministic(t *testing.T) {
	for _, id := range []string{"halma-star73-2p", "halma-star121-3p"} {
		g := board(t, id, "base")
		for _, kind := range kinds(g.Seats()) {
			var first []game.Move
			for range 2 {
				w := newSearch(t, g, kind, 3)
				s := g.Start()
				var made []game.Move
				for range 12 {
					a := w.Best(t.Context(), s, s.Moves(nil), Limits{Nodes: 400})
					made = append(made, a.Move)
					s.Make(a.Move)
				}
				if first == nil {
					first = made
				} else if !slices.Equal(first, made) {
					t.Errorf("%v: %v and %v", w, first, made)
				}
			}
		}
	}
}

// TestClaims: on star 37, where all is known, what a search calls proved is, its
// distances are reached, and the position it leaves to the opponent is lost.
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
	t.Cleanup(func() { sol.Close() })
	value := func(s game.State) (game.Value, int) { return sol.Value(halma.Sides(g, s)) }
	rng := rand.New(rand.NewPCG(11, 12))
	for _, kind := range []Kind{AlphaBeta, Paranoid, MonteCarlo} {
		w := newSearch(t, g, kind, 1)
		claims := map[game.Value]int{}
		for i := range 1500 {
			if kind != AlphaBeta && i == 400 {
				break
			}
			s := wander(g, rng, 10+rng.IntN(120))
			v, distance := value(s)
			a := w.Best(t.Context(), s, s.Moves(nil), Limits{Nodes: 400})
			if a.Value == game.Unknown {
				continue
			}
			claims[a.Value]++
			if a.Value != v || a.Distance < distance {
				t.Fatalf("%v: %s: %v within %d, it is %v in %d", w, s, a.Value, a.Distance, v, distance)
			}
			if s.Make(a.Move); a.Value == game.Win && s.Result() == game.Ongoing {
				if after, _ := value(s); after != game.Loss {
					t.Fatalf("%v: %s after the move is %v", w, s, after)
				}
			}
		}
		if claims[game.Win] < 40 || claims[game.Loss] < 2 {
			t.Errorf("%v: claims %v: too few to mean much", w, claims)
		}
	}
}

// TestKept: what is once proved won is won, within the plies it said.
func TestKept(t *testing.T) {
	g := board(t, "halma-star37-2p", "base")
	rng := rand.New(rand.NewPCG(21, 22))
	for _, kind := range []Kind{AlphaBeta, Paranoid, MonteCarlo} {
		won := 0
		for range 25 {
			w := newSearch(t, g, kind, 1)
			s := wander(g, rng, 20+rng.IntN(100))
			seat, left := s.Seat(), -1
			for ply := 0; s.Result() == game.Ongoing && (ply < 80 || left > 0); ply++ {
				moves := s.Moves(nil)
				if s.Seat() != seat {
					s.Make(moves[rng.IntN(len(moves))])
					if left--; left == 0 {
						t.Fatalf("%v: no win in time at %s", w, s)
					}
					continue
				}
				a := w.Best(t.Context(), s, moves, Limits{Nodes: 1000})
				if left > 0 && a.Value != game.Win {
					t.Fatalf("%v: %s: was won within %d, now %v", w, s, left, a.Value)
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
				t.Fatalf("%v: not won at %s", w, s)
			}
		}
		if won < 15 {
			t.Errorf("%v won %d of 25 games against random moves", kind, won)
		}
	}
}

// TestProvedAmongMany: on stars of 13 holes a proof of mcts and of paranoid is what the
// seat can force against all others together, and quick wins are found.
func TestProvedAmongMany(t *testing.T) {
	for _, id := range []string{"halma-star13-2p", "halma-star13-3p", "halma-star13-4p"} {
		g := board(t, id, "base")
		sol, err := coalition.Solve(t.Context(), g, 1<<22, nil)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(31, 32))
		for _, kind := range []Kind{MonteCarlo, Paranoid} {
			claims, quick := 0, 0
			for range 150 {
				w := newSearch(t, g, kind, 1)
				s := wander(g, rng, rng.IntN(20))
				hero := s.Seat()
				alone := uint8(1) << hero
				v, distance, ok := sol.Value(s, alone)
				if !ok {
					t.Fatalf("%s: %s has no value", id, s)
				}
				a := w.Best(t.Context(), s, s.Moves(nil), Limits{Nodes: 3000})
				switch {
				case a.Value == game.Win && v != game.Win, a.Value == game.Loss && v != game.Loss:
					t.Fatalf("%v: %s: %v, it is %v", w, s, a.Value, v)
				case a.Value == game.Win && a.Distance < distance:
					t.Fatalf("%v: %s: within %d, it takes %d", w, s, a.Distance, distance)
				case v == game.Win && distance <= 3:
					if quick++; a.Value != game.Win {
						t.Errorf("%v: %s: won in %d and not seen", w, s, distance)
					}
				}
				if a.Value != game.Unknown {
					claims++
				}
				for i := range w.tree.nodes { // proofs inside the tree, for any seat
					if x := w.tree.nodes[i]; i > 0 && i < 200 && x.winner >= 0 && x.winner < maxSeats && i <= int(w.tree.nodes[0].n) {
						s.Make(x.move)
						if s.Result() == game.Ongoing {
							if v, _, _ := sol.Value(s, 1<<x.winner); v != game.Win {
								t.Fatalf("%v: %s is not won for seat %d: %v", w, s, x.winner, v)
							}
						}
						s.Unmake()
					}
				}
			}
			if claims < 20 || quick < 5 {
				t.Errorf("%s %s: %d claims, %d quick wins: too few", id, kind, claims, quick)
			}
		}
	}
}

// TestClock: a search ends when its clock says so, and when its context ends.
func TestClock(t *testing.T) {
	g := board(t, "halma-star121-2p", "base")
	for _, kind := range kinds(2) {
		now, asked := time.Unix(0, 0), 0
		w, err := New(g, kind, Options{Evaluator: evaluation.New(g), Now: func() time.Time {
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
			t.Errorf("%s: asked for the time %d times, %d positions, for 40 ms of one each", kind, asked, a.Nodes)
		}
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if a := w.Best(over, s, s.Moves(nil), Limits{}); a.Nodes > 200 {
			t.Errorf("%s: %d positions after the end of the context", kind, a.Nodes)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestRoundInCircles: a choice is not repeated in the same game while another is left,
// but asked again at once it is the same.
func TestRoundInCircles(t *testing.T) {
	g := board(t, "halma-star37-2p", "base")
	w := newSearch(t, g, AlphaBeta, 1)
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
	for _, c := range []struct {
		id   string
		kind Kind
	}{
		{"halma-star121-2p", AlphaBeta}, {"halma-star121-2p", MonteCarlo}, {"halma-star121-6p", Paranoid}, {"halma-star121-6p", MonteCarlo},
		{"halma-star121-6p", Plan},
	} {
		b.Run("game="+c.id[6:]+"/kind="+string(c.kind), func(b *testing.B) {
			g := board(b, c.id, "base")
			s := wander(g, rand.New(rand.NewPCG(1, 2)), 60)
			nodes := int64(0)
			for b.Loop() {
				w := newSearch(b, g, c.kind, 1)
				a := w.Best(b.Context(), s, s.Moves(nil), Limits{Nodes: 20_000})
				nodes += a.Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}
