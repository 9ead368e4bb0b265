package oracle

import (
	"context"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/armies"
	"perfectplay/game/wing"
	tables "perfectplay/solve/table"
)

// mostArmies is the largest number of positions of several armies, from the side of the seat to
// move, that are solved on the spot, in seconds.
const mostArmies = 1 << 22

// several returns the sources of games of several armies.
func several(g *halma.Game) []wing.Source {
	spec, err := g.Armies()
	if err != nil {
		return nil
	}
	plan, err := armies.NewPlan(spec, armies.Options{})
	if err != nil || plan.Positions > mostArmies {
		return nil
	}
	// A table in memory takes at most as much as the plies of the solve, or twice that for small
	// games.
	most := 2*plan.State + 1<<20
	memory := int64(most + cacheBytes)
	return []wing.Source{{
		Kind: wing.ByCoalitions, About: "all positions solved for all sets of seats, in memory",
		Memory: memory, Making: int64(plan.Bytes) + memory,
		Open: func(ctx context.Context, r wing.Resources) (wing.Oracle, error) {
			s, err := armies.Solve(ctx, spec, armies.Options{Threads: r.Threads, Yield: r.Yield})
			if err != nil {
				return nil, err
			}
			defer s.Close()
			info, n, from, err := s.Describe("", nil)
			if err != nil {
				return nil, err
			}
			fill := from.Fill
			from.Fill = func(task int, codes [][]byte) error {
				if r.Yield != nil {
					r.Yield()
				}
				return fill(task, codes)
			}
			t, err := tables.Make(ctx, g, info, n, from, r.Threads, most, cacheBytes)
			if err != nil {
				return nil, err
			}
			return coalitions{t}, nil
		},
	}}
}

// cacheBytes is the memory for unpacked blocks of a table in memory.
const cacheBytes = 4 << 20

// coalitions is a table of several armies in memory.
type coalitions struct{ *tables.Table }

func (o coalitions) Worth(ctx context.Context, s game.State) (wing.Worth, error) {
	return o.WorthTo(ctx, s, s.Seat())
}

func (o coalitions) WorthTo(_ context.Context, s game.State, seat int) (wing.Worth, error) {
	v, d, err := o.Value(s, 1<<seat)
	if err != nil {
		return wing.Worth{}, err
	}
	return worth(v, d, s)
}
