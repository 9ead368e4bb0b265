package oracle

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/game/halma/tablebase"
	"perfectplay/game/halma/tablebase/verify"
	"perfectplay/game/wing"
)

func sources(g game.Game, dir string) []wing.Source {
	h := g.(*halma.Game)
	switch {
	case h.Seats() == 1:
		return alone(h)
	case h.Seats() > 2:
		return several(h, dir)
	}
	spec, err := h.TwoArmy()
	if err != nil {
		return nil
	}
	list := tables(h, dir)
	plan, err := strong.NewPlan(spec, strong.Options{Distances: true})
	if err != nil {
		return list
	}
	return append(list, wing.Source{
		Kind: wing.BySolution, About: "all positions solved, in memory",
		Memory: int64(plan.Bytes - strong.Program), Making: int64(plan.Bytes - strong.Program),
		Open: func(ctx context.Context, r wing.Resources) (wing.Oracle, error) {
			s, err := strong.Solve(ctx, spec, strong.Options{Distances: true, Threads: r.Threads, Yield: r.Yield})
			if err != nil {
				return nil, err
			}
			return solution{h, s}, nil
		},
	})
}

// solution is all positions in memory.
type solution struct {
	g *halma.Game
	s *strong.Solution
}

func (o solution) Worth(_ context.Context, s game.State) (wing.Worth, error) {
	mover, other := halma.Sides(o.g, s)
	v, d := o.s.Value(mover, other)
	return worth(v, d, true, s)
}

func (solution) Close() error { return nil }

// worth turns what is stored into an answer.
func worth(v game.Value, distance int, distances bool, s game.State) (wing.Worth, error) {
	if v == game.Unknown {
		return wing.Worth{}, fmt.Errorf("position %s is illegal under these rules", s)
	}
	if v == game.Draw || !distances {
		distance = -1
	}
	return wing.Worth{Value: v, Distance: distance}, nil
}

// tables returns the tables of a game in a directory.
func tables(g *halma.Game, dir string) (list []wing.Source) {
	for _, f := range Tables(g, dir) {
		list = append(list, TableSource(g, f.Name, f.Info))
	}
	return list
}

// File is a table by the name of its file.
type File struct {
	Name string
	Info tablebase.Info
}

// Tables returns the tables of a game for two in a directory, those with distances
// first. Files that are none are passed over; empty is no directory.
func Tables(g *halma.Game, dir string) (list []File) {
	if dir == "" {
		return nil
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, f := range files {
		name := filepath.Join(dir, f.Name())
		if info, err := tablebase.Describe(name); err == nil && info.Game == g.ID() && info.Rules == g.Rules() {
			list = append(list, File{name, info})
		}
	}
	// The word distances comes before values.
	slices.SortStableFunc(list, func(a, b File) int { return cmp.Compare(a.Info.Kind, b.Info.Kind) })
	return list
}

// cacheBytes is what a table keeps of its file unpacked, besides what it needs.
const cacheBytes = 4 << 20

// TableSource is the table of a file, which a look at the file has described.
func TableSource(g *halma.Game, name string, info tablebase.Info) wing.Source {
	memory := int64(info.Least()) + cacheBytes
	return wing.Source{
		Kind: wing.ByTable, Name: filepath.Base(name), About: "table of all positions", Memory: memory, Making: memory,
		Open: func(_ context.Context, r wing.Resources) (wing.Oracle, error) {
			t, err := tablebase.Open(name, uint64(r.Memory), func(i tablebase.Info) error { return verify.CheckBoard(g, i) })
			if err != nil {
				return nil, err
			}
			return table{g, t}, nil
		},
	}
}

// table is an open file.
type table struct {
	g *halma.Game
	t *tablebase.Table
}

func (o table) Worth(_ context.Context, s game.State) (wing.Worth, error) {
	mover, other := halma.Sides(o.g, s)
	v, d, err := o.t.Value(mover, other)
	if err != nil {
		return wing.Worth{}, err
	}
	info := o.t.Info()
	return worth(v, d, info.Kind == tablebase.Distances, s)
}

func (o table) Close() error { return o.t.Close() }
