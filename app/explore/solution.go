package explore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/solve/retro"
	tables "perfectplay/solve/retro/table"
)

const (
	// mostPositions is how many positions are solved on the spot, by their keys: a few
	// seconds. mostNumbers is the same for games that number them.
	mostPositions = 1 << 20
	mostNumbers   = 1 << 23
	// tableBytes is what a table of any game may keep in memory.
	tableBytes = 64 << 20
)

// addTables puts the tables of the game in a directory before all other sources.
func (t *table) addTables(dir string) {
	if dir == "" {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // the wing's sources say so
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if !e.Type().IsRegular() || !tables.IsTable(name) {
			continue
		}
		info, err := tables.Describe(name)
		if err != nil || info.Game != t.game.ID() || info.Rules != t.game.Rules() {
			continue
		}
		bytes := min(info.Bytes(), tableBytes) + info.Numbers*uint64(8*info.KeyWords)
		t.sources = slices.Insert(t.sources, 0, wing.Source{
			Kind: wing.ByTable, Name: e.Name(), About: "a table of all positions", Memory: int64(bytes),
			Open: func(context.Context, wing.Resources) (wing.Oracle, error) {
				tab, err := tables.Open(name, bytes, func(string, string) (game.Game, error) { return t.game, nil })
				if err != nil {
					return nil, err
				}
				return solved{tab.Value, tab.Close}, nil
			},
		})
	}
}

// addSolution adds the solver of any game, if the game is small and its wing knows nothing
// of all positions. Where nobody says how many there are it is tried.
func (t *table) addSolution() {
	known := func(s wing.Source) bool { return !s.Partial && s.Kind != wing.ByTable }
	if slices.ContainsFunc(t.sources, known) || t.wing.Score != nil {
		return
	}
	o := retro.Options{Memory: mostPositions * retro.BytesPerPosition}
	src := wing.Source{Kind: wing.BySolution, About: "all positions solved, in memory"}
	plan, err := retro.NewPlan(t.game, o)
	switch {
	case err != nil:
		return
	case plan.Numbers > mostNumbers:
		return
	case plan.Numbers > 0:
		o.Memory = plan.Bytes
	case t.wing.Positions != nil:
		n := t.wing.Positions(t.game)
		if n > mostPositions {
			return
		}
		o.Memory = max(uint64(n), 1<<10) * retro.BytesPerPosition
	case len(t.sources) > 0:
		return // it has better ones
	default:
		src.Partial, src.About = true, fmt.Sprintf("all positions solved, in memory, if there are at most about %d", mostPositions)
	}
	if t.game.Seats() > 2 {
		src.Kind, src.About = wing.ByCoalitions, "all positions solved for all sets of seats, in memory"
	}
	src.Memory, src.Making = int64(o.Memory), int64(o.Memory)
	src.Open = func(ctx context.Context, r wing.Resources) (wing.Oracle, error) {
		o := o
		o.Threads, o.Yield = max(r.Threads, 1), r.Yield
		all, err := retro.Solve(ctx, t.game, o)
		if err != nil {
			return nil, err
		}
		return solved{func(s game.State, seats uint8) (game.Value, int, error) {
			v, d, ok := all.Value(s, seats)
			if !ok {
				return v, d, fmt.Errorf("position %s: %w", s, tables.ErrUnknown)
			}
			return v, d, nil
		}, func() error { return nil }}, nil
	}
	t.sources = append(t.sources, src)
}

// solved is a solution or a table: what all sets of seats can force.
type solved struct {
	value func(s game.State, seats uint8) (game.Value, int, error)
	close func() error
}

func (o solved) Worth(ctx context.Context, s game.State) (wing.Worth, error) {
	return o.WorthTo(ctx, s, s.Seat())
}

func (o solved) WorthTo(_ context.Context, s game.State, seat int) (wing.Worth, error) {
	v, d, err := o.value(s, 1<<seat)
	if err != nil || v == game.Draw {
		d = -1
	}
	return wing.Worth{Value: v, Distance: d}, err
}

func (o solved) Close() error { return o.close() }
