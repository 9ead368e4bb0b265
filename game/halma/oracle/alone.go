package oracle

import (
	"context"
	"errors"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/solitaire"
	"perfectplay/game/wing"
)

// mostPlacements is how many placements of one army are solved on the spot: in a few
// seconds.
const mostPlacements = 1 << 24

// crossingBytes is what shortest ways are searched in, where placements are more. The
// star of 121 holes takes 1.4 GB from the start, and less later in the game.
const crossingBytes = 256 << 20

// alone returns what knows how many turns one army needs.
func alone(g *halma.Game) []wing.Source {
	spec, err := g.FirstArmy()
	if err != nil {
		return nil
	}
	making, kept, err := solitaire.SolutionMemory(spec)
	if err == nil && making <= 2*mostPlacements {
		return []wing.Source{{
			Kind: wing.BySolution, About: "all placements solved, in memory", Memory: int64(kept), Making: int64(making),
			Open: func(ctx context.Context, r wing.Resources) (wing.Oracle, error) {
				s, err := solitaire.Solve(ctx, spec, solitaire.Options{Threads: r.Threads, Yield: r.Yield})
				if err != nil {
					return nil, err
				}
				return placements{s}, nil
			},
		}}
	}
	least, err := solitaire.CrossMemory(spec, 1)
	if err != nil || least > crossingBytes {
		return nil
	}
	return []wing.Source{{
		Kind: wing.ByProof, About: "shortest crossings, searched from both ends", Memory: crossingBytes, Making: crossingBytes, Slow: true,
		Open: func(_ context.Context, r wing.Resources) (wing.Oracle, error) {
			c, err := solitaire.NewCrosser(spec, solitaire.Options{Threads: 1, Memory: crossingBytes})
			if err != nil {
				return nil, err
			}
			return crossings{c}, nil
		},
	}}
}

// placements is a solution of one army alone.
type placements struct{ s *solitaire.Solution }

func (o placements) Worth(_ context.Context, s game.State) (wing.Worth, error) {
	d := o.s.Turns(s.(pieces).Pieces(0))
	if d < 0 { // it may move for ever
		return wing.Worth{Value: game.Draw, Distance: -1}, nil
	}
	return wing.Worth{Value: game.Win, Distance: d}, nil
}

func (placements) Close() error { return nil }

// crossings finds a shortest way from one placement at a time.
type crossings struct{ c *solitaire.Crosser }

func (o crossings) Worth(ctx context.Context, s game.State) (wing.Worth, error) {
	c, err := o.c.Cross(ctx, s.(pieces).Pieces(0))
	switch {
	case err != nil:
		return wing.Worth{}, err
	case c.Full:
		return wing.Worth{}, errors.New("the placements on the way do not fit the memory")
	}
	return wing.Worth{Value: game.Win, Distance: len(c.Moves)}, nil
}

func (crossings) Close() error { return nil }
