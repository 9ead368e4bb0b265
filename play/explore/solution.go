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
	tables "perfectplay/solve/table"
)

const (
	// mostPositions is how many positions are solved on the spot, by their keys: a few
	// seconds. mostNumbers is the same for games that number them.
	mostPositions = 1 << 20
	mostNumbers   = 1 << 23
	// mostCounted is how many positions a wing may say a game has at most for them to be counted.
	mostCounted = 1 << 32
	// keyBytes is memory for a position found by its key, with more moves than most games
	// have, and reserve for what a forecast does not see: positions with many moves, long
	// wins, more moves than at the positions looked at.
	keyBytes = 400
	reserve  = 16 << 20
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

// Solution returns the solver of any game as a source that is made on the spot. It is false where
// the game is known to be too large, or has sources that know all positions. Where nobody says how
// large a game is, the source is as large as it may be, and sized, if not nil, counts the positions:
// it returns the source as it is, or false where there are too many, and calls beat now and then,
// which ends it by false.
func Solution(w *wing.Wing, g game.Game, others []wing.Source) (src wing.Source, sized func(beat func() bool) (wing.Source, bool), ok bool) {
	known := func(s wing.Source) bool { return !s.Partial && s.Kind != wing.ByTable }
	if slices.ContainsFunc(others, known) || w.Score != nil {
		return src, nil, false
	}
	o := retro.Options{Memory: mostPositions * keyBytes}
	plan, err := retro.NewPlan(g, o)
	switch bound := bound(w, g); {
	case err != nil, plan.Numbers > mostNumbers:
		return src, nil, false
	case plan.Numbers > 0:
		o.Memory = 2*plan.Bytes + 4*uint64(plan.Layers)*plan.Numbers + reserve
	case 0 < bound && bound <= mostPositions:
		o.Memory = keyedBytes(int(bound))
	case bound > mostCounted, slices.ContainsFunc(others, func(s wing.Source) bool { return s.Kind != wing.ByTable }):
		return src, nil, false // it has better ones
	default:
		sized = func(beat func() bool) (wing.Source, bool) {
			n, ok := counted(g, mostPositions, beat)
			o.Memory = keyedBytes(n)
			return solution(g, o), ok
		}
	}
	return solution(g, o), sized, true
}

// keyedBytes is the memory of the solver for so many positions that are found by their keys.
func keyedBytes(n int) uint64 { return min(uint64(n)*keyBytes+reserve, mostPositions*keyBytes) }

// solution is the solver of any game as a source.
func solution(g game.Game, o retro.Options) wing.Source {
	src := wing.Source{Kind: wing.BySolution, About: "all positions solved, in memory", Memory: int64(o.Memory), Making: int64(o.Memory)}
	if g.Seats() > 2 {
		src.Kind, src.About = wing.ByCoalitions, "all positions solved for all sets of seats, in memory"
	}
	src.Open = func(ctx context.Context, r wing.Resources) (wing.Oracle, error) {
		o := o
		o.Threads, o.Yield = max(r.Threads, 1), r.Yield
		all, err := retro.Solve(ctx, g, o)
		if err != nil {
			return nil, err
		}
		return solved{func(s game.State, seats uint8) (game.Value, int, error) {
			v, d, ok := all.Forced(s, seats)
			if !ok {
				return v, d, fmt.Errorf("position %s: %w", s, tables.ErrUnknown)
			}
			return v, d, nil
		}, func() error { return nil }, true}, nil
	}
	return src
}

// bound is how many positions a game may have by its wing, 0 where nobody knows.
func bound(w *wing.Wing, g game.Game) float64 {
	if w.Positions == nil {
		return 0
	}
	return w.Positions(g)
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
