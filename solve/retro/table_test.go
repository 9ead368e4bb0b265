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

// TestWork interrupts and resumes solves after every third ply: the table has the same bytes.
func TestWork(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 27))
	rounds := 8
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
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
			s := interrupted(t, g, retro.Options{Method: m, Work: dir}, 1, func(int) int { return 3 })
			compareBytes(t, whole, s)
			// In every fifth round there are too few plies to resume.
			if !s.Resumed && round%5 != 0 {
				t.Errorf("round %d, %s: it was never resumed", round, m)
			}
			other := newToy(rng, toy.seats, 901, 2)
			if _, err := retro.Solve(t.Context(), backwards{numbered{other}}, retro.Options{Method: m, Work: dir}); err == nil || !strings.Contains(err.Error(), "have changed since") {
				t.Errorf("the checkpoint of another game: %v", err)
			}
			if err := retro.State(dir, other).Remove(); err != nil {
				t.Error(err)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		}
	}
}

// TestKeysWork interrupts solves by keys again and again: the tables have the bytes of an
// uninterrupted run. A damaged checkpoint and a checkpoint of another game are refused.
func TestKeysWork(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 27))
	gone := 0
	for round := range 6 {
		o := retro.Options{Method: retro.Keys}
		var g game.Game
		var whole *retro.Solution
		for whole == nil || whole.Positions() < 5000 { // small games end before the first report
			if g = newToy(rng, 1+round%3, 20_000, 3); round > 2 {
				g = newStaged(rng, 1+round%3, 20_000, 4, 40)
			}
			var err error
			if whole, err = retro.Solve(t.Context(), g, o); err != nil {
				t.Fatal(err)
			}
		}
		o.Work = t.TempDir()
		s := interrupted(t, g, o, 0, func(try int) int { return 2 + 2*try })
		if compareBytes(t, whole, s); s.Resumed {
			gone++
		}
		walk(t, s)
		names, _ := filepath.Glob(filepath.Join(o.Work, "*"))
		if len(names) == 0 {
			t.Fatal("a whole solve leaves no checkpoint")
		}
		text, err := os.ReadFile(names[0])
		if err != nil {
			t.Fatal(err)
		}
		named := 0
		for range 20 {
			if err := os.WriteFile(names[0], damage(rng, text), 0o666); err != nil {
				t.Fatal(err)
			}
			s, err := retro.Solve(t.Context(), g, o)
			switch {
			case err == nil: // changes of some bits of a zstd frame have no effect
				compareBytes(t, whole, s)
			case !strings.Contains(err.Error(), names[0]):
				t.Fatalf("a damaged checkpoint: %v", err)
			default:
				named++
			}
		}
		if named < 18 {
			t.Errorf("%d of 20 damaged checkpoints are named", named)
		}
		if err := os.WriteFile(names[0], text, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := retro.Solve(t.Context(), newToy(rng, g.Seats(), 901, 2), o); err == nil || !strings.Contains(err.Error(), "have changed since") {
			t.Errorf("the checkpoint of another game: %v", err)
		}
	}
	if gone < 4 {
		t.Errorf("%d of 6 solves were resumed", gone)
	}
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
