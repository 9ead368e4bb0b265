package oracle

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/armies"
	"perfectplay/game/halma/armies/tiles"
	"perfectplay/game/halma/armies/verify"
	"perfectplay/game/wing"
)

// mostArmies is how many positions of several armies are solved on the spot, from the
// side of the seat to move, in seconds: six armies on star 13 take 17 of processor
// time.
const mostArmies = 1 << 22

// several returns what knows games of several armies.
func several(g *halma.Game, dir string) []wing.Source {
	list := armiesTables(g, dir)
	spec, err := g.Armies()
	if err != nil {
		return list
	}
	plan, err := armies.NewPlan(spec, armies.Options{})
	if err != nil || plan.Positions > mostArmies {
		return list
	}
	// A table in memory takes as much as the plies of the solve or less, of small games
	// at most twice that.
	most := 2*plan.Layers + 1<<20
	// What all positions of a question take is known when they have been solved: the
	// plan is about it.
	memory := int64(most + cacheBytes)
	return append(list, wing.Source{
		Kind: wing.ByCoalitions, About: "all positions solved for all sets of seats, in memory",
		Memory: memory, Making: int64(plan.Bytes+plan.Layers) + memory,
		Open: func(ctx context.Context, r wing.Resources) (wing.Oracle, error) {
			s, err := armies.Solve(ctx, spec, armies.Options{Threads: r.Threads, Yield: r.Yield})
			if err != nil {
				return nil, err
			}
			defer s.Close()
			fill, release := s.Fill(nil)
			defer release()
			t, err := tiles.Make(ctx, s.Describe(""), r.Threads, func(kind, tile int, codes [][]byte) error {
				if r.Yield != nil {
					r.Yield()
				}
				return fill(kind, tile, codes)
			}, most, cacheBytes)
			if err != nil {
				return nil, err
			}
			return coalitions{g, t}, nil
		},
	})
}

// armiesTables returns the tables of a game of several armies in a directory. Files
// that are none are passed over.
func armiesTables(g *halma.Game, dir string) (list []wing.Source) {
	if dir == "" {
		return nil
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, f := range files {
		name := filepath.Join(dir, f.Name())
		if !tiles.IsTable(name) {
			continue
		}
		info, err := tiles.Describe(name)
		if err != nil || info.Game != g.ID() || info.Rules != g.Rules() {
			continue
		}
		memory := int64(info.Least()) + cacheBytes
		list = append(list, wing.Source{
			Kind: wing.ByTable, Name: f.Name(), About: "table of all positions, for all sets of seats", Memory: memory, Making: memory,
			Open: func(_ context.Context, r wing.Resources) (wing.Oracle, error) {
				t, err := tiles.Open(name, cacheBytes)
				if err != nil {
					return nil, err
				}
				if err := verify.CheckBoard(g, t.Info()); err != nil {
					t.Close()
					return nil, fmt.Errorf("%s: %w", name, err)
				}
				return coalitions{g, t}, nil
			},
		})
	}
	return list
}

// coalitions is a table of several armies, in a file or in memory.
type coalitions struct {
	g *halma.Game
	t *tiles.Table
}

func (o coalitions) Worth(ctx context.Context, s game.State) (wing.Worth, error) {
	return o.WorthTo(ctx, s, s.Seat())
}

func (o coalitions) WorthTo(_ context.Context, s game.State, seat int) (wing.Worth, error) {
	v, d, err := o.t.Value(1<<seat, s.Seat(), armies.Sides(o.g, s))
	if err != nil {
		return wing.Worth{}, err
	}
	return worth(v, d, true, s)
}

func (o coalitions) Close() error { return o.t.Close() }
