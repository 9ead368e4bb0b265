package equilibrium

import (
	"fmt"
	"math"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/domino"
	"perfectplay/rank"
)

// reference is CFR+ in the plainest way: a walk through the tree of every deal, one after
// the other, with information sets by text. It knows the rules of package domino and
// nothing of public states, vectors and ranks.
type reference struct {
	rules Rules
	deals []domino.Position
	sets  map[string]*infoSet
}

// infoSet is what a player knows, with regrets and average by move.
type infoSet struct {
	seat                  uint8
	tiles                 int
	regrets, sums, change []float64
	best                  []float64
}

// newReference deals all hands from a root.
func newReference(rules Rules, root State) *reference {
	r := &reference{rules: rules, sets: map[string]*infoSet{}}
	for _, a := range handsOf(root.Allowed[0], int(root.Size[0])) {
		for _, b := range handsOf(root.Allowed[1], int(root.Size[1])) {
			if a&b == 0 {
				r.deals = append(r.deals, domino.Position{Hands: [2]domino.Set{a, b}, Left: root.Left, Right: root.Right, Mover: root.Mover})
			}
		}
	}
	return r
}

// handsOf lists the hands of k tiles of a set.
func handsOf(set domino.Set, k int) (list []domino.Set) {
	for x := range uint64(1) << set.Len() {
		if h := domino.Set(bitboard.Deposit64(x, uint64(set))); h.Len() == k {
			list = append(list, h)
		}
	}
	return list
}

// legal lists the moves, of which OpenSpiel's first one is any.
func legal(p domino.Position) []domino.Move {
	if p.Left != domino.None {
		return p.Moves(nil)
	}
	var list []domino.Move
	for s := p.Hands[p.Mover]; s != 0; s = s.DropMin() {
		list = append(list, domino.NewMove(s.Min(), domino.RightEnd))
	}
	return list
}

func (r *reference) set(p domino.Position, past string, moves int) *infoSet {
	key := fmt.Sprint(p.Mover, p.Hands[p.Mover], past)
	s := r.sets[key]
	if s == nil {
		s = &infoSet{p.Mover, p.Hands[p.Mover].Len(), make([]float64, moves), make([]float64, moves), make([]float64, moves), nil}
		r.sets[key] = s
	}
	return s
}

// proportional are the probabilities by weights.
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

// walk returns what a position is worth to a seat: learning, regrets are noted.
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
			s.change[i] = gain * other * probability[i] // the same for every deal of the set
		}
	}
	return value
}

// iterate does iteration t.
func (r *reference) iterate(t int) {
	for _, me := range []uint8{1, 0} {
		for _, p := range r.deals {
			r.walk(p, "", false, me, 1, 1, float64(t*t))
		}
		for _, s := range r.sets {
			for i, d := range s.change {
				if s.change[i] = 0; s.seat != me {
					s.sums[i] += d
				} else if s.regrets[i] += d; s.regrets[i] < snap {
					s.regrets[i] = 0
				}
			}
		}
	}
}

// TestReference compares every regret and every sum of the average, iteration by iteration,
// and both best answers.
func TestReference(t *testing.T) {
	for _, g := range []Game{{2, 2, Study}, {2, 2, OpenSpiel}, {3, 3, Study}, {3, 2, Study}} {
		for _, root := range g.Roots() {
			r := newReference(g.Rules, root.State)
			p, err := newPart[float64](g.Rules, root)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.deals) != int(root.Deals) {
				t.Fatalf("%v %s: %d deals, want %d", g, root.Name, root.Deals, len(r.deals))
			}
			for i := 1; i <= 20; i++ {
				r.iterate(i)
				p.iterate(1)
				n := 0
				same(t, r, p, root.State, "", &n)
			}
			if a, b := p.answer(0, p.sums, 1), r.answer(0); math.Abs(a-b) > 1e-9 {
				t.Errorf("%v %s: best answer of the starter %v, want %v", g, root.Name, a, b)
			}
			if a, b := p.answer(1, p.sums, 1), r.answer(1); math.Abs(a-b) > 1e-9 {
				t.Errorf("%v %s: best answer of the second %v, want %v", g, root.Name, a, b)
			}
		}
	}
}

// dealt is a position and the probability that the other seat plays to it.
type dealt struct {
	domino.Position
	reach float64
}

// best is what a seat gets at best against the other's average strategy from positions
// that it cannot tell apart.
func (r *reference) best(list []dealt, past string, passed bool, me uint8) (sum float64) {
	if len(list) == 0 {
		return 0
	}
	if list[0].Mover == me {
		moves := legal(list[0].Position)
		if len(moves) == 0 {
			return r.passed(list, past, passed, me)
		}
		sum = math.Inf(-1)
		for _, m := range moves {
			sum = max(sum, r.played(list, m, past, me))
		}
		return sum
	}
	byMove := map[domino.Move][]dealt{}
	var stuck []dealt
	for _, d := range list {
		moves := legal(d.Position)
		if len(moves) == 0 {
			stuck = append(stuck, d)
			continue
		}
		for i, p := range proportional(r.set(d.Position, past, len(moves)).sums) {
			byMove[moves[i]] = append(byMove[moves[i]], dealt{d.Position, d.reach * p})
		}
	}
	for m, list := range byMove {
		sum += r.played(list, m, past, me)
	}
	return sum + r.passed(stuck, past, passed, me)
}

func (r *reference) score(p dealt, me uint8) float64 {
	return p.reach * float64(r.rules.score(p.Hands[me].Pips(), p.Hands[me^1].Pips()))
}

func (r *reference) passed(list []dealt, past string, passed bool, me uint8) (sum float64) {
	var next []dealt
	for _, d := range list {
		if passed {
			sum += r.score(d, me)
		} else {
			next = append(next, dealt{d.Pass(), d.reach})
		}
	}
	return sum + r.best(next, past+" pass", true, me)
}

func (r *reference) played(list []dealt, m domino.Move, past string, me uint8) (sum float64) {
	var next []dealt
	text := past + " " + list[0].MoveText(m)
	for _, d := range list {
		if after := (dealt{d.Play(m), d.reach}); after.Hands[d.Mover] == 0 {
			sum += r.score(after, me)
		} else {
			next = append(next, after)
		}
	}
	return sum + r.best(next, text, false, me)
}

// answer is what the best answer of a seat gets, a deal.
func (r *reference) answer(me uint8) (sum float64) {
	byHand := map[domino.Set][]dealt{}
	for _, p := range r.deals {
		byHand[p.Hands[me]] = append(byHand[p.Hands[me]], dealt{p, 1})
	}
	for _, list := range byHand {
		sum += r.best(list, "", false, me)
	}
	return sum / float64(len(r.deals))
}

// same compares the numbers of all hands at a state and after it.
func same(t *testing.T, r *reference, p *part[float64], s State, past string, number *int) {
	me := s.Mover
	key := func(h domino.Set) string { return fmt.Sprint(me, h, past) }
	pos := domino.Position{Left: s.Left, Right: s.Right, Mover: me}
	type move struct {
		tile domino.Tile
		end  [2]int8
		from int
	}
	var list []move
	k := int(s.Size[me])
	if k > 1 {
		for rest := s.moves(); rest != 0; rest = rest.DropMin() {
			ends, n := s.ends(rest.Min())
			for _, e := range ends[:n] {
				list = append(list, move{rest.Min(), e, *number})
				*number += int(rank.Choose(s.Allowed[me].Len()-1, k-1))
			}
		}
		for _, h := range handsOf(s.Allowed[me], k) {
			set := r.sets[key(h)]
			if set == nil {
				continue
			}
			i := 0
			for _, m := range list {
				if h.Has(m.tile) {
					left := s.Allowed[me].Without(m.tile)
					c := 0
					for _, g := range handsOf(left, k-1) {
						if g == h.Without(m.tile) {
							break
						}
						c++
					}
					if math.Abs(set.regrets[i]-p.regrets[m.from+c]) > 1e-9 || math.Abs(set.sums[i]-p.sums[m.from+c]) > 1e-9 {
						t.Fatalf("%v %v: %v %v want %v %v", key(h), m, p.regrets[m.from+c], p.sums[m.from+c], set.regrets[i], set.sums[i])
					}
					i++
				}
			}
		}
	}
	if !(k == 2 && s.Size[me^1] == 1 && r.rules == Study) {
		for _, m := range list {
			next := s
			next.take(m.tile)
			next.Left, next.Right = m.end[0], m.end[1]
			mv := domino.NewMove(m.tile, domino.RightEnd)
			if s.Left != s.Right && m.end[1] == s.Right && m.end[0] != s.Left {
				mv = domino.NewMove(m.tile, domino.LeftEnd)
			}
			same(t, r, p, next, past+" "+pos.MoveText(mv), number)
		}
		if next, ok := s.pass(); ok && !s.Passed {
			same(t, r, p, next, past+" pass", number)
		}
	}
}
