package retro_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/solve/retro"
	"perfectplay/solve/retro/verify"
	"perfectplay/solve/table"
)

func quiet(float64) {}

// saved writes the table of a solution and opens it until the test ends.
func saved(t *testing.T, g game.Game, s *retro.Solution, program string) (*table.Table, table.Info) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "t")
	info, err := s.Save(t.Context(), name, program, quiet)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := table.Open(name, 1<<28, opener(g))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tab.Close() })
	return tab, info
}

// interrupted solves a game in several tries. The tries are numbered from 0. A try is cancelled
// after reports(try) reports of passes from first on.
func interrupted(t *testing.T, g game.Game, o retro.Options, first int, reports func(try int) int) *retro.Solution {
	t.Helper()
	for try := range 400 {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		o.Progress = func(p retro.Progress) {
			if p.Pass >= first {
				n++
			}
			if n > reports(try) {
				cancel()
			}
		}
		s, err := retro.Solve(ctx, g, o)
		cancel()
		if err == nil {
			return s
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	t.Fatal("none of 400 tries comes to an end")
	return nil
}

// damage flips a bit of a text, and sometimes cuts it off.
func damage(rng *rand.Rand, text []byte) []byte {
	wrong := bytes.Clone(text)
	if wrong[rng.IntN(len(wrong))] ^= 1 << rng.IntN(8); rng.IntN(4) == 0 {
		wrong = wrong[:rng.IntN(len(wrong))]
	}
	return wrong
}

// opener returns the Opener of a toy.
func opener(g game.Game) table.Opener {
	return func(table.Info) (game.Game, table.Plan, error) { return g, table.Plan{}, nil }
}

// TestTables writes tables of random games by every method: all methods write equal bytes, the
// values are those of the solution, and the verifier agrees.
func TestTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 27))
	rounds := 25
	if testing.Short() {
		rounds = 8
	}
	for round := range rounds {
		seats := 1 + rng.IntN(4)
		toy := newToy(rng, seats, 1+rng.IntN(300), 1+rng.IntN(5))
		for _, g := range []game.Game{toy, backwards{numbered{toy}}} {
			var first *retro.Solution
			for _, m := range []retro.Method{"", retro.Graph} {
				s, err := retro.Solve(t.Context(), g, retro.Options{Method: m, Threads: 2})
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = s
				}
				compareBytes(t, first, s)
				tab, info := saved(t, g, s, "test")
				if err := tab.Check(t.Context(), 2, quiet); err != nil {
					t.Error(err)
				}
				compare(t, toy, s, tab)
				v, err := verify.Table(t.Context(), tab, verify.Options{Threads: 2, Progress: quiet})
				if err != nil || v.Faults > 0 || !v.Complete(info) {
					t.Fatalf("round %d, %s: %+v %v", round, m, v, err)
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
			v, d, ok := s.Forced(at, set)
			w, e, err := tab.Value(at, set)
			if ok != (err == nil) || !ok && !errors.Is(err, table.ErrUnknown) || ok && (v != w || d != e) {
				t.Fatalf("set %b at %d: solution %v in %d, %t, table %v in %d, %v", set, n, v, d, ok, w, e, err)
			}
		}
	}
}

// definition makes the table of a toy with two seats by the plain definition, with one code
// changed.
type definition struct {
	ours, theirs []int
	toy          *toy
	change       int
	to           byte
}

func (d definition) code(n int) uint16 {
	v, plies := worth(d.ours[n], d.theirs[n])
	if n%2 == 1 {
		v = v.Negate()
	}
	if n == d.change {
		return uint16(d.to)
	}
	return table.Code(v, plies, true)
}

func (d definition) contents() table.Contents {
	return table.Contents{Fill: func(_ int, codes [][]byte) error {
		for n := range d.toy.to {
			codes[0] = append(codes[0], byte(d.code(n)))
		}
		return nil
	}}
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
			if d.to = byte(rng.IntN(12)); uint16(d.to) == right.code(d.change) {
				continue
			}
		}
		info := table.Info{Game: "toy", Fingerprint: game.Fingerprint(numbered{toy}), Seats: 2, Numbering: table.ByGame, Numbers: uint64(len(toy.to)), Bits: 8, Sets: table.Sets(1)}
		for n := range toy.to {
			if !toy.hole[n] {
				info.Positions++
				info.Draws++
			}
		}
		name := filepath.Join(t.TempDir(), "t")
		numbering, err := table.Numbers(numbered{toy})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Write(t.Context(), name, info, numbering, d.contents(), 1, quiet); err != nil {
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

// TestWork interrupts and resumes solves again and again: the tables have the bytes of an
// uninterrupted run. Damaged checkpoints and those of another game are refused.
func TestWork(t *testing.T) {
	numbered := func(rng *rand.Rand, round int) game.Game {
		if round%5 == 0 { // too few plies to resume
			return backwards{numbered{newToy(rng, 2, 350, 330)}}
		}
		return backwards{numbered{newToy(rng, 1+round%4, 900, 2)}}
	}
	keyed := func(rng *rand.Rand, round int) game.Game {
		for { // small games end before the first report
			if g := newToy(rng, 1+round%3, 20_000, 3); round < 3 && g.reached() >= 5000 {
				return g
			}
			if g := newStaged(rng, 1+round%3, 20_000, 4, 40); round > 2 && g.reached() >= 5000 {
				return g
			}
		}
	}
	inStages := func(rng *rand.Rand, round int) game.Game { return newStaged(rng, 1+round%3, 700, 3, 25) }
	for _, c := range []struct {
		method         retro.Method
		rounds         int
		resumed, named int // least numbers of solves that resume, and of 20 damaged files that are named
		first          int // first pass whose reports count
		reports        func(try int) int
		game           func(rng *rand.Rand, round int) game.Game
	}{
		{retro.Unmoves, 8, 6, 18, 1, func(int) int { return 3 }, numbered},
		{retro.Graph, 8, 6, 18, 1, func(int) int { return 3 }, numbered},
		{retro.Keys, 6, 4, 18, 0, func(try int) int { return 2 + 2*try }, keyed},
		{retro.Stages, 6, 4, 19, 0, func(try int) int { return 12 + 3*try }, inStages},
	} {
		rng := rand.New(rand.NewPCG(4, 27))
		gone := 0
		for round := range c.rounds {
			g, o := c.game(rng, round), retro.Options{Method: c.method, Threads: 2}
			if c.method == retro.Stages {
				o.Method = retro.Keys
			}
			whole, err := retro.Solve(t.Context(), g, o)
			if err != nil {
				t.Fatal(err)
			}
			o.Method, o.Work = c.method, t.TempDir()
			s := interrupted(t, g, o, c.first, c.reports)
			if g, ok := g.(*staged); ok {
				g.same(t, whole, s)
			} else {
				compareBytes(t, whole, s)
				walk(t, s)
			}
			if s.Close(); s.Resumed {
				gone++
			}
			if saved, err := retro.State(o.Work, g).Saved(); !saved || err != nil {
				t.Errorf("%s: saved %t: %v", c.method, saved, err)
			}
			if named := damaged(t, rng, g, o, whole); named < c.named {
				t.Errorf("%s, round %d: %d of 20 damaged checkpoints are named", c.method, round, named)
			}
			if _, err := retro.Solve(t.Context(), c.game(rng, round), o); err == nil || !strings.Contains(err.Error(), "have changed since") {
				t.Errorf("%s: the checkpoint of another game: %v", c.method, err)
			}
			if err := retro.State(o.Work, g).Discard(); err != nil {
				t.Error(err)
			}
			if left, _ := os.ReadDir(o.Work); len(left) > 0 {
				t.Errorf("%s: left: %v", c.method, left)
			}
		}
		if gone < c.resumed {
			t.Errorf("%s: %d of %d solves were resumed", c.method, gone, c.rounds)
		}
	}
}

// damaged damages a checkpoint of a complete solve 20 times. It counts the solves whose error names
// the file, at once or when a value is needed; the others must have the table of a whole solve.
func damaged(t *testing.T, rng *rand.Rand, g game.Game, o retro.Options, whole *retro.Solution) (named int) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(o.Work, "*"))
	name := names[rng.IntN(len(names))]
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Error(err)
		}
	}()
	for range 20 {
		if err := os.WriteFile(name, damage(rng, text), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := retro.Solve(t.Context(), g, o)
		if err == nil {
			for at := range s.All() {
				s.Value(at)
			}
			if err = s.Err(); err == nil { // changes of some bits of a zstd frame have no effect
				compareBytes(t, whole, s)
			} else if _, err := s.Save(t.Context(), filepath.Join(t.TempDir(), "t"), "", quiet); err == nil {
				t.Errorf("%s is damaged, and nobody says so", name)
			}
			s.Close()
		}
		if err != nil && !strings.Contains(err.Error(), name) {
			t.Fatalf("%s: %v, want the name of %s", o.Method, err, name)
		}
		if err != nil {
			named++
		}
	}
	return named
}

// compareBytes compares the tables of two solutions.
func compareBytes(t *testing.T, a, b *retro.Solution) {
	t.Helper()
	var texts [2][]byte
	for i, s := range []*retro.Solution{a, b} {
		name := filepath.Join(t.TempDir(), "t")
		if _, err := s.Save(t.Context(), name, "", quiet); err != nil {
			t.Fatal(err)
		}
		texts[i], _ = os.ReadFile(name)
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("the tables differ")
	}
}
