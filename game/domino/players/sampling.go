package players

import (
	"math/rand/v2"
	"slices"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
)

const defaultSamples = 100

// sampling is perfect-information Monte Carlo: it deals the opponent hands that agree with its
// view, solves each with both hands open, and plays the move with the best mean score. If few hands
// are possible, it takes each of them once.
type sampling struct {
	solver       *exact.Solver
	samples, all int // hands to draw; each hand once if at most all are possible
	sums         []int
}

func newSampling(samples, all int) *sampling {
	return &sampling{solver: exact.NewSolver(), samples: samples, all: all}
}

func (s *sampling) Choose(t *Table, moves []domino.Move, r *rand.Rand) domino.Move {
	v := t.view()
	s.sums = append(s.sums[:0], make([]int, len(moves))...)
	if v.hands() <= uint64(s.all) {
		for hand := range v.Possible.Subsets(v.Opponent) {
			s.try(v, moves, hand)
		}
		return moves[bestOf(moves, s.sums)]
	}
	var tiles [domino.Tiles]domino.Tile
	n := 0
	for set := v.Possible; set != 0; set = set.DropMin() {
		tiles[n] = set.Min()
		n++
	}
	for range s.samples {
		var hand domino.Set
		for i := range v.Opponent {
			j := i + r.IntN(n-i)
			tiles[i], tiles[j] = tiles[j], tiles[i]
			hand = hand.With(tiles[i])
		}
		s.try(v, moves, hand)
	}
	return moves[bestOf(moves, s.sums)]
}

// bestOf is the index of the move with the largest sum. Of moves with equal sums it takes the
// heaviest tile, then the first move.
func bestOf[N int | int16](moves []domino.Move, sums []N) (best int) {
	for i := range moves {
		if d := sums[i] - sums[best]; d > 0 || d == 0 && moves[i].Tile().Pips() > moves[best].Tile().Pips() {
			best = i
		}
	}
	return best
}

// mostSums bounds the sums that Weights adds up for a decision, which then takes some milliseconds.
const mostSums = 1 << 16

// outcome is a possible result of some draws: for each move its sum, less the sum of the first
// move.
type outcome struct {
	sums        [2 * domino.HandSize]int16
	probability float64
}

// Weights computes the exact probabilities of the moves from the probabilities of all possible sums
// over the hands drawn. With too many sums the probabilities are unknown.
func (s *sampling) Weights(t *Table, moves []domino.Move, weights []float64) bool {
	v := t.view()
	clear(weights)
	if v.hands() <= uint64(s.all) {
		weights[slices.Index(moves, s.Choose(t, moves, nil))] = 1
		return true
	}
	if v.hands() > mostSums {
		return false
	}
	var one []outcome // outcomes of one draw
	for hand := range v.Possible.Subsets(v.Opponent) {
		s.sums = append(s.sums[:0], make([]int, len(moves))...)
		s.try(v, moves, hand)
		o := outcome{probability: 1 / float64(v.hands())}
		for i := range moves {
			o.sums[i] = int16(s.sums[i] - s.sums[0])
		}
		one = append(one, o)
	}
	one = merge(one)
	all, added := []outcome{{probability: 1}}, 0
	for range s.samples {
		if added += len(all) * len(one); added > mostSums {
			return false
		}
		next := make([]outcome, 0, len(all)*len(one))
		for _, a := range all {
			for _, b := range one {
				for i := range moves {
					b.sums[i] += a.sums[i]
				}
				b.probability *= a.probability
				next = append(next, b)
			}
		}
		all = merge(next)
	}
	for i := range all {
		weights[bestOf(moves, all[i].sums[:])] += all[i].probability
	}
	return true
}

// merge adds up the probabilities of equal sums.
func merge(list []outcome) []outcome {
	slices.SortStableFunc(list, func(a, b outcome) int { return slices.Compare(a.sums[:], b.sums[:]) })
	n := 0
	for _, o := range list {
		if n > 0 && list[n-1].sums == o.sums {
			list[n-1].probability += o.probability
		} else {
			list[n] = o
			n++
		}
	}
	return list[:n]
}

func (s *sampling) try(v View, moves []domino.Move, hand domino.Set) {
	p := domino.Position{Left: v.Left, Right: v.Right, Mover: v.Seat}
	p.Hands[v.Seat], p.Hands[v.Seat^1] = v.Hand, hand
	for i, m := range moves {
		value := s.solver.PositionValue(p.Play(m))
		if v.Seat == domino.Second {
			value = -value
		}
		s.sums[i] += value
	}
}
