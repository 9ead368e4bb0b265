package players

import (
	"math/rand/v2"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
)

// random plays every move equally often.
type random struct{}

func (random) Choose(_ *Table, moves []domino.Move, r *rand.Rand) domino.Move {
	return moves[r.IntN(len(moves))]
}

func (random) Weights(_ *Table, _ []domino.Move, weights []float64) bool {
	for i := range weights {
		weights[i] = 1
	}
	return true
}

// greedy plays the heaviest tile that fits, by any of the moves that do.
type greedy struct{}

func (g greedy) Choose(_ *Table, moves []domino.Move, r *rand.Rand) domino.Move {
	best, n := moves[0], 0
	for _, m := range moves {
		switch d := m.Tile().Pips() - best.Tile().Pips(); {
		case d > 0:
			best, n = m, 1
		case d == 0:
			if n++; r.IntN(n) == 0 {
				best = m
			}
		}
	}
	return best
}

func (greedy) Weights(_ *Table, moves []domino.Move, weights []float64) bool {
	most := 0
	for _, m := range moves {
		most = max(most, m.Tile().Pips())
	}
	for i, m := range moves {
		weights[i] = 0
		if m.Tile().Pips() == most {
			weights[i] = 1
		}
	}
	return true
}

// complete sees both hands and plays perfectly.
type complete struct{ solver *exact.Solver }

func (c complete) Choose(t *Table, _ []domino.Move, _ *rand.Rand) domino.Move {
	var buf [2 * domino.HandSize]exact.Choice
	return c.solver.Choices(t.Position(), buf[:0])[0].Move
}
