package equilibrium

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game/domino"
)

// worthOf is the value of a position for a seat if both seats play by a plan.
func (r Rules) worthOf(p domino.Position, past string, passed bool, me uint8, plan map[string][]float64) float64 {
	moves := legal(p)
	switch {
	case p.Hands[0] == 0 || p.Hands[1] == 0 || len(moves) == 0 && passed:
		return float64(r.score(p.Hands[me].Pips(), p.Hands[me^1].Pips()))
	case len(moves) == 0:
		return r.worthOf(p.Pass(), past+" pass", true, me, plan)
	}
	sum := 0.0
	for i, m := range moves {
		probability := 1 / float64(len(moves))
		if list := plan[PlanKey(p.Hands[p.Mover], past)]; list != nil {
			probability = list[i]
		}
		sum += probability * r.worthOf(p.Play(m), past+" "+p.MoveText(m), false, me, plan)
	}
	return sum
}

// reachOf is the probability that a seat with its hand follows a path from a position.
func reachOf(p domino.Position, path []domino.Move, seat uint8, plan map[string][]float64) float64 {
	past, reach := "", 1.0
	for _, m := range path {
		moves := legal(p)
		if m == domino.Passed {
			if len(moves) > 0 {
				return 0
			}
			past, p = past+" pass", p.Pass()
			continue
		}
		i := slices.Index(moves, m)
		if i < 0 {
			return 0
		}
		if p.Mover == seat {
			if list := plan[PlanKey(p.Hands[seat], past)]; list != nil {
				reach *= list[i]
			} else {
				reach /= float64(len(moves))
			}
		}
		past, p = past+" "+p.MoveText(m), p.Play(m)
	}
	return reach
}

// TestAdvise compares probabilities, worths, and the probability that a deal reaches a decision, at
// every information set with sums over deals, from the root of games and from later states.
func TestAdvise(t *testing.T) {
	g := Game{3, 3, Study}
	whole, err := New(g)
	if err != nil {
		t.Fatal(err)
	}
	other, err := New(Game{2, 3, OpenSpiel})
	if err != nil {
		t.Fatal(err)
	}
	solvers := []*Solver{other, whole}
	r := rand.New(rand.NewPCG(3, 3))
	for len(solvers) < 13 {
		s := g.Roots()[r.IntN(3)].State
		for range 1 + r.IntN(2) {
			if moves := s.plays(nil); len(moves) > 0 && r.IntN(3) > 0 {
				s = s.Play(moves[0])
			} else if next, ok := s.pass(); ok && !s.Passed {
				s = next
			}
		}
		rest, err := g.Rest(s, solvers[len(solvers)-1])
		if err != nil {
			t.Fatal(err)
		}
		solvers = append(solvers, rest)
	}
	sets := 0
	for _, s := range solvers {
		s.Iterate(9)
		reached := map[string]float64{}
		_ = s.Decisions(func(root *Root, spot *Spot, _ []float64, reach float64) error {
			reached[root.Name+PlanKey(spot.Hand, spot.Past)] = reach
			return nil
		})
		for i, p := range s.parts {
			root := p.root()
			plan := map[string][]float64{}
			_ = p.spotsWith(func(spot *Spot, w []float64) error {
				plan[PlanKey(spot.Hand, spot.Past)] = slices.Clone(w)
				return nil
			})
			_ = p.spotsWith(func(spot *Spot, w []float64) error {
				sets++
				list, err := s.Advise(i, spot.Path, spot.Hand, true)
				if err != nil || len(list) != len(w) {
					t.Fatalf("%v%s: %v", spot.Hand, spot.Past, err)
				}
				me := spot.Mover & 1
				worth, deals, both := make([]float64, len(w)), 0.0, 0.0
				for p := range root.Positions() {
					own := p.Hands[me]
					if reachOf(p, spot.Path, me, nil) == 0 || own&^played(spot.Path) != spot.Hand {
						continue
					}
					reach := reachOf(p, spot.Path, me^1, plan)
					deals += reach
					both += reach * reachOf(p, spot.Path, me, plan) / float64(s.deals)
					for _, m := range spot.Path {
						p = p.Play(m)
					}
					for i, m := range spot.Moves {
						worth[i] += reach * s.Rules.worthOf(p.Play(m), spot.Past+" "+p.MoveText(m), false, me, plan)
					}
				}
				for i, a := range list {
					if a.Move != spot.Moves[i] || math.Abs(a.Probability-w[i]) > 1e-12 || a.Known != (deals > 0) ||
						a.Known && math.Abs(a.Worth-worth[i]/deals) > 1e-9 {
						t.Fatalf("%v%s: %+v, want %v with %v and %v", spot.Hand, spot.Past, a, spot.Moves[i], w[i], worth[i]/deals)
					}
				}
				if len(w) > 1 {
					key := root.Name + PlanKey(spot.Hand, spot.Past)
					if got, ok := reached[key]; !ok || math.Abs(got-both) > 1e-12 {
						t.Fatalf("%v%s: reached with probability %v, want %v", spot.Hand, spot.Past, got, both)
					}
					delete(reached, key)
				}
				return nil
			})
		}
		if len(reached) > 0 {
			t.Errorf("%v: %d decisions of no information set", s, len(reached))
		}
	}
	if sets < 2000 {
		t.Errorf("%d information sets", sets)
	}
}

// played are the tiles of a path.
func played(path []domino.Move) (s domino.Set) {
	for _, m := range path {
		if m != domino.Passed {
			s = s.With(m.Tile())
		}
	}
	return s
}

// TestAdviseRefuses: moves that lead to no choice are errors.
func TestAdviseRefuses(t *testing.T) {
	g := Game{3, 3, Study}
	s, err := New(g)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(context.Background(), Options{Threads: 1, Iterations: 1}); err != nil {
		t.Fatal(err)
	}
	hand := domino.SetOf(domino.NewTile(0, 3), domino.NewTile(1, 3), domino.NewTile(0, 0))
	if list, err := s.Advise(0, nil, hand, false); err != nil || len(list) != 2 {
		t.Errorf("%v: %v", list, err)
	}
	for _, c := range []struct {
		past []domino.Move
		hand domino.Set
		want error
	}{
		{nil, hand.Without(0), errHolder},
		{nil, hand.With(domino.Double(3)).Without(0), errHolder},
		{[]domino.Move{domino.NewMove(domino.NewTile(0, 1), domino.RightEnd)}, hand, errLine},
		{[]domino.Move{domino.Passed, domino.Passed}, hand, errLine},
	} {
		if _, err := s.Advise(0, c.past, c.hand, true); err != c.want {
			t.Errorf("%v, %v: %v, want %v", c.past, c.hand, err, c.want)
		}
	}
	if _, err := g.Rest(State{Size: [2]int8{0, 2}}, nil); err == nil {
		t.Error("a deal that is over was solved")
	}
}
