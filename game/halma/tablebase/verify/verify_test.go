package verify

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/strong"
	"perfectplay/game/halma/tablebase"
)

// solveTo solves a game and writes its table. change, if not nil, may change
// codes on the way.
func solveTo(t *testing.T, id, rules string, distances bool, change func(index uint64, code byte) byte) (*halma.Game, *tablebase.Table) {
	t.Helper()
	g, spec := halmatest.Race(id, rules)
	s, err := strong.Solve(context.Background(), spec, strong.Options{Distances: distances})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "table")
	if _, err := strong.Save(context.Background(), name, spec, s, "test", 0, nil); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		old, err := tablebase.Open(name, 1<<20, nil)
		if err != nil {
			t.Fatal(err)
		}
		name += "-changed"
		if _, err := tablebase.Write(context.Background(), name, old.Info(), 1, func(from uint64, codes []byte) {
			for i := range codes {
				v, d, err := old.At(from + uint64(i))
				if err != nil {
					t.Error(err)
				}
				codes[i] = change(from+uint64(i), tablebase.Code(v, d, distances))
			}
		}); err != nil {
			t.Fatal(err)
		}
		old.Close()
	}
	table, err := tablebase.Open(name, 1<<22, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	return g, table
}

func TestVerify(t *testing.T) {
	for _, c := range []struct {
		id, rules string
		distances bool
		reference bool
		sample    uint64
	}{
		{"halma-3x3p2", "sturtevant", true, true, 0},
		{"halma-3x3p3", "filled", true, true, 0},
		{"halma-4x4p2", "sturtevant", false, false, 0},
		{"halma-4x4p3", "gamesman", true, false, 0},
		{"halma-star13-2p", "house-code", true, true, 0},
		{"halma-4x4p6", "sturtevant", true, false, 30000},
		{"halma-4x4p6", "sturtevant-2019-run", true, false, 30000},
		{"halma-star37-2p", "house", true, false, 20000},
	} {
		t.Run("game="+c.id+",rules="+c.rules, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && c.sample > 0 {
				t.Skip("the plain rules take seconds; not with -short")
			}
			g, table := solveTo(t, c.id, c.rules, c.distances, nil)
			v, err := Table(context.Background(), g, table, Options{Sample: c.sample, Reference: c.reference})
			if err != nil {
				t.Fatal(err)
			}
			if v.Faults > 0 {
				t.Errorf("%d faults: %v", v.Faults, v.First)
			}
			if c.sample == 0 && (!v.Complete(table.Info()) || v.Checked != table.Info().Positions) {
				t.Errorf("counted %+v, the table says %+v", v, table.Info())
			}
			if c.sample > 0 && v.Checked < c.sample {
				t.Errorf("%d positions checked, want %d", v.Checked, c.sample)
			}
		})
	}
}

// TestVerifyFindsFaults changes one value, one distance, one illegal mark.
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
			g, table := solveTo(t, "halma-4x4p2", "sturtevant", true, func(i uint64, code byte) byte {
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
					return tablebase.Code(v, d, true)
				}
				return code
			})
			if !done {
				t.Fatal("nothing was changed")
			}
			if err := table.Check(nil); err != nil {
				t.Fatal(err) // the file as such is in order
			}
			v, err := Table(context.Background(), g, table, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if v.Faults == 0 || len(v.First) == 0 {
				t.Error("the change is not found")
			}
		})
	}
}

func TestVerifyRefusesOtherGames(t *testing.T) {
	_, table := solveTo(t, "halma-3x3p1", "sturtevant", true, nil)
	g, err := halma.ByID("halma-3x3p1", "gamesman")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Table(context.Background(), g, table, Options{}); err == nil {
		t.Error("a table of other rules is verified")
	}
}

// TestRulesThatChanged checks tables whose rules have a name of today but other
// choices than today.
func TestRulesThatChanged(t *testing.T) {
	g, table := solveTo(t, "halma-star13-2p", "house", true, nil)
	info := table.Info()
	if err := CheckBoard(g, info); err != nil || info.Choices != "filled+stay-in-goal+stay-out+tips-closed+tips-transit" {
		t.Errorf("choices %q: %v", info.Choices, err)
	}
	info.Choices = "filled+stay-in-goal+stay-out+tips-closed"
	if err := CheckBoard(g, info); err == nil || !strings.Contains(err.Error(), "here they are") {
		t.Errorf("other choices under the name of house: %v", err)
	}
}

// TestVerifyRefusesOtherBoards verifies tables that name a game but describe
// another board.
func TestVerifyRefusesOtherBoards(t *testing.T) {
	g, table := solveTo(t, "halma-3x3p3", "sturtevant", true, nil)
	for name, change := range map[string]func(i *tablebase.Info){
		"places": func(i *tablebase.Info) {
			i.Cells = 12
			i.Places = append(slices.Clone(i.Places[:8]), 11)
			i.Mirror = []int{0, 2, 1, 5, 4, 3, 7, 6, 8, 9, 10, 11}
		},
		"cells": func(i *tablebase.Info) {
			i.Cells, i.Mirror = 12, append(slices.Clone(i.Mirror), 9, 10, 11)
		},
		"mirror": func(i *tablebase.Info) { i.Mirror = []int{8, 2, 1, 5, 4, 3, 6, 7, 0} },
	} {
		info := table.Info()
		change(&info)
		file := filepath.Join(t.TempDir(), "table")
		if _, err := tablebase.Write(context.Background(), file, info, 1, func(from uint64, codes []byte) {
			for i := range codes {
				v, d, err := table.At(from + uint64(i))
				if err != nil {
					t.Error(err)
				}
				codes[i] = tablebase.Code(v, d, true)
			}
		}); err != nil {
			t.Fatal(err)
		}
		other, err := tablebase.Open(file, 1<<20, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Table(context.Background(), g, other, Options{}); err == nil || !strings.Contains(err.Error(), "board") {
			t.Errorf("%s: error %v, want one about the board", name, err)
		}
		other.Close()
	}
}

func TestSaveRefusesLongDistances(t *testing.T) {
	_, spec := halmatest.Race("halma-3x3p1", "sturtevant")
	s, err := strong.Solve(context.Background(), spec, strong.Options{Distances: true})
	if err != nil {
		t.Fatal(err)
	}
	if wins, _ := s.Histogram(); len(wins) > s.Passes {
		t.Errorf("distances up to %d after %d passes", len(wins)-1, s.Passes)
	}
	dir := t.TempDir()
	for _, longest := range []int{tablebase.MaxDistance, tablebase.MaxDistance + 1} {
		s.Passes = longest + 1
		if _, err := strong.Save(context.Background(), filepath.Join(dir, "table"), spec, s, "test", 1, nil); (err == nil) != (longest <= tablebase.MaxDistance) {
			t.Errorf("distances up to %d: error %v", longest, err)
		}
	}
}
