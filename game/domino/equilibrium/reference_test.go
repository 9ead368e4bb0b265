package equilibrium

import (
	"flag"
	"math"
	"math/big"
	"slices"
	"testing"

	"perfectplay/game/domino"
)

// reference is the algorithm in its plainest form: it walks the tree of each deal, with information
// sets by text.
type reference struct {
	rules Rules
	deals []domino.Position
	sets  map[string]*infoSet
	count float64 // weight of the last iteration's regrets
}

// infoSet is an information set, with regrets and average by move.
type infoSet struct {
	seat                  uint8
	tiles                 int
	regrets, sums, change []float64
}

// newReference deals all hands from a root.
func newReference(rules Rules, root Root) *reference {
	r := &reference{rules: rules, sets: map[string]*infoSet{}}
	r.deals = slices.Collect(root.Positions())
	return r
}

func (r *reference) set(p domino.Position, past string, moves int) *infoSet {
	key := PlanKey(p.Hands[p.Mover], past)
	s := r.sets[key]
	if s == nil {
		s = &infoSet{p.Mover, p.Hands[p.Mover].Len(), make([]float64, moves), make([]float64, moves), make([]float64, moves)}
		r.sets[key] = s
	}
	return s
}

// proportional returns probabilities proportional to weights.
func proportional(weights []float64) []float64 {
	sum, p := 0.0, make([]float64, len(weights))
	for _, w := range weights {
		sum += w
	}
	for i, w := range weights {
		if p[i] = w / sum; sum == 0 {
			p[i] = 1 / float64(len(weights))
		}
	}
	return p
}

// walk returns the value of a position for a seat. When learning it records the regrets.
func (r *reference) walk(p domino.Position, past string, passed bool, me uint8, own, other, gain float64) float64 {
	if p.Hands[0] == 0 || p.Hands[1] == 0 {
		return float64(r.rules.score(p.Hands[me].Pips(), p.Hands[me^1].Pips()))
	}
	moves := legal(p)
	if len(moves) == 0 {
		if passed {
			return float64(r.rules.score(p.Hands[me].Pips(), p.Hands[me^1].Pips()))
		}
		return r.walk(p.Pass(), past+" pass", true, me, own, other, gain)
	}
	s := r.set(p, past, len(moves))
	probability := proportional(s.regrets)
	values, value := make([]float64, len(moves)), 0.0
	for i, m := range moves {
		a, b := own, other
		if p.Mover == me {
			a *= probability[i]
		} else {
			b *= probability[i]
		}
		values[i] = r.walk(p.Play(m), past+" "+p.MoveText(m), false, me, a, b, gain)
		value += probability[i] * values[i]
	}
	for i := range moves {
		if p.Mover == me {
			s.change[i] += other * (values[i] - value)
		} else {
			s.change[i] = gain * other * probability[i] // equal for every deal of the set
		}
	}
	return value
}

// iterate does iteration t.
func (r *reference) iterate(t int) {
	r.count = weight(t, r.count)
	for _, me := range []uint8{1, 0} {
		for _, p := range r.deals {
			r.walk(p, "", false, me, 1, 1, float64(t*t))
		}
		for _, s := range r.sets {
			for i, d := range s.change {
				if s.change[i] = 0; s.seat != me {
					s.sums[i] += d
				} else if s.regrets[i] += r.count * d; s.regrets[i] < snap {
					s.regrets[i] = 0
				}
			}
		}
	}
}

var everySet = flag.Bool("sets", false, "compare all sets of up to 5,000 deals an opener with the reference")

// TestReference compares all regrets and sums, iteration by iteration, and the bounds with exact
// best answers.
func TestReference(t *testing.T) {
	games := []Game{{2, 2, Study}, {2, 2, OpenSpiel}, {3, 3, Study}, {3, 2, Study}}
	if *everySet {
		games = append(games, Game{2, 3, Study}, Game{3, 4, Study}, Game{3, 5, Study}, Game{4, 2, Study}, Game{5, 2, Study}, Game{6, 2, Study})
	}
	for _, g := range games {
		for _, root := range g.Roots() {
			r := newReference(g.Rules, root)
			p, err := newPart[float64](g.Rules, root, new(tables))
			if err != nil {
				t.Fatal(err)
			}
			if len(r.deals) != int(root.Deals) {
				t.Fatalf("%v %s: %d deals, want %d", g, root.Name, root.Deals, len(r.deals))
			}
			for i := 1; i <= 20; i++ {
				r.iterate(i)
				p.learn(t.Context(), i, 1)
				r.same(t, p)
			}
			low, high, err := g.Rules.exact(root, planOf(p))
			if err != nil {
				t.Fatal(err)
			}
			b := p.bounds(1)
			if l, _ := low.Float64(); l < b.Low || l > b.Low+1e-9 {
				t.Errorf("%v %s: low %v, want %v", g, root.Name, b.Low, l)
			}
			if h, _ := high.Float64(); h > b.High || h < b.High-1e-9 {
				t.Errorf("%v %s: high %v, want %v", g, root.Name, b.High, h)
			}
		}
	}
}

// same compares the numbers of all information sets of two tiles or more.
func (r *reference) same(t *testing.T, p *part[float64]) {
	t.Helper()
	sets := 0
	_ = p.spots(func(s *Spot) error {
		set := r.sets[PlanKey(s.Hand, s.Past)]
		sets++
		for i, n := range s.at {
			if math.Abs(set.regrets[i]-p.regrets[n]) > 1e-9 || math.Abs(set.sums[i]-p.sums[n]) > 1e-9 {
				t.Fatalf("%v%s: %v %v want %v %v", s.Hand, s.Past, p.regrets[n], p.sums[n], set.regrets[i], set.sums[i])
			}
		}
		return nil
	})
	for _, set := range r.sets {
		if set.tiles > 1 {
			sets--
		}
	}
	if sets != 0 {
		t.Fatalf("%d more information sets than the reference has", sets)
	}
}

// planOf is the average strategy as a plan.
func planOf(p *part[float64]) Plan {
	plan := Plan{}
	_ = p.spots(func(s *Spot) error {
		sum := new(big.Rat)
		var list []*big.Rat
		for _, n := range s.at {
			list = append(list, new(big.Rat).SetFloat64(p.sums[n]))
			sum.Add(sum, list[len(list)-1])
		}
		if sum.Sign() > 0 {
			for _, q := range list {
				q.Quo(q, sum)
			}
			plan[PlanKey(s.Hand, s.Past)] = list
		}
		return nil
	})
	return plan
}
