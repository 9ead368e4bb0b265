package players

import (
	"math/rand/v2"

	"perfectplay/bitboard"
	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/rank"
)

// DefaultSamples is how many hands of the opponent a sampling player tries.
const DefaultSamples = 100

// sampling is perfect-information Monte Carlo: it deals the opponent hands that
// agree with all that was seen ([View.Possible], without the doubles above the
// first one), solves each with both hands open, and plays the
// move whose scores are best on average. Where there are few such hands it
// takes them all, once each.
type sampling struct {
	solver       *exact.Solver
	samples, all int // hands to draw, and how many are few
	sums         []int
}

func newSampling(samples, all int) *sampling {
	return &sampling{solver: exact.NewSolver(), samples: samples, all: all}
}

func (s *sampling) Choose(t *Table, moves []domino.Move, r *rand.Rand) domino.Move {
	v := t.View()
	s.sums = append(s.sums[:0], make([]int, len(moves))...)
	if hands, err := rank.Binomial(v.Possible.Len(), v.Opponent); err == nil && hands <= uint64(s.all) {
		end := domino.Set(1) << v.Possible.Len()
		for hand := domino.Set(1)<<v.Opponent - 1; hand < end; hand = hand.Next() {
			s.try(v, moves, domino.Set(bitboard.Deposit64(uint64(hand), uint64(v.Possible))))
		}
	} else {
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
	}
	best := 0
	for i := range moves {
		if d := s.sums[i] - s.sums[best]; d > 0 || d == 0 && moves[i].Tile().Pips() > moves[best].Tile().Pips() {
			best = i
		}
	}
	return moves[best]
}

// try adds the scores of all moves against a hand.
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
