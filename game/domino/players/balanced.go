package players

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"perfectplay/game/domino"
	"perfectplay/game/domino/equilibrium"
)

// DefaultNumbers is the largest rest of a deal that the player equilibrium solves, as hands ×
// moves.
const DefaultNumbers = 20_000

// restIterations is the number of iterations of a rest. More gain little.
const restIterations = 32

// Before the rest of a deal is solved, the player tries all hands of the other seat if there are at
// most beforeHands. Of more hands it tries a sample.
const beforeHands = 1000

// Balanced plays by the average strategies of an equilibrium, by chance. Either all deals of the
// game are solved, or the rest of each deal from the first public state on that is small enough.
// Before that it plays as another player.
//
// The rest is a game of its own, in which all pairs of hands that agree with the public state are
// equally likely. So the strategy depends on public facts only, and all moves of the rest come
// from one solution. Within the rest it loses no more than the solution's gap to any answer, if
// hands reach it with these probabilities. There is no such bound for whole deals: an opponent
// who plays differently before reaches the rest with other hands.
type Balanced struct {
	solved *equilibrium.Solver // solution of all deals, shared by players; nil without one
	before *sampling
	most   int64

	// The rest of the last deal: past leads from start to state. rest is nil if state is too large.
	start, state equilibrium.State
	past         []domino.Move
	rest         *equilibrium.Solver
	like         *equilibrium.Solver

	// Decisions with two tiles or more, and the number of these whose move a solution gave.
	decisions, solvedDecisions int
}

// Equilibrium returns the kind that plays by a solved game. Only its players may use the solver.
func Equilibrium(s *equilibrium.Solver) Kind {
	return Kind{Name: "equilibrium", About: "the average strategies of " + s.String(), New: func() Player { return &Balanced{solved: s} }}
}

// Resting returns the kind that solves the rest of each deal once the rest has at most most
// numbers.
func Resting(name string, most int64) Kind {
	return Kind{Name: name, About: fmt.Sprintf("sampling, then the equilibrium of the rest of the deal where that has at most %d numbers", most),
		New: func() Player { return &Balanced{before: newSampling(defaultSamples, beforeHands), most: most} }}
}

func (b *Balanced) Choose(t *Table, moves []domino.Move, r *rand.Rand) domino.Move {
	list, _, ok := b.advise(t, false)
	if t.pos.Hands[t.pos.Mover].Len() > 1 {
		b.decisions++
		if ok {
			b.solvedDecisions++
		}
	}
	if !ok {
		return b.before.Choose(t, moves, r)
	}
	left := r.Float64()
	for _, a := range list {
		if left -= a.Probability; left < 0 {
			return a.Move
		}
	}
	return moves[len(moves)-1]
}

func (b *Balanced) Weights(t *Table, moves []domino.Move, weights []float64) bool {
	list, _, ok := b.advise(t, false)
	if !ok {
		return b.before.Weights(t, moves, weights)
	}
	clear(weights)
	for i, a := range list {
		weights[i] = a.Probability
	}
	return true
}

// Advise returns an equilibrium's advice on the moves, and the gap between its bounds in pips. ok
// is false if there is no equilibrium.
func (b *Balanced) Advise(t *Table) (list []equilibrium.Advice, gap float64, ok bool) {
	list, s, ok := b.advise(t, true)
	if s != nil {
		gap = s.Bounds(1).Gap
	}
	return list, gap, ok
}

// advise returns the advice on the mover's moves, and the solver that gave it.
func (b *Balanced) advise(t *Table, worths bool) ([]equilibrium.Advice, *equilibrium.Solver, bool) {
	hand := t.pos.Hands[t.pos.Mover]
	if hand.Len() == 1 { // the last tile ends the deal at either end
		return []equilibrium.Advice{{Move: t.pos.Moves(nil)[0], Probability: 1}}, nil, true
	}
	s, root, past := b.solved, 0, t.past
	if s != nil {
		root = slices.IndexFunc(s.Roots(), func(r equilibrium.Root) bool { return r.First.Has(t.first) })
	} else if s = b.fitting(t); s != nil {
		past = past[len(b.past):]
	} else {
		return nil, nil, false
	}
	list, err := s.Advise(root, past, hand, worths)
	if err != nil {
		panic("players: " + err.Error())
	}
	return list, s, true
}

// fitting returns the solution of the rest of a deal, nil if the rest is too large.
func (b *Balanced) fitting(t *Table) *equilibrium.Solver {
	if b.start != t.start || len(b.past) > len(t.past) || !slices.Equal(b.past, t.past[:len(b.past)]) {
		b.start, b.state, b.past, b.rest = t.start, t.start, b.past[:0], nil
	}
	for b.rest == nil {
		if b.state.Count(b.most+1).Numbers <= b.most {
			rest, err := equilibrium.Game{Rules: equilibrium.Study}.Rest(b.state, b.like)
			if err != nil {
				panic("players: " + err.Error())
			}
			rest.Iterate(restIterations)
			b.rest, b.like = rest, rest
			break
		}
		if len(b.past) == len(t.past) {
			return nil
		}
		m := t.past[len(b.past)]
		b.state, b.past = b.state.Play(m), append(b.past, m)
	}
	return b.rest
}
