package equilibrium

import (
	"context"
	"errors"
	"slices"

	"perfectplay/game/domino"
)

// Advice is the average strategy's view of a move.
type Advice struct {
	Move        domino.Move
	Probability float64
	// Worth is the move's mean result in pips for the mover if both seats continue by their average
	// strategies. The other seat's hands count by the probability that its strategy leads here.
	Worth float64
	Known bool // Worth is defined: some hand of the other seat leads here
}

var (
	errLine   = errors.New("equilibrium: these moves do not lead to a choice of the mover")
	errHolder = errors.New("equilibrium: the mover cannot hold this hand")
)

// Rest returns a solver for the deals after a public state, with one root. All pairs of hands that
// agree with the state are equally likely. If like is not nil, the solver shares its tables;
// solvers that share tables belong to one goroutine.
func (g Game) Rest(from State, like *Solver) (*Solver, error) {
	if like == nil {
		like = &Solver{tables: new(tables)}
	}
	if from.Size[0] < 1 || from.Size[1] < 1 || !from.possible() {
		return nil, errNoGame
	}
	root := Root{Name: "rest", State: from, Deals: from.deals()}
	p, err := newPart[float32](g.Rules, root, like.tables)
	if err != nil {
		return nil, err
	}
	return &Solver{Game: g, parts: []learner{p}, deals: root.Deals, tables: like.tables}, nil
}

// Iterate does n iterations of every root on one thread.
func (s *Solver) Iterate(n int) {
	for _, p := range s.parts {
		p.learn(context.Background(), p.iterations()+n, 1)
	}
}

// Bounds returns the bounds of the whole game.
func (s *Solver) Bounds(threads int) Bounds {
	var list []Opening
	for _, p := range s.parts {
		list = append(list, s.opening(p, threads))
	}
	return Value(list)
}

// Advise returns the average strategy's advice on the mover's moves, as domino.Position.Moves lists
// them. root is an index of [Game.Roots], past are the moves since the root. The mover has two
// tiles or more. If worth is set, it also computes Worth, by a walk through all deals that follow.
// Calls of Advise alone may be concurrent.
func (s *Solver) Advise(root int, past []domino.Move, hand domino.Set, worth bool) ([]Advice, error) {
	return s.parts[root].advise(past, hand, worth)
}

func (p *part[S]) advise(past []domino.Move, hand domino.Set, worths bool) (list []Advice, err error) {
	me := (p.State.Mover ^ uint8(len(past))) & 1
	w := walker[float64, S]{tree: p.tree, weights: both(p.sums), me: me}
	s, reach := p.State, slices.Repeat([]float64{1}, p.hands(me^1))
	for _, m := range past {
		var ok bool
		if reach, ok = w.step(&s, m, reach); !ok {
			return nil, errLine
		}
	}
	if s.Size[me] < 2 {
		return nil, errLine
	}
	if hand.Len() != int(s.Size[me]) || hand&^s.Allowed[me] != 0 {
		return nil, errHolder
	}
	var buf [mostPlays]edge
	edges, numbers := w.edges(&s, buf[:0])
	_, block := w.enter(&s, numbers)
	worth := w.vectors.take(numbers)
	deals, sum, own := 0.0, 0.0, int32(0)
	if worths {
		w.options(&s, edges, reach, worth)
		h := 0
		for other := range s.Allowed[me^1].Subsets(int(s.Size[me^1])) {
			if other&hand == 0 {
				deals += reach[h]
			}
			h++
		}
	}
	for k, rest := 1, hand; rest != 0; k, rest = k+1, rest.DropMin() {
		own += binomial[k][at(s.Allowed[me], rest.Min())]
	}
	for i := range edges {
		e := &edges[i]
		c, holds := slices.BinarySearch(e.with, own)
		if holds {
			a := Advice{Move: e.move, Probability: float64(block[c]), Known: deals > 0}
			sum += a.Probability
			if a.Known {
				a.Worth = worth[c] / deals
			}
			list = append(list, a)
		}
		block, worth = block[len(e.with):], worth[len(e.with):]
	}
	for i := range list {
		if list[i].Probability /= sum; sum == 0 {
			list[i].Probability = 1 / float64(len(list))
		}
	}
	return list, nil
}

// step makes a move and returns the reaches of the other seat's hands after it. ok is false if the
// tree ends before.
func (w *walker[V, S]) step(s *State, m domino.Move, reach []V) ([]V, bool) {
	var list []edge
	numbers, theirs := 0, s.Mover != w.me
	if s.Size[s.Mover&1] > 1 {
		list, numbers = w.edges(s, nil)
	}
	if w.closed(s) {
		return nil, false
	}
	_, block := w.enter(s, numbers)
	stuck, canPass := w.passes(s)
	var shares []V
	if theirs {
		shares = w.shares(list, block, stuck.hands, reach)
	}
	for i := range list {
		e := &list[i]
		if m != e.move {
			w.leap()
			if theirs {
				shares = shares[len(e.with):]
			}
			continue
		}
		if set := s.Allowed[w.me^1]; theirs {
			reach = shares[:len(e.with)]
		} else if set.Has(m.Tile()) {
			reach = w.pick(reach, w.hands[s.Size[w.me^1]][set.Len()].without[at(set, m.Tile())])
		}
		*s = e.next
		return reach, true
	}
	if m != domino.Passed || !canPass || s.Passed {
		return nil, false
	}
	if theirs {
		reach = w.pick(reach, stuck.hands)
	}
	*s = stuck.next
	return reach, true
}
