package retro_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/solve/retro"
	"perfectplay/solve/retro/table"
	"perfectplay/solve/retro/verify"
)

func quiet(float64) {}

// opener returns what opens a toy's table.
func opener(g game.Game) func(id, rules string) (game.Game, error) {
	return func(string, string) (game.Game, error) { return g, nil }
}

// TestTables writes tables of random games by every method: the bytes are equal, values are
// those of the solution, and the verifier agrees.
func TestTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 27))
	for round := range 25 {
		seats := 1 + rng.IntN(4)
		toy := newToy(rng, seats, 1+rng.IntN(300), 1+rng.IntN(5))
		for _, g := range []game.Game{toy, backwards{numbered{toy}}} {
			var bytes string
			for _, m := range []retro.Method{"", retro.Graph} {
				s, err := retro.Solve(t.Context(), g, retro.Options{Method: m, Threads: 2})
				if err != nil {
					t.Fatal(err)
				}
				name := filepath.Join(t.TempDir(), "toy.table")
				info, err := s.Save(t.Context(), name, "test", 3, quiet)
				if err != nil {
					t.Fatal(err)
				}
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if bytes == "" {
					bytes = string(text)
				} else if bytes != string(text) {
					t.Fatalf("round %d, %s: other bytes", round, m)
				}
				tab, err := table.Open(name, 1<<20, opener(g))
				if err != nil {
					t.Fatal(err)
				}
				if err := tab.Check(t.Context(), quiet); err != nil {
					t.Error(err)
				}
				compare(t, toy, s, tab)
				v, err := verify.Table(t.Context(), tab, verify.Options{Threads: 2, Progress: quiet})
				if err != nil || v.Faults > 0 || !v.Complete(info) {
					t.Fatalf("round %d, %s: %+v %v", round, m, v, err)
				}
				if err := tab.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// compare asks solution and table about all positions and sets.
func compare(t *testing.T, toy *toy, s *retro.Solution, tab *table.Table) {
	t.Helper()
	for n := range toy.to {
		if toy.hole[n] {
			continue
		}
		at, _ := toy.Parse(toy.at(n))
		for set := uint8(1); set < 1<<toy.seats; set++ {
			if toy.seats == 2 && set == 3 {
				continue
			}
			v, d, ok := s.Value(at, set)
			w, e, err := tab.Value(at, set)
			if ok != (err == nil) || !ok && !errors.Is(err, table.ErrUnknown) || ok && (v != w || d != e) {
				t.Fatalf("set %b at %d: solution %v in %d, %t, table %v in %d, %v", set, n, v, d, ok, w, e, err)
			}
		}
	}
}

// definition is a table of a toy with two seats by the plain statement, with one code changed.
type definition struct {
	ours, theirs []int
	toy          *toy
	change       int
	to           byte
}

func (d definition) Key(uint64) []uint64 { return nil }

func (d definition) Code(_ int, n uint64) (code byte, odd bool) {
	plies, side := d.ours[n], 0
	if plies < 0 {
		plies, side = d.theirs[n], 1
	}
	if plies >= 0 {
		code, odd = byte(plies+1), (int(n)%2+plies+1)%2 != side
	}
	if int(n) == d.change {
		code = d.to
	}
	return code, odd
}

// TestVerify: the verifier agrees with tables by the definition, and finds every wrong code.
func TestVerify(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 27))
	found := 0
	for round := range 150 {
		toy := newToy(rng, 2, 2+rng.IntN(100), 1+rng.IntN(4))
		d := definition{ours: toy.plain(1), theirs: toy.plain(2), toy: toy, change: -1}
		right := d
		if round%3 > 0 {
			for d.change < 0 || toy.hole[d.change] {
				d.change = rng.IntN(len(toy.to))
			}
			for was, _ := d.Code(0, uint64(d.change)); d.to == was || round%6 == 1 && d.to == 0; was, _ = right.Code(0, uint64(d.change)) {
				d.to = byte(rng.IntN(8))
			}
			if was, _ := right.Code(0, uint64(d.change)); was == d.to {
				continue
			}
		}
		info := table.Info{Game: "toy", Seats: 2, Numbering: table.ByGame, Numbers: uint64(len(toy.to)), Sets: table.Sets(2), Odd: []bool{true}}
		for n := range toy.to {
			if !toy.hole[n] {
				info.Positions++
				info.Draws++
			}
		}
		name := filepath.Join(t.TempDir(), "t")
		if _, err := table.Write(t.Context(), name, info, d, 1, quiet); err != nil {
			t.Fatal(err)
		}
		tab, err := table.Open(name, 1<<20, opener(numbered{toy}))
		if err != nil {
			t.Fatal(err)
		}
		v, err := verify.Table(t.Context(), tab, verify.Options{Progress: quiet})
		if err != nil || (v.Faults > 0) != (d.change >= 0) {
			t.Fatalf("round %d: position %d as %d: %+v %v", round, d.change, d.to, v, err)
		}
		if v.Faults > 0 {
			found++
		}
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	}
	if found < 50 {
		t.Errorf("only %d changed tables", found)
	}
}

// TestWork interrupts solves after every ply and goes on: the table has the same bytes.
func TestWork(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 27))
	for round := range 12 {
		toy := newToy(rng, 1+round%4, 900, 2)
		if round%5 == 0 {
			toy = newToy(rng, 2, 350, 330)
		}
		for _, m := range []retro.Method{retro.Unmoves, retro.Graph} {
			g := backwards{numbered{toy}}
			whole, err := retro.Solve(t.Context(), g, retro.Options{Method: m})
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			resumed := false
			for tries := 0; ; tries++ {
				ctx, cancel := context.WithCancel(t.Context())
				plies := 0
				s, err := retro.Solve(ctx, g, retro.Options{Method: m, Work: dir, Progress: func(p retro.Progress) {
					if p.Layer > 0 && p.Ply > 0 {
						if plies++; plies > 3 {
							cancel()
						}
					}
				}})
				cancel()
				if err == nil {
					resumed = resumed || s.Resumed
					compareBytes(t, whole, s)
					break
				}
				if !errors.Is(err, context.Canceled) || tries > 400 {
					t.Fatal(err)
				}
			}
			if !resumed && round%5 != 0 { // else there are few plies
				t.Errorf("round %d, %s: it was never gone on with", round, m)
			}
			other := newToy(rng, toy.seats, 901, 2)
			if _, err := retro.Solve(t.Context(), backwards{numbered{other}}, retro.Options{Method: m, Work: dir}); err == nil || !strings.Contains(err.Error(), "another job") {
				t.Errorf("the checkpoint of another game: %v", err)
			}
			if err := retro.RemoveWork(dir); err != nil {
				t.Error(err)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		}
	}
}

// compareBytes compares the tables of two solutions.
func compareBytes(t *testing.T, a, b *retro.Solution) {
	t.Helper()
	var texts [2][]byte
	for i, s := range []*retro.Solution{a, b} {
		name := filepath.Join(t.TempDir(), "t")
		if _, err := s.Save(t.Context(), name, "", 1, quiet); err != nil {
			t.Fatal(err)
		}
		texts[i], _ = os.ReadFile(name)
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("the tables differ")
	}
}

// forge writes a file with a description changed by a function, with right checksums.
func forge(t testing.TB, change func(map[string]any)) string {
	t.Helper()
	toy := newToy(rand.New(rand.NewPCG(5, 27)), 3, 50, 3)
	s, err := retro.Solve(t.Context(), numbered{toy}, retro.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "t")
	if _, err := s.Save(t.Context(), name, "", 1, quiet); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(name)
	if err != nil || change == nil {
		return name
	}
	if err := os.WriteFile(name, table.Forge(raw, func(text []byte) []byte {
		var d map[string]any
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		change(d)
		text, _ = json.Marshal(d)
		return text
	}), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestForged: descriptions with right checksums that say what cannot be are refused.
func TestForged(t *testing.T) {
	toy := newToy(rand.New(rand.NewPCG(5, 27)), 3, 50, 3)
	for name, change := range map[string]func(map[string]any){
		"seats 0":      func(d map[string]any) { d["seats"] = 0 },
		"seats 7":      func(d map[string]any) { d["seats"] = 7 },
		"seats many":   func(d map[string]any) { d["seats"] = 1 << 40 },
		"numbers 0":    func(d map[string]any) { d["numbers"] = 0 },
		"numbers most": func(d map[string]any) { d["numbers"] = uint64(1<<64 - 1) },
		"numbers":      func(d map[string]any) { d["numbers"] = 1 << 40 },
		"more":         func(d map[string]any) { d["numbers"] = 51 },
		"positions":    func(d map[string]any) { d["positions"] = 1 << 50 },
		"wins":         func(d map[string]any) { d["wins"] = uint64(1<<64 - 1) },
		"keys":         func(d map[string]any) { d["numbering"], d["key_words"] = "keys", 1<<60 },
		"few keys":     func(d map[string]any) { d["numbering"], d["key_words"] = "keys", 1 },
		"sets":         func(d map[string]any) { d["sets"] = []int{1, 3, 5, 9} },
		"no sets":      func(d map[string]any) { d["sets"] = []int{} },
		"odd":          func(d map[string]any) { d["odd"] = []bool{} },
		"game":         func(d map[string]any) { d["game"] = "other" },
	} {
		if tab, err := table.Open(forge(t, change), 1<<20, opener(numbered{toy})); err == nil {
			tab.Close()
			t.Errorf("%s: opened", name)
		}
	}
	tab, err := table.Open(forge(t, func(map[string]any) {}), 1<<20, opener(numbered{toy}))
	if err != nil {
		t.Fatal(err)
	}
	tab.Close()
	// A count that may be is told by the signature.
	tab, err = table.Open(forge(t, func(d map[string]any) {
		d["wins"], d["losses"] = d["wins"].(float64)+1, d["losses"].(float64)-1
	}), 1<<20, opener(numbered{toy}))
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	if err := tab.Check(t.Context(), quiet); err == nil || !strings.Contains(err.Error(), "signature") {
		t.Errorf("counts changed: %v", err)
	}
}

// FuzzRead: no file makes the reader panic or take memory without bound.
func FuzzRead(f *testing.F) {
	toy := newToy(rand.New(rand.NewPCG(5, 27)), 3, 50, 3)
	raw, err := os.ReadFile(forge(f, nil))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add(raw[:len(raw)/2])
	f.Fuzz(func(t *testing.T, raw []byte) {
		name := filepath.Join(t.TempDir(), "t")
		if err := os.WriteFile(name, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		tab, err := table.Open(name, 1<<20, opener(numbered{toy}))
		if err != nil {
			return
		}
		defer tab.Close()
		_ = tab.Check(t.Context(), quiet)
		_, _ = verify.Table(t.Context(), tab, verify.Options{Progress: quiet})
	})
}
