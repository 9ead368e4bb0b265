package retro_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"perfectplay/game"
	"perfectplay/solve/retro"
	"perfectplay/solve/retro/verify"
)

// staged is a toy without cycles: a move leads to a place with fewer plies left, often by more
// than one. Some places have one move, as a seat that passes.
type staged struct {
	*toy
	left  []int
	words int  // words of a key
	ahead bool // states compute keys after moves (NextKey)
	calls atomic.Int64
	sound int64 // number of right answers of NextKey before the first wrong one; 0 if all are right
}

func newStaged(rng *rand.Rand, seats, places, most, deep int) *staged {
	s := &staged{toy: newToy(rng, seats, places, most), left: make([]int, places), words: 1 + rng.IntN(2), ahead: rng.IntN(2) == 0}
	skips := []int{0, 1, 8}[rng.IntN(3)] // of eight moves, the number that may skip stages
	byLeft := map[int][]int{}
	for n := range places {
		if s.left[n] = rng.IntN(deep); n == 0 {
			s.left[n] = deep
		}
		byLeft[s.left[n]] = append(byLeft[s.left[n]], n)
	}
	for n := range places {
		s.hole[n] = false
		if s.to[n], s.from[n] = nil, nil; n > 0 && s.result[n] != game.Ongoing {
			if rng.IntN(2) == 0 {
				s.left[n] = rng.IntN(s.left[n] + 1)
			}
			continue
		}
		s.result[n] = game.Ongoing
		for range 1 + rng.IntN(most) {
			for range 20 {
				left := s.left[n] - 1
				if left > 0 && rng.IntN(8) < skips {
					left = rng.IntN(left)
				}
				if list := byLeft[left]; len(list) > 0 {
					if to := list[rng.IntN(len(list))]; to%seats == (n+1)%seats && s.left[to] < s.left[n] {
						s.to[n] = append(s.to[n], to)
						break
					}
				}
			}
		}
		if len(s.to[n]) == 0 {
			s.result[n] = game.Drawn
		}
		slices.Sort(s.to[n])
	}
	return s
}

func (s *staged) Start() game.State { return s.state(0) }

func (s *staged) Parse(text string) (game.State, error) {
	at, err := s.toy.Parse(text)
	if err != nil {
		return nil, err
	}
	return s.state(at.(*place).at), nil
}

func (s *staged) state(n int) game.State {
	p := &stagedPlace{place{toy: s.toy, at: n}, s}
	if s.ahead {
		return &seer{p}
	}
	return p
}

type stagedPlace struct {
	place
	of *staged
}

func (p *stagedPlace) Clone() game.State { return p.of.state(p.at) }
func (p *stagedPlace) KeyWords() int     { return p.of.words }

func (p *stagedPlace) PliesLeft() int {
	switch {
	case p.flaw == "rises" && p.at%7 == 3:
		return p.of.left[p.at] + 2
	case p.flaw == "ends" && p.at%7 == 3:
		return 0
	}
	return p.of.left[p.at]
}

func (p *stagedPlace) Key(dst []uint64) uint8 { p.key(p.at, dst); return 0 }

func (p *stagedPlace) key(n int, dst []uint64) {
	if p.flaw == "key" && len(p.history) > 0 && n%5 == 2 {
		n ^= 1
	}
	if p.of.words == 1 {
		dst[0] = uint64(n) * 0x123456789
	} else {
		dst[0], dst[1] = uint64(n%3)<<40, uint64(n)<<60>>8|uint64(n)
	}
}

func (p *stagedPlace) SetKey(key []uint64) {
	n := int(key[0] / 0x123456789)
	if p.of.words == 2 {
		n = int(key[1] & (1<<40 - 1))
	}
	if p.flaw == "set" && n%7 == 3 {
		n = (n + 2) % len(p.to)
	}
	p.set(n)
}

type seer struct{ *stagedPlace }

func (p *seer) NextKey(m game.Move, dst []uint64) uint8 {
	n := p.to[p.at][m]
	if p.flaw == "next" && n%5 == 2 {
		n ^= 1
	}
	if p.of.calls.Add(1) > p.of.sound && p.of.sound > 0 {
		n += len(p.to)
	}
	p.key(n, dst)
	return 0
}

// same compares solutions and their tables at every position and for every set of seats.
func (s *staged) same(t *testing.T, plain, staged *retro.Solution) {
	t.Helper()
	met := uint64(0)
	for n := range s.to {
		at := s.state(n)
		for set := uint8(1); set < 1<<s.seats; set++ {
			v, d, ok := plain.Forced(at, set)
			w, e, found := staged.Forced(at, set)
			if v != w || d != e || ok != found {
				t.Fatalf("position %d, set %b: %v in %d, known %t; by stages %v in %d, known %t", n, set, v, d, ok, w, e, found)
			}
			if ok && set == 1 {
				met++
			}
		}
	}
	if met != plain.Positions() || met != staged.Positions() {
		t.Fatalf("%d positions, %d and by stages %d", met, plain.Positions(), staged.Positions())
	}
	count := func(of *retro.Solution, set uint8) string {
		c, err := of.Set(t.Context(), set)
		if set == 0 {
			c, err = of.Mover(t.Context())
		}
		return fmt.Sprint(c, err)
	}
	for set := range uint8(1 << s.seats) {
		if a, b := count(plain, set), count(staged, set); a != b {
			t.Fatalf("set %b: %s, by stages %s", set, a, b)
		}
	}
	a, errA := plain.Reachable(t.Context())
	if b, errB := staged.Reachable(t.Context()); errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
		t.Fatalf("reachable: %v %v, by stages %v %v", a, errA, b, errB)
	}
	walk(t, staged)
	compareBytes(t, plain, staged)
}

// TestStages compares solutions by stages with solutions of the plain solver: all positions, all
// sets of seats, counts and bytes of tables; in memory and in files, in whole and in parts. The
// verifier finds the first tables right.
func TestStages(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 27))
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	for round := range rounds {
		seats := 1 + rng.IntN(4)
		g := newStaged(rng, seats, 2+rng.IntN(900), 1+rng.IntN(5), 1+rng.IntN(40))
		if round%10 == 0 { // two seats and one long way beside others, for distances above 126
			g = newStaged(rng, 2, 400, 1, 150)
			for n := range 200 {
				g.to[n], g.result[n], g.left[n] = []int{n + 1}, game.Ongoing, 250-n
			}
			g.to[200], g.result[200], g.left[200] = nil, 1, 0
		}
		plain, err := retro.Solve(t.Context(), g, retro.Options{Method: retro.Keys, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if round < 10 {
			tab, info := saved(t, g, plain, "")
			if v, err := verify.Table(t.Context(), tab, verify.Options{Threads: 2, Progress: quiet}); err != nil || v.Faults > 0 || !v.Complete(info) {
				t.Fatalf("round %d: %+v %v", round, v, err)
			}
		}
		for name, o := range map[string]retro.Options{
			"one thread": {Threads: 1}, "threads": {Threads: 3, Memory: 64 << 20}, "files": {Threads: 2, Work: t.TempDir()},
			"parts": retro.Options{Threads: 2, Resident: 5}, "parts in files": retro.Options{Threads: 1, Work: t.TempDir(), Resident: 16},
		} {
			if o.Work != "" && round%10 > 0 {
				continue // solves in files take time
			}
			s, err := retro.Solve(t.Context(), g, o)
			if err != nil {
				t.Fatalf("round %d, %s: %v", round, name, err)
			}
			if s.Method != retro.Stages {
				t.Fatalf("round %d: method %s", round, s.Method)
			}
			g.same(t, plain, s)
			s.Close()
		}
	}
}

// TestStagesLost: a solve that fails because it misses a position leaves no wrong checkpoint
// behind.
func TestStagesLost(t *testing.T) {
	for seed := range uint64(4) {
		g := newStaged(rand.New(rand.NewPCG(seed, 3)), 1+int(seed), 300, 3, 12)
		g.ahead = true
		plain, err := retro.Solve(t.Context(), g, retro.Options{Method: retro.Keys})
		if err != nil {
			t.Fatal(err)
		}
		solve := func(dir string) (*retro.Solution, error) {
			g.calls.Store(0)
			return retro.Solve(t.Context(), g, retro.Options{Threads: 2, Work: dir, Resident: 5})
		}
		whole, err := solve(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		whole.Close()
		dir := t.TempDir()
		g.sound = g.calls.Load() * 8 / 10
		if _, err := solve(dir); err == nil || !strings.Contains(err.Error(), "not among those found") {
			t.Errorf("seed %d: keys that lead nowhere: %v", seed, err)
		}
		g.sound = 0
		s, err := solve(dir)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Resumed {
			t.Error("the solve started over")
		}
		g.same(t, plain, s)
		s.Close()
	}
}

// TestStagesMixed: sound files of stages under a wrong name are refused by name.
func TestStagesMixed(t *testing.T) {
	g := newStaged(rand.New(rand.NewPCG(8, 27)), 2, 300, 3, 12)
	o := retro.Options{Threads: 1, Work: t.TempDir()}
	s, err := retro.Solve(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	for _, kind := range []string{"keys", "values"} {
		from, to := filepath.Join(o.Work, "stage-00012."+kind), filepath.Join(o.Work, "stage-00013."+kind)
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if s, err := retro.Solve(t.Context(), g, o); err == nil || !strings.Contains(err.Error(), to) {
			t.Errorf("a copy under another name: %v", err)
			s.Close()
		}
		_ = os.Remove(to)
	}
}

// TestStagesDamaged: a stage that cannot be read ends its block of a table, and all later ones, with
// the same error.
func TestStagesDamaged(t *testing.T) {
	g := newStaged(rand.New(rand.NewPCG(13, 27)), 2, 900, 5, 20)
	s, err := retro.Solve(t.Context(), g, retro.Options{Threads: 1, Resident: 16}) // stages have blocks of eight
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	errs, err := retro.Damage(s, 20)
	if err != nil {
		t.Fatal(err)
	}
	first := slices.IndexFunc(errs, func(err error) bool { return err != nil })
	if first < 1 || first > len(errs)-3 {
		t.Fatalf("of %d blocks the first with an error is %d, want one in the middle", len(errs), first)
	}
	for block, err := range errs[first:] {
		if err != errs[first] || !strings.Contains(err.Error(), "stage") {
			t.Errorf("block %d: %v, want %v", first+block, err, errs[first])
		}
	}
}

// TestStagesMemory: too little memory is refused with the remedy: at once where no game would fit, else
// when it is used up.
func TestStagesMemory(t *testing.T) {
	g := newStaged(rand.New(rand.NewPCG(9, 27)), 2, 100_000, 5, 20)
	if _, err := retro.NewPlan(g, retro.Options{Threads: 1, Memory: 1 << 20}); err == nil || !strings.Contains(err.Error(), "--mem") {
		t.Errorf("a plan in one mebibyte: %v", err)
	}
	plan, err := retro.NewPlan(g, retro.Options{Threads: 1})
	if err != nil || plan.Method != retro.Stages {
		t.Fatalf("%+v %v", plan, err)
	}
	o := retro.Options{Threads: 1, Memory: plan.Least + 1000}
	if s, err := retro.Solve(t.Context(), g, o); err == nil || !strings.Contains(err.Error(), "--work") {
		t.Errorf("a solve of %d positions in %d bytes: %v", s.Positions(), o.Memory, err)
	}
	o.Work = t.TempDir()
	o.Memory += 100_000
	s, err := retro.Solve(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	plain, err := retro.Solve(t.Context(), g, retro.Options{Method: retro.Keys})
	if err != nil {
		t.Fatal(err)
	}
	compareBytes(t, plain, s)
}
