package oracle

import (
	"context"
	"errors"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/solitaire"
	"perfectplay/game/wing"
	"perfectplay/rank"
)

// mostPlacements is the largest number of placements for the solver of any game.
const mostPlacements = 1 << 20

// crossingBytes is the memory for searching shortest ways, if there are more placements.
const crossingBytes = 256 << 20

// alone returns the source of the number of turns that one army needs, for games too large for the
// solver of any game.
func alone(g *halma.Game) []wing.Source {
	spec, err := g.FirstArmy()
	if err != nil {
		return nil
	}
	if n, err := rank.Binomial(spec.Cells, spec.Pieces); err == nil && n <= mostPlacements {
		return nil
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

// crossings finds a shortest way from one placement at a time.
type crossings struct{ c *solitaire.Crosser }

func (o crossings) Worth(ctx context.Context, s game.State) (wing.Worth, error) {
	c, err := o.c.Cross(ctx, s.(halma.Position).Pieces(0))
	switch {
	case err != nil:
		return wing.Worth{}, err
	case c.Full:
		return wing.Worth{}, errors.New("the placements on the way do not fit the memory")
	}
	return wing.Worth{Value: game.Win, Distance: len(c.Moves)}, nil
}

func (crossings) Close() error { return nil }
