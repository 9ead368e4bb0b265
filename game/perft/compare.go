package perft

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"perfectplay/game"
)

// Comparison says how far two implementations of a game were compared.
type Comparison struct {
	Positions int64
	Moves     int64 // legal moves in all positions
	Games     int64 // begun
	Finished  int64 // of these, played to the end
	// Difference is the first that was found, empty if there is none.
	Difference string
}

// longestGame is the number of turns after which random play begins anew.
const longestGame = 400

// Compare plays random games in two implementations of one game, which number
// moves alike, and compares them in n positions: text, seat to move, result,
// moves in any order, and the number of moves as the first counts them
// ([game.Counter]). It stops at the first difference, or early when the context
// ends. Each game prefers moves of large gain ([game.Orderer]) to a degree of
// its own, so that games also come to their end. step, if not nil, is called
// after each position.
func Compare(ctx context.Context, fast, slow game.Game, n int64, rng *rand.Rand, step func()) Comparison {
	var c Comparison
	p := pair{rng: rng}
	for c.Positions < n && (c.Positions%1024 != 0 || ctx.Err() == nil) {
		if p.fast == nil || p.turns == longestGame || len(p.moves) == 0 {
			p.fast, p.slow, p.turns, p.greed = fast.Start(), slow.Start(), 0, rng.Float64()
			c.Games++
		}
		if c.Difference = p.compare(); c.Difference != "" {
			return c
		}
		c.Positions++
		c.Moves += int64(len(p.moves))
		if step != nil {
			step()
		}
		if len(p.moves) == 0 {
			c.Finished++
			continue
		}
		m := p.choose()
		p.fast.Make(m)
		p.slow.Make(m)
		p.turns++
	}
	return c
}

// pair is a game in progress in both implementations.
type pair struct {
	rng          *rand.Rand
	fast, slow   game.State
	moves, other []game.Move
	greed        float64
	turns        int
}

// compare says how the two states differ, and lists the moves.
func (p *pair) compare() string {
	text := p.fast.String()
	p.moves = p.fast.Moves(p.moves[:0])
	p.other = append(p.other[:0], p.moves...)
	slices.Sort(p.other)
	listed := p.slow.Moves(nil)
	slices.Sort(listed)
	switch {
	case p.slow.String() != text:
		return fmt.Sprintf("at %s the reference is at %s", text, p.slow)
	case p.fast.Seat() != p.slow.Seat():
		return fmt.Sprintf("at %s seats %d and %d are to move", text, p.fast.Seat(), p.slow.Seat())
	case p.fast.Result() != p.slow.Result():
		return fmt.Sprintf("at %s the results are %d and %d", text, p.fast.Result(), p.slow.Result())
	case !slices.Equal(p.other, listed):
		return fmt.Sprintf("at %s %d moves, and %d by the reference, are not the same", text, len(p.other), len(listed))
	}
	if k, ok := p.fast.(game.Counter); ok && k.CountMoves() != len(listed) {
		return fmt.Sprintf("at %s %d moves are counted, and %d listed", text, k.CountMoves(), len(listed))
	}
	return ""
}

// choose picks a move: at random, or the best of a few by its gain.
func (p *pair) choose() game.Move {
	m := p.moves[p.rng.IntN(len(p.moves))]
	if o, ok := p.fast.(game.Orderer); ok && p.rng.Float64() < p.greed {
		for range 6 {
			if n := p.moves[p.rng.IntN(len(p.moves))]; o.Gain(n) > o.Gain(m) {
				m = n
			}
		}
	}
	return m
}
