package player

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// Searches counts the nodes of four searches of the same trees, with the evaluation, the
// order of moves and the table of the player monkey, one depth after the other.
type Searches struct {
	BestNode  uint64 // best node search (Rutko 2011), the player's own
	AlphaBeta uint64 // alpha-beta with a full window
	Scout     uint64 // principal variation search
	MTDF      uint64 // null windows from the value of the depth before
}

// CompareSearches sums the nodes over depths 1 to deepest from random undecided positions of 2 to 7
// stones, the same for equal seeds. Every search has a new table for a position, within a budget of
// bytes. The error says that two searches disagree, which would be a fault, or it is the context's
// error.
func CompareSearches(ctx context.Context, g *mnk.Game, positions, deepest int, seed uint64, memory int64) (sum Searches, err error) {
	rng := rand.New(rand.NewPCG(seed, uint64(g.Cells())))
	nodes := [...]*uint64{&sum.BestNode, &sum.AlphaBeta, &sum.Scout, &sum.MTDF}
	for range positions {
		s := undecided(g, rng, 7)
		var value [4]int32
		for i, n := range nodes {
			m, err := newMonkey(g, memory)
			if err != nil {
				return sum, err
			}
			m.follow(s)
			m.stop = func() bool { return ctx.Err() != nil }
			m.scouting = n == &sum.Scout
			moves := slices.Clone(m.relevant(0))
			for depth := 1; depth <= deepest && !m.over; depth++ {
				switch n {
				case &sum.BestNode:
					_, value[i], _ = m.bns(moves, depth)
				case &sum.MTDF:
					value[i] = m.mtdf(depth, value[i])
				default:
					value[i] = m.value(m.me, depth, 0, -monkeyInf, monkeyInf)
				}
			}
			*n += m.nodes
			if err = m.Close(); m.over {
				err = errors.Join(err, ctx.Err())
			}
			if err != nil {
				return sum, err
			}
		}
		if value[1] != value[2] || value[1] != value[3] || value[0] > value[1] { // best node search gives a bound
			return sum, fmt.Errorf("player: %s at %s: the searches disagree: %d", g.ID(), s, value)
		}
	}
	return sum, nil
}

// undecided returns a random position of 2 to most stones that is not over.
func undecided(g *mnk.Game, rng *rand.Rand, most int) *mnk.Plain {
	for {
		s := g.Plain().Start().(*mnk.Plain)
		for left := 2 + rng.IntN(min(most-1, g.Cells()-2)); left > 0 && s.Result() == game.Ongoing; left-- {
			moves := s.Moves(nil)
			s.Make(moves[rng.IntN(len(moves))])
		}
		if s.Result() == game.Ongoing {
			return s
		}
	}
}

// mtdf narrows the bounds of the value by null windows, beginning at a guess.
func (m *monkey) mtdf(depth int, guess int32) int32 {
	lower, upper := -monkeyInf, monkeyInf
	for lower < upper && !m.over {
		beta := max(guess, lower+1)
		if guess = m.value(m.me, depth, 0, beta-1, beta); guess < beta {
			upper = guess
		} else {
			lower = guess
		}
	}
	return guess
}
