package coalition

import (
	"context"
	"fmt"

	"perfectplay/game"
)

// Solution is what every coalition can force from every position of a game. It
// is immutable and safe for concurrent use.
type Solution struct {
	graph   *graph
	start   int
	forced  [][]uint8 // by coalition: plies to a forced win by position, or never
	longest []int     // by coalition: the longest forced win
}

// never says that a win cannot be forced.
const never = 255

// BytesPerPosition bounds the memory that [Solve] takes for each position it
// explores, garbage included: 650 bytes were measured on the star of 13 holes with
// six seats, 850 with two on the star of 37.
const BytesPerPosition = 1 << 10

// listingCost is what listing the positions takes, in units of what one coalition
// takes then.
const listingCost = 12

// Solve finds what every coalition of seats can force in a game of at most
// limit positions. Positions need keys (see [game.Keyer]); with at most two seats
// at most 48 bytes of text do instead, and a game that is an [Indexer] needs
// neither. Solve keeps the graph of the game in memory and works in one goroutine.
// progress, if not nil, is called now and then with the share of the work that is
// done, 0…1, estimated: how many positions there are is known only at the end.
func Solve(ctx context.Context, g game.Game, limit int, progress func(done float64)) (*Solution, error) {
	if g.Seats() > 8 {
		return nil, fmt.Errorf("coalition: %s: coalitions of %d seats: at most 8 are possible", g.ID(), g.Seats())
	}
	sets := 1<<g.Seats() - 1
	listing := listingCost / (listingCost + float64(sets))
	if progress == nil {
		progress = func(float64) {}
	}
	graph, err := newGraph(ctx, g, limit, func(done float64) { progress(listing * done) })
	if err != nil {
		return nil, fmt.Errorf("coalition: %s: %w", g.ID(), err)
	}
	start, ok := graph.find(g.Start())
	if !ok {
		return nil, fmt.Errorf("coalition: %s: the start is not among its positions", g.ID())
	}
	s := &Solution{graph: graph, start: start, forced: make([][]uint8, 1<<g.Seats()), longest: make([]int, 1<<g.Seats())}
	graph.addPredecessors()
	for seats := 1; seats <= sets; seats++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		progress(listing + (1-listing)*float64(seats-1)/float64(sets))
		if s.forced[seats], s.longest[seats], err = graph.force(uint8(seats)); err != nil {
			return nil, fmt.Errorf("coalition: %s: %w", g.ID(), err)
		}
	}
	return s, nil
}

// Positions returns the number of positions solved, with the seat to move,
// finished ones included.
func (s *Solution) Positions() int { return s.graph.positions }

// Longest returns the largest number of plies that a coalition needs for a win
// it can force, over all positions solved.
func (s *Solution) Longest(seats uint8) int { return s.longest[seats] }

// Start returns what a coalition can force from the start, and the plies until
// the game is over, 0 for a draw. The coalition of all seats wins as fast as
// they can end the game together.
func (s *Solution) Start(seats uint8) (game.Value, int) { return s.value(s.start, seats) }

// Value returns what a coalition can force from a position, and false if the
// position is not among those solved.
func (s *Solution) Value(state game.State, seats uint8) (v game.Value, distance int, ok bool) {
	n, ok := s.graph.find(state)
	if !ok {
		return game.Unknown, 0, false
	}
	v, distance = s.value(n, seats)
	return v, distance, true
}

func (s *Solution) value(n int, seats uint8) (game.Value, int) {
	if d := s.forced[seats][n]; d != never {
		return game.Win, int(d)
	}
	if others := uint8(len(s.forced)-1) &^ seats; others != 0 {
		if d := s.forced[others][n]; d != never {
			return game.Loss, int(d)
		}
	}
	return game.Draw, 0
}

// force finds from where a coalition can force a win of a member, and in how
// many plies if it hurries and the others delay.
func (g *graph) force(seats uint8) (plies []uint8, longest int, err error) {
	n := len(g.seat)
	plies = make([]uint8, n)
	open := make([]uint32, n) // moves not known to lead to a win of the coalition
	var frontier, next []uint32
	for i := range n {
		plies[i] = never
		open[i] = g.succFrom[i+1] - g.succFrom[i]
		if winner, ok := g.result[i].Winner(); ok && seats>>winner&1 != 0 {
			plies[i] = 0
			frontier = append(frontier, uint32(i))
		}
	}
	for d := 1; len(frontier) > 0; d++ {
		next = next[:0]
		for _, to := range frontier {
			for _, from := range g.pred[g.predFrom[to]:g.predFrom[to+1]] {
				if plies[from] != never {
					continue
				}
				open[from]--
				if seats>>g.seat[from]&1 == 0 && open[from] > 0 {
					continue
				}
				if d >= never {
					return nil, 0, fmt.Errorf("a forced win takes more than %d plies", never-1)
				}
				plies[from] = uint8(d)
				longest = d
				next = append(next, from)
			}
		}
		frontier, next = next, frontier
	}
	return plies, longest, nil
}
