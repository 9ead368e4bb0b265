package armies

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfectplay/internal/host"
	"perfectplay/internal/store"
)

// contents reads the layers of a directory.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := store.List(dir, layerFiles)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(name)] = string(text)
	}
	return all
}

// TestResume interrupts a solve again and again, with another number of threads each time: the
// layers are the same, byte for byte.
func TestResume(t *testing.T) {
	spec := small(t, 1, "fgoc")
	dir := t.TempDir()
	s := solved(t, spec, Options{Work: dir, Threads: 1, Named: true})
	want := contents(t, dir)
	if saved, err := State(dir, spec).Saved(); err != nil || !saved || len(want) == 0 {
		t.Fatalf("saved %t, %d layers are there (%v)", saved, len(want), err)
	}
	if s.Resumed {
		t.Error("the first solve says that it was resumed")
	}
	again := t.TempDir()
	for stop := 1; ; stop++ {
		ctx, cancel := context.WithCancel(context.Background())
		steps := 0
		s, err := Solve(ctx, spec, Options{Work: again, Threads: 1 + stop%3, Named: true, Progress: func(Progress) {
			if steps++; steps >= 30+7*stop {
				cancel()
			}
		}})
		cancel()
		if err == nil {
			if !s.Resumed {
				t.Error("the solve was never interrupted")
			}
			s.Close()
			break
		}
		if !errors.Is(err, context.Canceled) || stop > 200 {
			t.Fatal(err)
		}
	}
	got := contents(t, again)
	for name, text := range want {
		if got[name] != text {
			t.Errorf("layer %s differs", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d layers, want %d", len(got), len(want))
	}
	if err := State(again, spec).Remove(); err != nil || len(contents(t, again)) != 0 {
		t.Errorf("not all layers are removed: %v", err)
	}
}

// TestLayers compares the bytes of layers with the plan.
func TestLayers(t *testing.T) {
	for _, letters := range []string{"fgoc", "fg", ""} {
		spec, dir, n := small(t, 2, letters), t.TempDir(), uint64(0)
		plan, err := NewPlan(spec, Options{Named: true})
		if err != nil {
			t.Fatal(err)
		}
		solved(t, spec, Options{Work: dir, Named: true})
		for _, text := range contents(t, dir) {
			n += uint64(len(text))
		}
		if n > plan.State || 2*n < plan.State {
			t.Errorf("rules %s: layers take %d bytes, planned are %d", letters, n, plan.State)
		}
	}
}

// TestMissingLayers: a solve computes missing layers again.
func TestMissingLayers(t *testing.T) {
	spec := small(t, 1, "fc")
	dir := t.TempDir()
	solved(t, spec, Options{Work: dir}).Close()
	want := contents(t, dir)
	for name := range want {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		s, err := Solve(context.Background(), spec, Options{Work: dir})
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if got := contents(t, dir); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("without %s other layers come about", name)
		}
	}
}

// TestDamagedLayers: a changed byte or a missing end of a layer is an error; layers of other games
// are refused.
func TestDamagedLayers(t *testing.T) {
	spec := small(t, 1, "fgoc")
	dir := t.TempDir()
	solved(t, spec, Options{Work: dir}).Close()
	names, err := store.List(dir, layerFiles)
	if err != nil {
		t.Fatal(err)
	}
	last := filepath.Join(dir, "layer-07-07-001")
	text, err := os.ReadFile(last)
	if err != nil {
		t.Fatal(err, names)
	}
	try := func() error {
		s, err := Solve(context.Background(), spec, Options{Work: dir})
		if err != nil {
			return err
		}
		defer s.Close()
		w := s.newSheet()
		for group := range s.b.layout(0).groups {
			w.open(0, group)
			if _, err := w.read(Coalition(7), 0); err != nil {
				return err
			}
		}
		return nil
	}
	damages := 200
	if testing.Short() {
		damages = 40
	}
	for i := 0; i < len(text); i += 1 + len(text)/damages {
		damaged := slices.Clone(text)
		damaged[i] ^= 1 << (i % 8)
		if err := os.WriteFile(last, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := try(); err == nil {
			t.Errorf("byte %d of %d: no error", i, len(text))
		}
		if err := os.WriteFile(last, text[:i], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := try(); err == nil {
			t.Errorf("cut after byte %d of %d: no error", i, len(text))
		}
	}
	if err := os.WriteFile(last, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := try(); err != nil {
		t.Error(err)
	}
	other := small(t, 1, "fgo")
	if _, err := State(dir, other).Saved(); !errors.Is(err, store.ErrOther) {
		t.Errorf("layers of another game: %v", err)
	}
	if _, err := Solve(context.Background(), other, Options{Work: dir}); !errors.Is(err, store.ErrOther) {
		t.Errorf("a solve continued from layers of another game: %v", err)
	}
	if err := State(dir, other).Discard(); !errors.Is(err, store.ErrOther) || len(contents(t, dir)) != len(names) {
		t.Errorf("layers of another game are removed: %v", err)
	}
	if err := os.WriteFile(last, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := State(dir, spec).Saved(); err == nil || errors.Is(err, store.ErrOther) {
		t.Errorf("an empty layer: %v", err)
	}
	if err := State(dir, spec).Discard(); err != nil || len(contents(t, dir)) != 0 {
		t.Errorf("%v, %d layers left", err, len(contents(t, dir)))
	}
}

// TestRulesChanged: layers of rules that have changed under the same name are refused, and can be
// discarded.
func TestRulesChanged(t *testing.T) {
	dir := t.TempDir()
	_, was := described(t, "halma-star13-3p", "house")
	if _, err := Solve(t.Context(), was, Options{Work: dir}); err != nil {
		t.Fatal(err)
	}
	_, now := described(t, "halma-star13-3p", "base")
	now.Rules = was.Rules
	if _, err := State(dir, now).Saved(); !errors.Is(err, store.ErrChanged) || !strings.Contains(err.Error(), "have changed since") {
		t.Error(err)
	}
	if _, err := Solve(t.Context(), now, Options{Work: dir}); !errors.Is(err, store.ErrChanged) {
		t.Error(err)
	}
	if err := State(dir, now).Discard(); err != nil || len(contents(t, dir)) != 0 {
		t.Errorf("%v, %d layers left", err, len(contents(t, dir)))
	}
}

// TestRefusals: games too large are refused before any work.
func TestRefusals(t *testing.T) {
	_, spec := described(t, "halma-star37-3p", "liou")
	p, err := NewPlan(spec, Options{Threads: 2})
	if err != nil || p.Positions != 4_947_100_130 {
		t.Errorf("%d positions from the mover's side, published are 14,841,300,390 with all three: %v", p.Positions, err)
	}
	if p.Bytes-p.State > 7<<30 {
		t.Errorf("%d bytes of memory", p.Bytes)
	}
	if _, err := Solve(context.Background(), spec, Options{Memory: 1 << 30}); err == nil {
		t.Error("a solve in too little memory is begun")
	}
	if _, err := Solve(context.Background(), spec, Options{Memory: p.Bytes - p.State + 1<<20}); err == nil {
		t.Error("a solve in too little memory for its layers is begun")
	}
	_, spec = described(t, "halma-star37-3p", "base")
	if p, err = NewPlan(spec, Options{}); err != nil || p.Positions != 208_998_081_600 {
		t.Errorf("%d positions, want C(37,3)·C(34,3)·C(31,3): %v", p.Positions, err)
	}
	for _, id := range []string{"halma-star37-6p", "halma-star73-3p", "halma-star121-3p"} {
		_, spec := described(t, id, "liou")
		if _, err := NewPlan(spec, Options{}); err == nil {
			t.Errorf("%s is not refused", id)
		}
	}
}

// TestScratch solves in files with little memory, compares the layers with the layers of a solve in
// memory, and resumes from some of them.
func TestScratch(t *testing.T) {
	if !host.HasScratch {
		t.Skip("on this system planes are kept in memory only")
	}
	_, spec := described(t, "halma-star37p1-3p", "house-readme")
	dir := t.TempDir()
	solved(t, spec, Options{Work: dir, Threads: 1}).Close()
	want := contents(t, dir)
	plan, err := NewPlan(spec, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBoard(spec)
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	// The board is too small for the plan's bounds, so the budget is set here.
	files := host.NewSpace(scratch, 1<<14)
	again := t.TempDir()
	for range 2 {
		s := &Solution{b: b, Positions: plan.Positions}
		for _, q := range b.questions(false) {
			if err := s.solve(context.Background(), q, Options{Work: again, Threads: 2}, files, func(int, uint64) {}); err != nil {
				t.Fatal(err)
			}
			if left, _ := os.ReadDir(scratch); len(left) > 0 {
				t.Errorf("scratch files have names: %v", left)
			}
		}
		s.Close()
		if got := contents(t, again); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatal("a solve from files has other layers")
		}
		for name := range want {
			if name > "layer-03-03-004" || name[:8] == "layer-07" {
				if err := os.Remove(filepath.Join(again, name)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if plan.InFiles > plan.Bytes || plan.Disk == 0 {
		t.Errorf("the plan: %+v", plan)
	}
	if _, err := Solve(context.Background(), spec, Options{Memory: plan.InFiles - 1, Work: again, Threads: 2}); err == nil {
		t.Error("too little memory is not refused")
	}
	missing := host.NewSpace(filepath.Join(scratch, "missing"), 1)
	if err := (&Solution{b: b}).solve(context.Background(), Coalition(1), Options{}, missing, func(int, uint64) {}); err == nil {
		t.Error("scratch files are made in a directory that does not exist")
	}
}
