package coalition

import (
	"context"
	"fmt"

	"perfectplay/game"
)

// Index is the ability to number all positions of a game, those included that
// cannot be reached. Without it a game is explored from its start.
type Index interface {
	// Size bounds the numbers: they are 0…Size()−1.
	Size() int
	// State returns a new state at the position of a number, or nil where the
	// number is no position's.
	State(number int) game.State
	// Number returns the number of a position with its seat to move, and false
	// where it has none. Positions that moves lead to must have one.
	Number(s game.State) (int, bool)
}

// SolveIndexed is [SolveCoalitions] for all positions that an index numbers:
// dense arrays instead of a map, and no need to be reachable. It knows the game
// by its contract alone, which makes it the reference for solvers that know
// more. It refuses more than limit numbers, and takes about 30 bytes for each
// and 8 for each move.
func SolveIndexed(ctx context.Context, g game.Game, index Index, limit int) (*Coalitions, error) {
	if g.Seats() > 8 {
		return nil, fmt.Errorf("coalition: %s: coalitions of %d seats: at most 8 are possible", g.ID(), g.Seats())
	}
	size := index.Size()
	if size > limit || size > 1<<31 {
		return nil, fmt.Errorf("coalition: %s: %d positions: at most %d are wanted", g.ID(), size, min(limit, 1<<31))
	}
	graph := &graph{seats: g.Seats(), index: index, seat: make([]uint8, size), winner: make([]int8, size), from: make([]uint32, size+1)}
	states := 0
	var moves []game.Move
	for n := range size {
		if n&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		graph.seat[n], graph.winner[n] = nobody, graphDrawn
		if s := index.State(n); s != nil {
			if back, ok := index.Number(s); !ok || back != n {
				return nil, fmt.Errorf("coalition: %s: position %s has numbers %d and %d", g.ID(), s, n, back)
			}
			states++
			graph.seat[n], graph.winner[n] = uint8(s.Seat()), outcome(s)
			moves = moves[:0]
			if graph.winner[n] == graphOngoing {
				moves = s.Moves(moves)
			}
			for _, m := range moves {
				s.Make(m)
				next, ok := index.Number(s)
				if !ok || next >= size {
					return nil, fmt.Errorf("coalition: %s: position %s, to which a move leads, has no number", g.ID(), s)
				}
				s.Unmake()
				graph.next = append(graph.next, uint32(next))
			}
		}
		if len(graph.next) > 1<<31 {
			return nil, fmt.Errorf("coalition: %s: too many moves", g.ID())
		}
		graph.from[n+1] = uint32(len(graph.next))
	}
	for n := range size {
		for _, next := range graph.next[graph.from[n]:graph.from[n+1]] {
			if graph.seat[next] == nobody {
				return nil, fmt.Errorf("coalition: %s: a move of %s leads to number %d, which is no position's", g.ID(), index.State(n), next)
			}
		}
	}
	graph.positions = states
	return graph.solve(ctx, g)
}
