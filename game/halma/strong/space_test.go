package strong

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfectplay/internal/host"
)

// TestScratch solves from files and compares with a solve in memory.
func TestScratch(t *testing.T) {
	if !host.HasScratch {
		t.Skip("on this system tables are kept in memory only")
	}
	spec := ruled(diamond(5, 3), "fi")
	if testing.Short() {
		spec = ruled(diamond(4, 3), "fi")
	}
	for _, distances := range []bool{false, true} {
		want, err := Solve(context.Background(), spec, Options{Distances: distances})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		l, err := newLayout(spec)
		if err != nil {
			t.Fatal(err)
		}
		// The board is too small for the plan's bounds, so the budget is set here.
		s := newSolver(l, Options{Distances: distances, Threads: 2})
		s.space = host.NewSpace(dir, 1<<16)
		if err := s.makePlanes(); err != nil {
			t.Fatal(err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("scratch files have names: %v", left)
		}
		if err := s.run(context.Background(), Options{}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.win, want.win) || !slices.Equal(s.loss, want.loss) || !slices.Equal(s.dist.bytes(), want.dist.bytes()) {
			t.Error("a solve from files differs from one in memory")
		}
		s.space.Close()
	}
	if _, err := Solve(context.Background(), spec, Options{Memory: 1 << 20}); err == nil || !strings.Contains(err.Error(), "at least") {
		t.Errorf("a megabyte of memory: error %v", err)
	}
	if plan, err := NewPlan(spec, Options{}); err != nil {
		t.Fatal(err)
	} else if _, err := Solve(context.Background(), spec, Options{Memory: plan.Bytes - 1}); plan.Least < plan.Bytes && (err == nil || !strings.Contains(err.Error(), "no directory for scratch files")) {
		t.Errorf("a byte too little, and no directory for files: error %v", err)
	}
	missing := host.NewSpace(filepath.Join(t.TempDir(), "missing"), 0)
	if _, err := missing.Words(10); err == nil {
		t.Error("scratch files are made in a directory that does not exist")
	}
}
