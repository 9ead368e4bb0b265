package retro_test

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/internal/host"
	"perfectplay/rank"
	"perfectplay/solve/retro"
	"perfectplay/solve/table"
)

// trio is a game large enough to measure speed: on five rows of five cells each player has three
// stones, moves one a turn to a neighbouring empty cell, also diagonally, and wins with three in a
// line. A position consists of the stones of the mover and of the other player. In its number the
// rank of the other player's stones comes first.
type trio struct {
	near   [25]uint64
	won    []bool        // whether a set of three cells is a line, by its rank in sets
	sets   *rank.Subsets // three cells of 25
	others *rank.Subsets // three cells of the 22 that the other player's stones leave
}

func newTrio(t testing.TB) *trio {
	g := &trio{}
	for i, list := range []**rank.Subsets{&g.sets, &g.others} {
		var err error
		if *list, err = rank.NewSubsets(25-3*i, 3); err != nil {
			t.Fatal(err)
		}
	}
	g.won = make([]bool, g.sets.Size())
	for c := range 25 {
		for d := range 25 {
			if dx, dy := c%5-d%5, c/5-d/5; c != d && dx*dx <= 1 && dy*dy <= 1 {
				g.near[c] |= 1 << d
			}
		}
		for _, s := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			if x, y := c%5+2*s[0], c/5+2*s[1]; x >= 0 && x < 5 && y < 5 {
				step := s[0] + 5*s[1]
				g.won[g.sets.Rank64(1<<c|1<<(c+step)|1<<(c+2*step))] = true
			}
		}
	}
	return g
}

// lines says whether three cells win.
func (g *trio) lines(set uint64) bool { return g.won[g.sets.Rank64(set)] }

// number returns the number of the position with the stones us and them.
func (g *trio) number(us, them uint64) uint64 {
	for o := them; o != 0; { // number the cells of us without counting those of them
		c := 63 - bits.LeadingZeros64(o)
		o &^= 1 << c
		us = us>>(c+1)<<c | us&(1<<c-1)
	}
	return g.sets.Rank64(them)*g.others.Size() + g.others.Rank64(us)
}

// stand is a position of trio.
type stand struct {
	g        *trio
	us, them uint64
	made     []game.Move
}

func (*trio) ID() string               { return "trio" }
func (*trio) Rules() string            { return "" }
func (*trio) Seats() int               { return 2 }
func (*trio) SeatName(seat int) string { return []string{"x", "o"}[seat] }
func (g *trio) Start() game.State {
	return &stand{g: g, us: 1<<10 | 1<<2 | 1<<14, them: 1<<22 | 1<<3 | 1<<9}
}
func (*trio) Parse(string) (game.State, error) {
	return nil, errors.New("trio: positions are not read")
}
func (g *trio) Numbers() uint64 { return g.sets.Size() * g.others.Size() }

func (g *trio) Number(at game.State) uint64 {
	s := at.(*stand)
	return g.number(s.us, s.them)
}

func (g *trio) At(to game.State, n uint64) bool {
	s := to.(*stand)
	s.them, s.made = g.sets.Unrank64(n/g.others.Size()), s.made[:0]
	s.us = g.others.Unrank64(n % g.others.Size())
	for t := s.them; t != 0; t &= t - 1 { // shift the cells of us to make room for those of them
		c := bits.TrailingZeros64(t)
		s.us = s.us>>c<<(c+1) | s.us&(1<<c-1)
	}
	return !g.lines(s.us) // if the mover has a line, the game ended before: no such position
}

func (s *stand) Seat() int { return len(s.made) % 2 }

func (s *stand) Result() game.Result {
	if s.g.lines(s.them) {
		return game.Result(1 - s.Seat())
	}
	return game.Ongoing
}

func (s *stand) Moves(buf []game.Move) []game.Move {
	if s.g.lines(s.them) {
		return buf
	}
	for from := s.us; from != 0; from &= from - 1 {
		c := bits.TrailingZeros64(from)
		for to := s.g.near[c] &^ (s.us | s.them); to != 0; to &= to - 1 {
			buf = append(buf, game.Move(c<<5|bits.TrailingZeros64(to)))
		}
	}
	if len(buf) == 0 {
		buf = append(buf, game.Pass)
	}
	return buf
}

func (s *stand) CountMoves() (n int) {
	for from := s.us; from != 0; from &= from - 1 {
		n += bits.OnesCount64(s.g.near[bits.TrailingZeros64(from)] &^ (s.us | s.them))
	}
	return max(n, 1)
}

func (s *stand) Make(m game.Move) {
	if m != game.Pass {
		s.us ^= 1<<(m>>5) | 1<<(m&31)
	}
	s.us, s.them = s.them, s.us
	s.made = append(s.made, m)
}

func (s *stand) Unmake() {
	m := s.made[len(s.made)-1]
	s.made = s.made[:len(s.made)-1]
	s.us, s.them = s.them, s.us
	if m != game.Pass {
		s.us ^= 1<<(m>>5) | 1<<(m&31)
	}
}

func (s *stand) Clone() game.State                   { return &stand{g: s.g, us: s.us, them: s.them} }
func (s *stand) String() string                      { return fmt.Sprintf("%x-%x", s.us, s.them) }
func (s *stand) MoveString(m game.Move) string       { return fmt.Sprint(m) }
func (s *stand) ParseMove(string) (game.Move, error) { return 0, errors.New("trio: no moves by name") }

// back is a trio with moves backwards.
type back struct{ *trio }

type backStand struct{ stand }

func (g back) Start() game.State          { return &backStand{*g.trio.Start().(*stand)} }
func (g back) Number(s game.State) uint64 { return g.trio.Number(&s.(*backStand).stand) }
func (g back) At(to game.State, n uint64) bool {
	return g.trio.At(&to.(*backStand).stand, n)
}

// The position before a pass: only a player without a move passes.
func (s *backStand) Before(buf []uint64) []uint64 {
	shut := true
	for to := s.them; to != 0; to &= to - 1 {
		free := s.g.near[bits.TrailingZeros64(to)] &^ (s.us | s.them)
		shut = shut && free == 0
		for ; free != 0; free &= free - 1 {
			buf = append(buf, s.g.number(s.them&^(to&-to)|free&-free, s.us))
		}
	}
	if shut {
		buf = append(buf, s.g.number(s.them, s.us))
	}
	return buf
}

// solveTrio solves trio. Its answer was found by three methods.
func solveTrio(t testing.TB, g game.Game, o retro.Options) *retro.Solution {
	t.Helper()
	s, err := retro.Solve(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Mover(t.Context())
	v, d, _ := s.Value(g.Start())
	if err != nil || s.Positions() != 3_468_080 || c.Wins != 2_268_720 || c.Losses != 1_177_200 || c.Draws != 22_160 || len(c.WinsIn) != 22 || v != game.Win || d != 7 {
		t.Fatalf("%d positions: %+v, the start %v in %d, %v", s.Positions(), c, v, d, err)
	}
	return s
}

// BenchmarkSolve solves trio by both methods on one thread, and reports positions per second of
// processor time.
func BenchmarkSolve(b *testing.B) {
	g := newTrio(b)
	for _, c := range []struct {
		method retro.Method
		g      game.Game
	}{{retro.Unmoves, back{g}}, {retro.Graph, g}} {
		b.Run("game=trio,method="+string(c.method), func(b *testing.B) {
			begin := host.ProcessTime()
			for b.Loop() {
				solveTrio(b, c.g, retro.Options{Threads: 1}).Close()
			}
			b.ReportMetric(3_468_080*float64(b.N)/(host.ProcessTime()-begin).Seconds(), "positions/s")
		})
	}
}

// BenchmarkTable makes a table of trio and reads every position of it.
func BenchmarkTable(b *testing.B) {
	s := solveTrio(b, newTrio(b), retro.Options{Threads: 1})
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
			if wins != 2_268_720 {
				b.Fatalf("%d wins", wins)
			}
		}
		b.ReportMetric(float64(s.Positions())*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
	})
}

// TestMemory solves trio in files: it takes the memory of the plan, and gives the table of a solve
// in memory.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("some 3 CPU-s: without -short")
	}
	g, want := newTrio(t), (*retro.Solution)(nil)
	if *whole {
		want = solveTrio(t, back{g}, retro.Options{})
	}
	for _, c := range []struct {
		g     game.Game
		o     retro.Options
		files bool
		whole bool
	}{
		{back{g}, retro.Options{Threads: 2, Memory: 6 << 20, Work: t.TempDir(), Reachable: true}, true, false},
		{back{g}, retro.Options{Threads: 1, Reachable: true}, false, true},
		{g, retro.Options{Threads: 1}, false, true},
	} {
		if c.whole && !*whole {
			continue
		}
		plan, err := retro.NewPlan(c.g, c.o)
		if err != nil || plan.Files(c.o) != c.files {
			t.Fatalf("%+v %v", plan, err)
		}
		bytes := plan.Bytes
		if c.files {
			bytes = c.o.Memory
		}
		peak := peakMemory(t, bytes)
		s := solveTrio(t, c.g, c.o)
		if c.o.Reachable {
			if n, err := s.Reachable(t.Context()); err != nil || n.Wins+n.Losses+n.Draws != 3_468_080 {
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
