package explore

import (
	"cmp"
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
	// tableBytes is what a table may keep unpacked in memory.
	tableBytes = 16 << 20
)

// Tables returns the tables of a game in a directory, those with distances first; empty is no
// directory. Files that are none of the game's are passed over; warn, if not nil, is told
// of tables that are damaged.
func Tables(w *wing.Wing, g game.Game, dir string, warn func(error)) (list []wing.Source) {
	entries, err := os.ReadDir(cmp.Or(dir, os.DevNull))
	if err != nil {
		return nil
	}
	values := 0 // before these
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if !e.Type().IsRegular() || !tables.IsTable(name) {
			continue
		}
		info, err := tables.Describe(name)
		if err != nil && warn != nil {
			warn(fmt.Errorf("not used: %w", err))
		}
		if err != nil || !info.Is(g) {
			continue
		}
		least, _ := w.TableMemory(g, info) // what is wrong is said when it is opened
		memory := least + min(info.Unpacked(), tableBytes)
		src := wing.Source{
			Kind: wing.ByTable, Name: e.Name(), About: "table of all positions", Memory: int64(memory), Making: int64(memory),
			Open: func(context.Context, wing.Resources) (wing.Oracle, error) {
				t, err := w.OpenTable(g, name, memory)
				if err != nil {
					return nil, err
				}
				return solved{t.Value, t.Close, info.Distances()}, nil
			},
		}
		if info.Seats > 2 {
			src.About += ", for all sets of seats"
		}
		if info.Distances() {
			list = slices.Insert(list, values, src)
			values++
		} else {
			list = append(list, src)
		}
	}
	return list
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
		}, func() error { return nil }, true}, nil
	}
	t.sources = append(t.sources, src)
}

// solved is a solution or a table: what all sets of seats can force.
type solved struct {
	value     func(s game.State, seats uint8) (game.Value, int, error)
	close     func() error
	distances bool
}

func (o solved) Worth(ctx context.Context, s game.State) (wing.Worth, error) {
	return o.WorthTo(ctx, s, s.Seat())
}

func (o solved) WorthTo(_ context.Context, s game.State, seat int) (wing.Worth, error) {
	v, d, err := o.value(s, 1<<seat)
	switch {
	case err == nil && v == game.Unknown:
		err = fmt.Errorf("position %s is illegal under these rules", s)
	case v == game.Draw || !o.distances:
		d = -1
	}
	return wing.Worth{Value: v, Distance: d}, err
}

func (o solved) Close() error { return o.close() }
