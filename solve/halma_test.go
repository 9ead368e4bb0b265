package solve_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/solve"
)

// verdict is the result of a search without its cost.
func verdict(s solve.Search) string {
	return fmt.Sprintf("%d %s %v %d %d", s.Opening, s.Name, s.Value, s.Winner, s.Distance)
}

func verdicts(t *testing.T, g game.Game, o solve.Options) []string {
	t.Helper()
	rep, err := solve.Run(context.Background(), g, g.Start(), o)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, s := range append(rep.Openings, rep.Whole) {
		rows = append(rows, verdict(s))
	}
	return append(rows, fmt.Sprint(rep.Line))
}

// TestSameVerdicts: threads, table sizes, move ordering and deepening change no result of small
// games, for the whole, every opening and the line.
func TestSameVerdicts(t *testing.T) {
	type subject struct {
		id    string
		limit int
	}
	subjects := []subject{}
	less := 0
	if testing.Short() {
		less = 3
	}
	for _, seats := range []int{2, 3, 4, 6} {
		subjects = append(subjects, subject{fmt.Sprintf("halma-star13-%dp", seats), 14 - less},
			subject{fmt.Sprintf("halma-star37-%dp", seats), 9 - less})
	}
	one := 0
	for _, s := range subjects {
		for _, rules := range []string{"base", "house"} {
			for _, algo := range []solve.Algo{solve.Paranoid, solve.MaxN} {
				g := onStar(t, s.id, rules)
				o := solve.Options{Algo: algo, Limit: s.limit, Threads: 1, Memory: 64 << 20}
				if algo == solve.Paranoid {
					o.Hero = &one
				}
				want := verdicts(t, g, o)
				for name, change := range map[string]func(*solve.Options){
					"two threads":   func(o *solve.Options) { o.Threads = 2 },
					"tiny table":    func(o *solve.Options) { o.Memory = 64 << 10 },
					"large, two":    func(o *solve.Options) { o.Memory, o.Threads = 512<<20, 2 },
					"no ordering":   func(o *solve.Options) { o.Ordering = &solve.Ordering{} },
					"no deepening":  func(o *solve.Options) { o.Direct = true },
					"two, no order": func(o *solve.Options) { o.Ordering, o.Threads = &solve.Ordering{}, 2 },
				} {
					changed := o
					change(&changed)
					if got := verdicts(t, g, changed); !slices.Equal(got, want) {
						t.Errorf("%s %s %s, %s:\n%q\nwant\n%q", s.id, rules, algo, name, got, want)
					}
				}
			}
		}
	}
}

// TestNoAllocations: a deeper search visits many times more positions and does not allocate for
// them.
func TestNoAllocations(t *testing.T) {
	for _, c := range []struct {
		algo      solve.Algo
		unbounded bool
		from      int // the smaller one of two limits
	}{{solve.Paranoid, true, 4}, {solve.Paranoid, false, 14}, {solve.Proof, true, 4}, {solve.MaxN, true, 4}} {
		algo, unbounded := c.algo, c.unbounded
		g := onStar(t, "halma-star37-3p", "base")
		run := func(limit int) (nodes uint64, allocs float64) {
			allocs = testing.AllocsPerRun(1, func() {
				rep, err := solve.Run(context.Background(), g, g.Start(), solve.Options{Algo: algo, Limit: limit, Threads: 1,
					Memory: 1 << 20, Scope: solve.WholeOnly, NoLine: true, NoBound: unbounded, Direct: true})
				if err != nil {
					t.Fatal(err)
				}
				nodes = rep.Total.Nodes
			})
			return nodes, allocs
		}
		few, a := run(c.from)
		many, b := run(c.from + 1)
		for limit := c.from + 2; many < few+5000; limit++ {
			many, b = run(limit)
		}
		if per := (b - a) / float64(many-few); per > 0.001 {
			t.Errorf("%s: %v allocations for %d positions, %v for %d", algo, a, few, b, many)
		}
	}
}

// TestNeverByFarWins: seat 1 never wins, because of wins of seat 2 that are too far away for a
// search for wins of seat 1.
func TestNeverByFarWins(t *testing.T) {
	g := onStar(t, "halma-5x5p3", "sturtevant")
	for _, position := range []string{"_.__.___._1__.2_1__._2__._1_._2._-2", "_.__._1_.____._22__.____.11_.2_._-2", "_._1.__2.__1_.__1__._2__._2_.__._-1"} {
		s, err := g.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		f := solve.Fact{WinOver: 5, WinBy: solve.Never, LossOver: solve.Never, LossBy: solve.Never}
		if wrong, err := solve.Check(t.Context(), g, s, 0, f, solve.Options{Threads: 1, Memory: 16 << 20}); wrong != nil || err != nil {
			t.Errorf("%s: %v, %v", position, wrong, err)
		}
		f.WinOver, f.LossOver = solve.Never, 5
		if wrong, err := solve.Check(t.Context(), g, s, 0, f, solve.Options{Threads: 1, Memory: 16 << 20}); wrong == nil || err != nil || errors.Is(wrong, solve.ErrUndecided) {
			t.Errorf("%s: a seat that wins is said never to: %v, %v", position, wrong, err)
		}
	}
}

// TestAllies compares searches of several seats against one with searches without bounds.
func TestAllies(t *testing.T) {
	decided, compared := 0, 0
	for i, id := range []string{"halma-star13-3p", "halma-star13-4p", "halma-star13-6p", "halma-star37p1-3p", "halma-star37p1-4p",
		"halma-star37p1-6p", "halma-star37p2-3p", "halma-star37p2-4p", "halma-star37p2-6p", "halma-star37-3p", "halma-star37-4p"} {
		for j, rules := range []string{"base", "house", "liou", "house-code", "house-readme"} {
			g := onStar(t, id, rules)
			rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
			for range *allied {
				s := leaned(g, rng)
				if s.Result() != game.Ongoing {
					continue
				}
				hero := rng.IntN(g.Seats())
				o := solve.Options{Algo: solve.Paranoid, Hero: &hero, Limit: 3 + rng.IntN(5), Threads: 1, Memory: 1 << 20, Scope: solve.WholeOnly, NoLine: true}
				plain := o
				plain.NoBound, plain.Nodes = true, 20_000
				want, err := solve.Run(context.Background(), g, s, plain)
				if err != nil {
					t.Fatal(err)
				}
				if want.Interrupted {
					continue
				}
				got, err := solve.Run(context.Background(), g, s, o)
				if err != nil {
					t.Fatal(err)
				}
				compared++
				if want.Whole.Value != game.Unknown {
					decided++
				}
				if a, b := got.Whole, want.Whole; a.Value != b.Value || a.Distance != b.Distance || a.Reached != b.Reached {
					t.Errorf("%s %s: %s, seat %s within %d plies: %v in %d, without bounds %v in %d", id, rules, s, g.SeatName(hero), o.Limit, a.Value, a.Distance, b.Value, b.Distance)
				}
			}
		}
	}
	t.Logf("%d compared, %d decided", compared, decided)
	if compared < 6**allied || decided < 2**allied {
		t.Errorf("%d compared, %d decided: too few to say anything", compared, decided)
	}
}

var allied = flag.Int("allied", 10, "positions of each game and rule set that TestAllies compares")

// leaned returns a position of a random game in which most moves gain.
func leaned(g game.Game, rng *rand.Rand) game.State {
	s := g.Start()
	for range rng.IntN(40) {
		moves := s.Moves(nil)
		if s.Result() != game.Ongoing {
			break
		}
		best, o := moves[rng.IntN(len(moves))], s.(game.Orderer)
		for _, m := range moves {
			if rng.IntN(2) == 0 && o.Gain(m) > o.Gain(best) {
				best = m
			}
		}
		s.Make(best)
	}
	return s
}

// TestLineCost: the line takes no more nodes than the value. Here its first move would take four
// times as many, and the table has another move that loses as late.
func TestLineCost(t *testing.T) {
	if testing.Short() {
		t.Skip("searches a board for seconds; not with -short")
	}
	t.Parallel()
	g := onStar(t, "halma-star121-4p", "house")
	run := func(s game.State, limit int) *solve.Report {
		hero := 0
		r, err := solve.Run(context.Background(), g, s, solve.Options{Limit: limit, Hero: &hero, Scope: solve.WholeOnly, Threads: 1, Memory: 256 << 20})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	s := g.Start()
	r := run(s, 12)
	if w := r.Whole; w.Value != game.Loss || w.Distance != 12 || len(r.Line) > 0 || w.Move == game.NoMove || r.Interrupted {
		t.Fatalf("%v in %d by %s, line %v, interrupted: %v", w.Value, w.Distance, w.Name, r.Line, r.Interrupted)
	}
	if r.LineNodes < r.Whole.Nodes/2 || r.LineNodes > r.Whole.Nodes || r.Total.Nodes != r.Whole.Nodes+r.LineNodes {
		t.Errorf("%d nodes for the value, %d for the line, %d in all", r.Whole.Nodes, r.LineNodes, r.Total.Nodes)
	}
	s.Make(r.Whole.Move)
	if after := run(s, 10).Whole; after.Value != game.Unknown {
		t.Errorf("after %s: %v in %d", r.Whole.Name, after.Value, after.Distance)
	}
}

// TestHorizonIsNoDraw: for every engine and scope, a result not forced within the limit is unknown,
// and no move is best.
func TestHorizonIsNoDraw(t *testing.T) {
	g, err := halma.ByID("halma-star37-2p", "house")
	if err != nil {
		t.Fatal(err)
	}
	for _, algo := range []solve.Algo{solve.AlphaBeta, solve.Paranoid, solve.Proof, solve.MaxN} {
		for _, scope := range []solve.Scope{solve.Both, solve.WholeOnly, solve.OpeningsOnly} {
			r, err := solve.Run(context.Background(), g, g.Start(), solve.Options{Algo: algo, Limit: 12, Scope: scope, Threads: 1, Memory: 16 << 20})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range append(r.Openings, r.Whole) {
				if s.Value != game.Unknown || s.Winner >= 0 || s.Reached != 12 || r.Word(&s) != "open" {
					t.Errorf("%s, scope %d, %q: %v in %d, winner %d, %d plies", algo, scope, s.Name, s.Value, s.Distance, s.Winner, s.Reached)
				}
			}
			if r.Interrupted || r.Whole.Move != game.NoMove || r.Line != nil {
				t.Errorf("%s, scope %d: %+v", algo, scope, r)
			}
		}
	}
}
