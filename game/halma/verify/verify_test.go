package verify

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/numbering"
	"perfectplay/game/halma/strong"
	"perfectplay/solve/retro/verify"
	"perfectplay/solve/table"
)

// opened opens a table.
func opened(t *testing.T, g *halma.Game, name string) *table.Table {
	t.Helper()
	open, err := table.Open(name, 1<<22, func(i table.Info) (game.Game, table.Plan, error) {
		p, err := numbering.Of(g, i)
		return g, p, err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { open.Close() })
	return open
}

// solveTo solves a game and writes its table. change, if not nil, may change its codes.
func solveTo(t *testing.T, id, rules string, distances bool, change func(index uint64, code byte) byte) *table.Table {
	t.Helper()
	g, spec := halmatest.Race(id, rules)
	s, err := strong.Solve(context.Background(), spec, strong.Options{Distances: distances})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "table")
	info, err := strong.Save(context.Background(), name, spec, s, "test", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	old := opened(t, g, name)
	if change == nil {
		return old
	}
	name += "-changed"
	n := old.Numbering().(*numbering.Two)
	from := table.Contents{Fill: func(task int, codes [][]byte) error {
		for i := range min(uint64(n.Per), n.Numbers-uint64(task*n.Per)) {
			v, d, err := old.Lookup(table.Place{Block: task, At: int(i)}, 0)
			if err != nil {
				return err
			}
			codes[0] = append(codes[0], change(uint64(task*n.Per)+i, byte(table.Code(v, d, distances))))
		}
		return nil
	}}
	if _, err := table.Write(context.Background(), name, info, n, from, 1, nil); err != nil {
		t.Fatal(err)
	}
	return opened(t, g, name)
}

// check verifies a table.
func check(t *testing.T, tab *table.Table, sample uint64, reference bool) *verify.Verdict {
	t.Helper()
	walker, err := Walker(tab, reference, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	v, err := verify.Table(context.Background(), tab, verify.Options{Sample: sample, Threads: 2, Walker: walker})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestVerify checks tables of all small games against the rules: whole ones, and samples of larger
// ones.
func TestVerify(t *testing.T) {
	type question struct {
		id, rules string
		distances bool
		reference bool
		sample    uint64
	}
	list := []question{
		{"halma-3x3p2", "sturtevant", true, true, 0},
		{"halma-3x3p3", "filled", true, true, 0},
		{"halma-4x4p2", "sturtevant", false, false, 0},
		{"halma-4x4p3", "gamesman", true, false, 0},
		{"halma-star13-2p", "house-code", true, true, 0},
	}
	for _, g := range halmatest.Games() {
		list = append(list, question{g.ID, g.Rules, true, false, 30000})
	}
	for _, c := range list {
		t.Run("game="+c.id+",rules="+c.rules, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && c.sample > 0 {
				t.Skip("the plain rules take seconds; not with -short")
			}
			table := solveTo(t, c.id, c.rules, c.distances, nil)
			v := check(t, table, c.sample, c.reference)
			if v.Faults > 0 {
				t.Errorf("%d faults: %v", v.Faults, v.First)
			}
			if c.sample == 0 && (!v.Complete(table.Info()) || v.Checked != table.Info().Positions) {
				t.Errorf("counted %+v, the table says %+v", v, table.Info())
			}
			if c.sample > 0 && v.Checked < min(c.sample, table.Info().Numbers) {
				t.Errorf("%d positions checked, want %d", v.Checked, c.sample)
			}
		})
	}
}

// TestVerifyFindsFaults changes one value, one distance or one illegal mark in a table.
func TestVerifyFindsFaults(t *testing.T) {
	for name, change := range map[string]func(v game.Value, d int) (game.Value, int, bool){
		"win-to-loss":  func(v game.Value, d int) (game.Value, int, bool) { return game.Loss, d, v == game.Win },
		"loss-to-draw": func(v game.Value, d int) (game.Value, int, bool) { return game.Draw, 0, v == game.Loss },
		"distance":     func(v game.Value, d int) (game.Value, int, bool) { return v, d + 2, v == game.Loss && d > 4 },
		"illegal":      func(v game.Value, d int) (game.Value, int, bool) { return game.Unknown, 0, v == game.Win },
		"legal":        func(v game.Value, d int) (game.Value, int, bool) { return game.Draw, 0, v == game.Unknown },
	} {
		t.Run(name, func(t *testing.T) {
			done := false
			tab := solveTo(t, "halma-4x4p2", "sturtevant", true, func(i uint64, code byte) byte {
				v, d := game.Unknown, 0
				switch {
				case code == 1:
					v = game.Draw
				case code > 1 && code&1 == 0:
					v, d = game.Loss, int(code-2)/2
				case code > 1:
					v, d = game.Win, int(code-3)/2
				}
				if v, d, ok := change(v, d); ok && !done && i > 1000 {
					done = true
					return byte(table.Code(v, d, true))
				}
				return code
			})
			if !done {
				t.Fatal("nothing was changed")
			}
			if err := tab.Check(context.Background(), 1, nil); err != nil {
				t.Fatal(err) // the file itself is intact
			}
			v := check(t, tab, 0, false)
			if v.Faults == 0 || len(v.First) == 0 {
				t.Error("the change is not found")
			}
		})
	}
}

// TestRefused: tables that name a game, but describe other rules, another board or other counts,
// are refused.
func TestRefused(t *testing.T) {
	tab := solveTo(t, "halma-star13-2p", "house", true, nil)
	g := tab.Game().(*halma.Game)
	if choices := tab.Info().Choices; choices != "filled+stay-in-goal+stay-out+tips-closed+tips-transit" {
		t.Errorf("choices %q", choices)
	}
	if _, err := numbering.Of(g, tab.Info()); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(i *table.Info){
		"here they are":     func(i *table.Info) { i.Choices = "filled+stay-in-goal+stay-out+tips-closed" },
		"board":             func(i *table.Info) { i.Board = bytes.Replace(i.Board, []byte(`"cells":13`), []byte(`"cells":12`), 1) },
		"another board":     func(i *table.Info) { i.Board = bytes.Replace(i.Board, []byte(`"pieces":1`), []byte(`"pieces":2`), 1) },
		"describes another": func(i *table.Info) { i.Board = bytes.Replace(i.Board, []byte(`"mirror":[`), []byte(`"mirror":[7,`), 1) },
		"the board":         func(i *table.Info) { i.Board = []byte(`{"other":1}`) },
		"of Chinese":        func(i *table.Info) { i.Numbering = "other" },
		"counted":           func(i *table.Info) { i.Wins-- },
		"says it is of":     func(i *table.Info) { i.Images = !i.Images },
	} {
		info := tab.Info()
		change(&info)
		if _, err := numbering.Of(g, info); err == nil || !strings.Contains(err.Error(), strings.Replace(want, "of Chinese", "to Chinese", 1)) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestSaveRefusesLongDistances(t *testing.T) {
	_, spec := halmatest.Race("halma-3x3p1", "sturtevant")
	s, err := strong.Solve(context.Background(), spec, strong.Options{Distances: true})
	if err != nil {
		t.Fatal(err)
	}
	if wins := s.Count().WinsIn; len(wins) > s.Passes {
		t.Errorf("distances up to %d after %d passes", len(wins)-1, s.Passes)
	}
	dir := t.TempDir()
	for _, longest := range []int{table.LongDistance, table.LongDistance + 1} {
		s.Passes = longest + 1
		if _, err := strong.Save(context.Background(), filepath.Join(dir, "table"), spec, s, "test", 1, nil); (err == nil) != (longest <= table.LongDistance) {
			t.Errorf("distances up to %d: error %v", longest, err)
		}
	}
}
