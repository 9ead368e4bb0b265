package retro_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/gametest"
	"perfectplay/game/gametest/stranger"
	"perfectplay/internal/blocks"
	"perfectplay/solve/retro"
	"perfectplay/solve/retro/verify"
	"perfectplay/solve/table"
)

// TestStrangers: games with many moves, sparse numbers, no moves backwards, several seats and long
// wins keep the contract. They are solved within a few times their forecast of memory, with the
// values of the theory, and their tables are verified.
func TestStrangers(t *testing.T) {
	for i, h := range stranger.Heaps() {
		if i%3 > 0 && testing.Short() {
			continue // every third game only: by keys and by numbers, of one to three seats
		}
		g := h.Game()
		gametest.Config{Games: 1, Plies: 3, Thorough: 1}.Run(t, g)
		for _, o := range []retro.Options{{Threads: 2, Memory: 128 << 20}, retro.Options{Threads: 2, Work: t.TempDir(), Resident: 1 << 20}} {
			s, err := retro.Solve(t.Context(), g, o)
			if err != nil {
				t.Fatal(err)
			}
			info := func() table.Info {
				defer s.Close()
				theory(t, h, g, s)
				tab, info := saved(t, g, s, "")
				if v, err := verify.Table(t.Context(), tab, verify.Options{Threads: 2, Sample: 500}); err != nil || v.Faults > 0 {
					t.Errorf("%s: %+v %v", g.ID(), v, err)
				}
				return info
			}()
			if seats := uint64(g.Seats()); info.Positions < uint64(h.Stones)/seats*(seats/2) {
				t.Errorf("%s: %d positions", g.ID(), info.Positions)
			}
		}
	}
}

// theory compares the values of a heap for one and two seats with the known theory.
func theory(t *testing.T, h stranger.Heap, g game.Game, s *retro.Solution) {
	t.Helper()
	if g.Seats() > 2 {
		// A player who can take all wins at once; with one stone more the next player does.
		at, err := g.Parse(fmt.Sprintf("%d.B", h.Most))
		if err == nil {
			if v, d, ok := s.Forced(at, 2); !ok || v != game.Win || d != 1 {
				t.Errorf("%s: %s is %v in %d", g.ID(), at, v, d)
			}
		}
		return
	}
	if g.Seats() == 1 {
		if v, d, _ := s.Value(g.Start()); v != game.Win || d != h.Stones {
			t.Errorf("%s: %v in %d", g.ID(), v, d)
		}
		return
	}
	for _, left := range []int{h.Stones, h.Stones - 1, h.Most, 1, 0} {
		if left > h.Stones {
			continue
		}
		at, err := g.Parse(fmt.Sprintf("%d.A", left))
		if err != nil {
			t.Fatal(err)
		}
		wins, plies := h.Wins(left)
		want := game.Loss
		if wins {
			want = game.Win
		}
		if v, d, ok := s.Forced(at, 1); ok && (v != want || d != plies) {
			t.Errorf("%s: %s is %v in %d, by theory %v in %d", g.ID(), at, v, d, want, plies)
		}
	}
}

// TestMemoryIsTheLimit: a solve that does not fit is refused with the remedy. A solve that fits is
// not refused, even if the forecast says that it does not fit.
func TestMemoryIsTheLimit(t *testing.T) {
	for _, h := range []stranger.Heap{
		{Name: "large", Stones: 1500, Most: 1500, Keys: true},
		{Name: "large", Stones: 1500, Most: 1500, Numbers: true},
	} {
		g := h.Game()
		if h.Numbers && testing.Short() {
			continue // a second for each
		}
		plan, err := retro.NewPlan(g, retro.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		// Too little for 1.1 million moves.
		_, err = retro.Solve(t.Context(), g, retro.Options{Threads: 1, Memory: 5 << 20})
		if err == nil || !strings.Contains(err.Error(), "heap-large: ") || !strings.Contains(err.Error(), "--mem") || strings.Contains(err.Error(), "\n") {
			t.Errorf("numbers %t: %v", h.Numbers, err)
		}
		if s, err := retro.Solve(t.Context(), g, retro.Options{Threads: 1, Memory: 64 << 20}); err != nil || s.Positions() != 1501 {
			t.Errorf("numbers %t, forecast %d: %v", h.Numbers, plan.Bytes, err)
		}
	}
}

// TestLyingKeys: the solver names two different positions that share a key or a number; the
// verifier refuses a table made from one of them.
func TestLyingKeys(t *testing.T) {
	for name, key := range map[string]func(left int) uint64{
		"pairs":     func(left int) uint64 { return uint64(left / 2) },
		"all large": func(left int) uint64 { return uint64(min(left, 50)) },
		"two":       func(left int) uint64 { return uint64(map[bool]int{true: 40, false: left}[left == 43]) },
		"remainder": func(left int) uint64 { return uint64(left % 64) },
	} {
		h := stranger.Heap{Name: "liar", Stones: 90, Most: 3, Keys: true, KeyOf: key}
		_, err := retro.Solve(t.Context(), h.Game(), retro.Options{Threads: 1})
		if err == nil || !regexp.MustCompile(`heap-liar: positions \d+\.[AB] and \d+\.[AB] share a key, and are not alike: `).MatchString(err.Error()) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A game where 40 stones become 43 has the table of a heap that confuses the two.
	dir := t.TempDir()
	one := func(left int) uint64 { return uint64(map[bool]int{true: 40, false: left}[left == 43]) }
	s, err := retro.Solve(t.Context(), stranger.Heap{Name: "liar", Stones: 90, Most: 3, Keys: true, KeyOf: one, Moved: func(left int) int {
		return map[bool]int{true: 43, false: left}[left == 40]
	}}.Game(), retro.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Save(t.Context(), filepath.Join(dir, "t"), "", quiet); err != nil {
		t.Fatal(err)
	}
	lies := stranger.Heap{Name: "liar", Stones: 90, Most: 3, Keys: true, KeyOf: one}
	raw, err := os.ReadFile(filepath.Join(dir, "t"))
	if err != nil {
		t.Fatal(err)
	}
	raw = blocks.Forge(raw, func(d []byte) []byte {
		return regexp.MustCompile(`"fingerprint":"[^"]*"`).ReplaceAll(d, fmt.Appendf(nil, `"fingerprint":%q`, game.Fingerprint(lies.Game())))
	})
	if err := os.WriteFile(filepath.Join(dir, "t"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	tab, err := table.Open(filepath.Join(dir, "t"), 1<<20, opener(lies.Game()))
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	v, err := verify.Table(t.Context(), tab, verify.Options{Threads: 1})
	if err != nil || v.Faults == 0 || !strings.Contains(v.First[0], "another position is solved in the place of this one: 40.") {
		t.Errorf("%+v %v", v, err)
	}
}

// TestFaultyStrangers: a panic in any method is reported with the game, the position and, if one
// was made, the move.
func TestFaultyStrangers(t *testing.T) {
	for _, method := range []string{"Result", "Moves", "Make", "Unmake", "Key", "Number", "At", "Before"} {
		for _, h := range []stranger.Heap{{Name: "faulty", Stones: 90, Most: 3, Keys: true}, {Name: "faulty", Stones: 90, Most: 3, Keys: true, Numbers: true, Before: true}} {
			if !h.Numbers && (method == "Number" || method == "At" || method == "Before") {
				continue
			}
			h.On = func(m string, left int) {
				if m == method && left == 41 {
					panic("planted")
				}
			}
			_, err := retro.Solve(t.Context(), h.Game(), retro.Options{Threads: 2})
			if err == nil || !regexp.MustCompile(`^heap-faulty at \d+\.[AB](, move \d+)?: .* panics \(stranger_test.go:\d+\): planted$`).MatchString(err.Error()) {
				t.Errorf("%s, numbers %t: %v", method, h.Numbers, err)
			}
		}
	}
}

// TestChangedRules: if rules have changed under the same id, a state and a table are refused with
// the change named; else they are accepted.
func TestChangedRules(t *testing.T) {
	was := stranger.Heap{Name: "one", Stones: 90, Most: 3, Keys: true, Numbers: true, Before: true}
	for what, change := range map[string]func(h *stranger.Heap){
		"":                          func(h *stranger.Heap) {},
		"its results":               func(h *stranger.Heap) { h.Misere = true },
		"its positions or moves":    func(h *stranger.Heap) { h.Most = 4 },
		"its numbers":               func(h *stranger.Heap) { h.Sparse = 3 },
		"its positions or moves, 2": func(h *stranger.Heap) { h.Stones = 91 },
		"its keys":                  func(h *stranger.Heap) { h.KeyOf = func(left int) uint64 { return uint64(left + 1) } },
		"its numbers, 2":            func(h *stranger.Heap) { h.Numbers = false },
	} {
		dir, now := t.TempDir(), was
		change(&now)
		file := filepath.Join(dir, "table")
		s, err := retro.Solve(t.Context(), was.Game(), retro.Options{Threads: 1, Work: dir})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Save(t.Context(), file, "", quiet); err != nil {
			t.Fatal(err)
		}
		want, _, _ := strings.Cut(what, ",")
		refused := func(of string, err error) {
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), "heap-one") || !strings.Contains(err.Error(), want+" ")) {
				t.Errorf("%s: %q: %v", of, what, err)
			}
		}
		_, err = retro.Solve(t.Context(), now.Game(), retro.Options{Threads: 1, Work: dir})
		refused("the state", err)
		_, err = table.Open(file, 1<<20, opener(now.Game()))
		refused("the table", err)
	}
}
