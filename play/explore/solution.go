package explore

import (
	"cmp"
	"context"
	"errors"
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
	// mostPositions bounds the positions solved on the spot by their keys: a few seconds.
	// mostNumbers is the bound for games that number their positions.
	mostPositions = 1 << 20
	mostNumbers   = 1 << 23
	// If a wing's bound on the positions of a game exceeds mostCounted, they are not counted.
	mostCounted = 1 << 32
	// keyBytes is memory for a position found by its key. reserve is for whatever an estimate
	// of the memory misses: positions with many moves, long wins, and more moves than in its
	// sample.
	keyBytes = 400
	reserve  = 16 << 20
	// tableBytes is the memory for unpacked blocks of a table.
	tableBytes = 16 << 20
)

// Tables returns the tables of a game in a directory, tables with distances first. It returns none
// if dir is empty. It skips files of other games; warn, if not nil, receives errors of damaged
// tables.
func Tables(w *wing.Wing, g game.Game, dir string, warn func(error)) (list []wing.Source) {
	entries, err := os.ReadDir(cmp.Or(dir, os.DevNull))
	if err != nil {
		return nil
	}
	var values []wing.Source
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
		least, _ := w.TableMemory(g, info) // opening the table reports the error
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
			list = append(list, src)
		} else {
			values = append(values, src)
		}
	}
	return append(list, values...)
}

// Solution returns the solver of any game as a source made on the spot. ok is false if the game is
// known to be too large, or has sources with all positions. If the number of positions is unknown,
// sized is not nil. sized counts the positions, calls beat now and then, and returns the source;
// false if there are too many positions or beat returns false.
func Solution(w *wing.Wing, g game.Game, others []wing.Source) (src wing.Source, sized func(beat func() bool) (wing.Source, bool), ok bool) {
	known := func(s wing.Source) bool { return !s.Partial && s.Kind != wing.ByTable }
	if slices.ContainsFunc(others, known) || w.Score != nil {
		return src, nil, false
	}
	o := retro.Options{Memory: mostPositions * keyBytes}
	plan, err := retro.NewPlan(g, o)
	switch bound := bound(w, g); {
	case err != nil, plan.Places > mostNumbers:
		return src, nil, false
	case plan.Places > 0:
		o.Memory = 2*plan.Bytes + 4*uint64(plan.Steps)*plan.Places + reserve
	case 0 < bound && bound <= mostPositions:
		o.Memory = keyedBytes(int(bound))
	case bound > mostCounted, slices.ContainsFunc(others, func(s wing.Source) bool { return s.Kind != wing.ByTable }):
		return src, nil, false // the game has better sources
	default:
		sized = func(beat func() bool) (wing.Source, bool) {
			n, ok := counted(g, mostPositions, beat)
			o.Memory = keyedBytes(n)
			return solution(g, o), ok
		}
	}
	return solution(g, o), sized, true
}

func keyedBytes(n int) uint64 { return min(uint64(n)*keyBytes+reserve, mostPositions*keyBytes) }

func solution(g game.Game, o retro.Options) wing.Source {
	src := wing.Source{Kind: wing.BySolution, About: "all positions solved, in memory", Memory: int64(o.Memory), Making: int64(o.Memory)}
	if g.Seats() > 2 {
		src.Kind, src.About = wing.ByCoalitions, "all positions solved for all sets of seats, in memory"
	}
	src.Open = func(ctx context.Context, r wing.Resources) (wing.Oracle, error) {
		o := o
		o.Threads, o.Yield = max(r.Threads, 1), r.Yield
		all, err := retro.Solve(ctx, g, o)
		switch {
		case err == nil:
		case ctx.Err() != nil, errors.As(err, new(*retro.MemoryError)), errors.As(err, new(*game.Fault)):
			return nil, err
		default:
			return nil, contradiction{err}
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

// contradiction is the solver's reason to refuse a game: its methods contradict each other.
type contradiction struct{ error }

func (c contradiction) Error() string {
	return fmt.Sprintf("the game cannot be solved completely, so a search answers: %v", c.error)
}

// bound is the wing's bound on the positions of a game, 0 if unknown.
func bound(w *wing.Wing, g game.Game) float64 {
	if w.Positions == nil {
		return 0
	}
	return w.Positions(g)
}

// solved is a solution or a table as an oracle of all sets of seats.
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
