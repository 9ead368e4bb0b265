package retro_test

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/internal/host"
	"perfectplay/solve/retro"
	"perfectplay/solve/table"
)

// solve533 solves 5,3,3, a game large enough to measure. Its answer was found by two methods.
func solve533(t testing.TB, o retro.Options) *retro.Solution {
	t.Helper()
	s, err := retro.Solve(t.Context(), game533(t), o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Mover(t.Context())
	v, d, _ := s.Value(game533(t).Start())
	if err != nil || s.Positions() != 2_286_668 || c.Wins != 1_261_643 || c.Losses != 1_018_153 || c.Draws != 6_872 || len(c.WinsIn) != 12 || v != game.Win || d != 7 {
		t.Fatalf("%d positions: %+v, the start %v in %d, %v", s.Positions(), c, v, d, err)
	}
	return s
}

func game533(t testing.TB) game.Game {
	g, err := mnk.ByID("mnk-5x3k3")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// BenchmarkSolve solves 5,3,3 by both methods on one thread, and reports positions per second of
// processor time.
func BenchmarkSolve(b *testing.B) {
	for _, method := range []retro.Method{retro.Unmoves, retro.Graph} {
		b.Run("game=mnk-5x3k3,method="+string(method), func(b *testing.B) {
			begin := host.ProcessTime()
			for b.Loop() {
				solve533(b, retro.Options{Method: method, Threads: 1}).Close()
			}
			b.ReportMetric(2_286_668*float64(b.N)/(host.ProcessTime()-begin).Seconds(), "positions/s")
		})
	}
}

// BenchmarkTable makes a table of 5,3,3 and reads every position of it.
func BenchmarkTable(b *testing.B) {
	s := solve533(b, retro.Options{Threads: 1})
	defer s.Close()
	made := func() *table.Table {
		t, err := s.Make(b.Context(), 64<<20)
		if err != nil {
			b.Fatal(err)
		}
		return t
	}
	b.Run("work=write", func(b *testing.B) {
		for b.Loop() {
			made().Close()
		}
		b.ReportMetric(float64(s.Positions())*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
	})
	b.Run("work=read", func(b *testing.B) {
		t := made()
		defer t.Close()
		walk := t.Numbering().(table.Lister).Walker()
		for b.Loop() {
			wins := 0
			for i := range walk.Units() {
				if err := walk.Unit(i, func(_ game.State, p table.Place, _ uint64) error {
					v, _, err := t.Lookup(p, 0)
					if v == game.Win {
						wins++
					}
					return err
				}); err != nil {
					b.Fatal(err)
				}
			}
			if wins != 1_261_643 {
				b.Fatalf("%d wins", wins)
			}
		}
		b.ReportMetric(float64(s.Positions())*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
	})
}

// TestMemory solves 5,3,3 in files: it takes the memory of the plan, and gives the table of a solve
// in memory.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("some 3 CPU-s: without -short")
	}
	var want *retro.Solution
	if *whole {
		want = solve533(t, retro.Options{})
	}
	for _, c := range []struct {
		o     retro.Options
		files bool
		whole bool
	}{
		{retro.Options{Threads: 2, Memory: 6 << 20, Work: t.TempDir(), Reachable: true}, true, false},
		{retro.Options{Threads: 1, Reachable: true}, false, true},
		{retro.Options{Method: retro.Graph, Threads: 1}, false, true},
	} {
		if c.whole && !*whole {
			continue
		}
		plan, err := retro.NewPlan(game533(t), c.o)
		if err != nil || plan.Files(c.o) != c.files {
			t.Fatalf("%+v %v", plan, err)
		}
		bytes := plan.Bytes
		if c.files {
			bytes = c.o.Memory
		}
		peak := peakMemory(t, bytes)
		s := solve533(t, c.o)
		if c.o.Reachable {
			if n, err := s.Reachable(t.Context()); err != nil || n.Wins+n.Losses+n.Draws != 2_286_668 {
				t.Errorf("%+v can be reached, %v", n, err)
			}
		}
		took := peak()
		t.Logf("%s: %d bytes planned, %d in files; %d taken", plan.Method, bytes, plan.Disk, took)
		if took > bytes+bytes/8+2<<20 || took < bytes/2 {
			t.Errorf("%s, %+v: %d bytes taken", plan.Method, plan, took)
		}
		if want != nil {
			compareBytes(t, want, s)
		}
		s.Close()
	}
}

// peakMemory starts to watch the process's resident memory, and limits its growth; the function
// returns the most it has grown. It leaves out pages of the program's own file, which come in on
// first use.
func peakMemory(t *testing.T, limit uint64) func() uint64 {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// read adds up the kilobytes of a field, in smaps of the mappings of the program.
	read := func(file, field string) (sum uint64) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Skipf("resident memory is not known here: %v", err)
		}
		own := file == "/proc/self/status"
		for line := range strings.Lines(string(text)) {
			var kilobytes uint64
			switch key, value, _ := strings.Cut(line, ":"); {
			// The first line of a mapping: addresses, rights, offset, device and so on.
			case strings.Contains(key, " "):
				own = strings.HasSuffix(strings.TrimSpace(line), name)
			case own && key == field:
				if _, err := fmt.Sscanf(value, "%d kB", &kilobytes); err != nil {
					t.Fatal(err)
				}
				sum += kilobytes << 10
			}
		}
		return sum
	}
	program := func() uint64 { return read("/proc/self/smaps", "Rss") - read("/proc/self/smaps", "Anonymous") }
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Skipf("the peak cannot be set back here: %v", err)
	}
	// The limit is for resident memory. Memory that the runtime has mapped but not touched, some
	// megabytes, would allow garbage beyond it on a busy machine.
	old := debug.SetMemoryLimit(int64(read("/proc/self/status", "RssAnon") + limit + 1<<20))
	begin, had := read("/proc/self/status", "VmHWM"), program()
	return func() uint64 {
		debug.SetMemoryLimit(old)
		return read("/proc/self/status", "VmHWM") - begin - (program() - had)
	}
}
