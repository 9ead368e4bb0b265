package armies

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/numbering"
	own "perfectplay/game/halma/verify"
	"perfectplay/solve/retro/verify"
	"perfectplay/solve/table"
)

// write writes the table of a solution; longer wins than in most plies make codes of two bytes.
func write(t testing.TB, s *Solution, name string, census *Census, threads, most int) {
	t.Helper()
	info, n, from, err := s.describe("test", census, most)
	if err == nil {
		_, err = table.Write(context.Background(), name, info, n, from, threads, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// opened opens a table.
func opened(t testing.TB, name string) *table.Table {
	t.Helper()
	open, err := table.Open(name, 8<<20, func(i table.Info) (game.Game, table.Plan, error) {
		g, err := halma.ByID(i.Game, i.Rules)
		if err != nil {
			return nil, table.Plan{}, err
		}
		p, err := numbering.Of(g, i)
		return g, p, err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { open.Close() })
	return open
}

// verified checks a table.
func verified(t *table.Table, sample uint64, reference bool) (*verify.Verdict, error) {
	walker, err := own.Walker(t, reference, 1<<30)
	if err != nil {
		return nil, err
	}
	return verify.Table(context.Background(), t, verify.Options{Sample: sample, Threads: 2, Walker: walker})
}

// written solves a game, writes its table and opens it.
func written(t *testing.T, id, rules string, threads int) (name string, file *table.Table, s *Solution) {
	t.Helper()
	return writtenTo(t, id, rules, threads, table.LongDistance)
}

func writtenTo(t *testing.T, id, rules string, threads, most int) (name string, table *table.Table, s *Solution) {
	t.Helper()
	_, spec := described(t, id, rules)
	name, s = filepath.Join(t.TempDir(), "table"), solved(t, spec, Options{Threads: threads})
	write(t, s, name, nil, threads, most)
	return name, opened(t, name), s
}

// TestTables checks every position of a table against the rules, and its counts against the
// solver's.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		seats  int
		rules  string
		sample uint64
		bits   int
	}{
		{2, "base", 0, 8}, {3, "base", 0, 8}, {3, "base", 0, 16}, {3, "house", 0, 8}, {3, "liou", 0, 8}, {3, "house-readme", 0, 8},
		{4, "house", 0, 8}, {4, "house-readme", 3000, 8}, {4, "base", 3000, 16}, {6, "house", 1000, 8},
	} {
		t.Run(fmt.Sprintf("seats=%d,rules=%s,bits=%d", c.seats, c.rules, c.bits), func(t *testing.T) {
			t.Parallel()
			if c.seats == 6 && testing.Short() {
				t.Skip("takes seconds; not with -short")
			}
			id := fmt.Sprintf("halma-star13-%dp", c.seats)
			most := table.LongDistance
			if c.bits == 16 {
				most = 11
			}
			_, table, s := writtenTo(t, id, c.rules, 2, most)
			if err := table.Check(context.Background(), 2, nil); err != nil {
				t.Error(err)
			}
			info := table.Info()
			if info.Bits != c.bits {
				t.Errorf("%d bits a position, want %d", info.Bits, c.bits)
			}
			var won, lost uint64
			for kind := range s.b.period {
				for set, sum := range map[uint8]*uint64{1: &won, uint8(1<<c.seats - 2): &lost} {
					for _, positions := range s.Plies(Coalition(set), kind) {
						*sum += positions
					}
				}
			}
			if info.Wins != won || info.Losses != lost || info.Positions != s.Positions {
				t.Errorf("%+v, solved were %d wins and %d losses", info, won, lost)
			}
			v, err := verified(table, c.sample, c.seats == 3)
			if err != nil || v.Faults > 0 || c.sample == 0 && !v.Complete(info) || c.sample > 0 && v.Checked != c.sample {
				t.Fatalf("%d faults, %v: %v", v.Faults, err, v.First)
			}
		})
	}
}

// TestTableBytes: the file does not depend on the number of threads.
func TestTableBytes(t *testing.T) {
	a, _, _ := written(t, "halma-star13-4p", "house", 1)
	b, _, _ := written(t, "halma-star13-4p", "house", 3)
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil || string(x) != string(y) {
		t.Errorf("%d and %d bytes differ (%v)", len(x), len(y), err)
	}
}

// TestForgedTable: a table with one wrong entry and right checksums fails verification.
func TestForgedTable(t *testing.T) {
	_, spec := described(t, "halma-star13-3p", "liou")
	info, n, from, err := solved(t, spec, Options{}).Describe("test", nil)
	if err != nil {
		t.Fatal(err)
	}
	fill := from.Fill
	for _, forge := range []func(code byte) byte{
		func(byte) byte { return 0 },
		func(byte) byte { return 1 },
		func(c byte) byte { return c + 2 },
		func(c byte) byte { return c ^ 1 },
	} {
		from.Fill = func(task int, codes [][]byte) error {
			err := fill(task, codes)
			for i, c := range codes[1] {
				if task == 0 && c > 1 {
					codes[1][i] = forge(c)
					break
				}
			}
			return err
		}
		name := filepath.Join(t.TempDir(), "forged")
		if _, err := table.Write(context.Background(), name, info, n, from, 1, nil); err != nil {
			t.Fatal(err)
		}
		v, err := verified(opened(t, name), 0, false)
		if err != nil || v.Faults == 0 || len(v.First) == 0 {
			t.Errorf("%+v, %v", v, err)
		}
	}
}
