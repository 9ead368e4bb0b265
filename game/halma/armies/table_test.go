package armies

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/halma/armies/tiles"
	"perfectplay/game/halma/armies/verify"
)

// written writes the table of a game and opens it.
func written(t *testing.T, id, rules string, threads int) (name string, table *tiles.Table) {
	t.Helper()
	_, spec := described(t, id, rules)
	s := solved(t, spec, Options{Threads: threads})
	name = filepath.Join(t.TempDir(), "table")
	fill, release := s.Fill(nil)
	defer release()
	if _, err := tiles.Write(context.Background(), name, s.Describe("test"), threads, fill, nil); err != nil {
		t.Fatal(err)
	}
	table, err := tiles.Open(name, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	return name, table
}

// TestTables: every position of a table against the rules, and counts, which are
// the solver's.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		seats  int
		rules  string
		sample uint64
	}{{2, "base", 0}, {3, "base", 0}, {3, "house", 0}, {3, "liou", 0}, {3, "house-readme", 0}, {4, "house", 0}, {4, "house-readme", 3000}, {4, "base", 3000}, {6, "house", 1000}} {
		t.Run(fmt.Sprintf("seats=%d,rules=%s", c.seats, c.rules), func(t *testing.T) {
			t.Parallel()
			if c.seats == 6 && testing.Short() {
				t.Skip("takes seconds; not with -short")
			}
			id := fmt.Sprintf("halma-star13-%dp", c.seats)
			g, spec := described(t, id, c.rules)
			_, table := written(t, id, c.rules, 2)
			if err := table.Check(context.Background(), 2, nil); err != nil {
				t.Error(err)
			}
			s := solved(t, spec, Options{})
			info := table.Info()
			for kind := range info.Period {
				for i, set := range info.Sets {
					whole := uint8(1<<c.seats - 1)
					count := func(set uint8) (n uint64) {
						for _, positions := range s.Plies(Coalition(set), kind) {
							n += positions
						}
						return n
					}
					won, lost := count(uint8(set)), count(whole&^uint8(set))
					if got := info.Counts[kind][i]; got.Wins != won || got.Losses != lost {
						t.Errorf("kind %d set %b: %d wins and %d losses, solved were %d and %d", kind, set, got.Wins, got.Losses, won, lost)
					}
				}
			}
			v, err := verify.Table(context.Background(), g, table, verify.Options{Sample: c.sample, Reference: c.seats == 3})
			if err != nil || v.Faults > 0 {
				t.Fatalf("%d faults, %v: %v", v.Faults, err, v.First)
			}
		})
	}
}

// TestTableBytes: the file does not depend on the number of threads.
func TestTableBytes(t *testing.T) {
	a, _ := written(t, "halma-star13-4p", "house", 1)
	b, _ := written(t, "halma-star13-4p", "house", 3)
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil || string(x) != string(y) {
		t.Errorf("%d and %d bytes differ (%v)", len(x), len(y), err)
	}
}

// TestForgedTable: a table with one wrong entry and right checksums is found out.
func TestForgedTable(t *testing.T) {
	g, spec := described(t, "halma-star13-3p", "liou")
	s := solved(t, spec, Options{})
	fill, release := s.Fill(nil)
	defer release()
	for _, forge := range []func(code byte) byte{
		func(byte) byte { return 1 },
		func(c byte) byte { return c + 2 },
		func(c byte) byte { return c ^ 1 },
	} {
		name := filepath.Join(t.TempDir(), "forged")
		_, err := tiles.Write(context.Background(), name, s.Describe("test"), 1, func(kind, tile int, codes [][]byte) error {
			err := fill(kind, tile, codes)
			if tile == 0 {
				for i, c := range codes[1] {
					if c > 1 {
						codes[1][i] = forge(c)
						break
					}
				}
			}
			return err
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		table, err := tiles.Open(name, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		v, err := verify.Table(context.Background(), g, table, verify.Options{})
		if err != nil || v.Faults == 0 || len(v.First) == 0 {
			t.Errorf("%d faults, %v", v.Faults, err)
		}
		table.Close()
	}
}

// TestDamagedTable: no byte of a file can be changed, and no end cut off, without
// an error.
func TestDamagedTable(t *testing.T) {
	name, _ := written(t, "halma-star13-3p", "liou", 1)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(t.TempDir(), "bad")
	refused := func(what string, damaged []byte) {
		t.Helper()
		if err := os.WriteFile(bad, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := tiles.Open(bad, 1<<20)
		if err == nil {
			err = table.Check(context.Background(), 2, nil)
			table.Close()
		}
		if err == nil || !strings.HasPrefix(err.Error(), "tiles: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
	step := 1
	if testing.Short() {
		step = 7
	}
	for i := 0; i < len(text); i += step {
		damaged := slices.Clone(text)
		damaged[i] ^= 1 << (i % 8)
		refused(fmt.Sprintf("byte %d of %d", i, len(text)), damaged)
	}
	for n := 0; n < len(text); n += 97 {
		refused(fmt.Sprintf("cut after %d", n), text[:n])
	}
}

// FuzzTable opens what is no table.
func FuzzTable(f *testing.F) {
	_, spec := described(f, "halma-star13-3p", "liou")
	s, err := Solve(context.Background(), spec, Options{})
	if err != nil {
		f.Fatal(err)
	}
	name := filepath.Join(f.TempDir(), "table")
	fill, release := s.Fill(nil)
	defer release()
	if _, err := tiles.Write(context.Background(), name, s.Describe("test"), 1, fill, nil); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(tiles.Magic))
	f.Fuzz(func(t *testing.T, text []byte) {
		name := filepath.Join(t.TempDir(), "table")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := tiles.Open(name, 1<<16)
		if err != nil {
			return
		}
		defer table.Close()
		_, _, _ = table.Value(1, 0, []bitboard.Set128{bitboard.Cell128(12), bitboard.Cell128(1), bitboard.Cell128(4)})
		_ = table.Check(context.Background(), 2, nil)
	})
}
