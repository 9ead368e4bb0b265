package oracle

import (
	"context"
	"fmt"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/game/wing"
)

func sources(g game.Game) []wing.Source {
	h := g.(*halma.Game)
	switch {
	case h.Seats() == 1:
		return alone(h)
	case h.Seats() > 2:
		return several(h)
	}
	spec, err := h.TwoArmy()
	if err != nil {
		return nil
	}
	plan, err := strong.NewPlan(spec, strong.Options{Distances: true})
	if err != nil {
		return nil
	}
	return []wing.Source{{
		Kind: wing.BySolution, About: "all positions solved, in memory",
		Memory: int64(plan.Bytes - strong.Program), Making: int64(plan.Bytes - strong.Program),
		Open: func(ctx context.Context, r wing.Resources) (wing.Oracle, error) {
			s, err := strong.Solve(ctx, spec, strong.Options{Distances: true, Threads: r.Threads, Yield: r.Yield})
			if err != nil {
				return nil, err
			}
			return solution{h, s}, nil
		},
	}}
}

// solution holds all positions in memory.
type solution struct {
	g *halma.Game
	s *strong.Solution
}

func (o solution) Worth(_ context.Context, s game.State) (wing.Worth, error) {
	mover, other := halma.Sides(o.g, s)
	v, d := o.s.Value(mover, other)
	return worth(v, d, s)
}

func (solution) Close() error { return nil }

// worth turns a stored entry into an answer.
func worth(v game.Value, distance int, s game.State) (wing.Worth, error) {
	if v == game.Unknown {
		return wing.Worth{}, fmt.Errorf("position %s is illegal under these rules", s)
	}
	if v == game.Draw {
		distance = -1
	}
	return wing.Worth{Value: v, Distance: distance}, nil
}
