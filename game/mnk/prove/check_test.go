package prove

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/mnk"
)

// proved proves the value of a board and returns the strategy and its claim.
func proved(t testing.TB, id string) (*mnk.Game, Claim, Strategy) {
	t.Helper()
	g := gameOf(t, id)
	p := openProver(t, g, Options{Memory: 64 << 20, Threads: 1, Method: Mixed})
	v, _ := p.Value(context.Background())
	claim := Claim{Attacker: 0, Win: v == game.Win}
	return g, claim, p.Solver(context.Background(), claim)
}

// checked reads a certificate and checks it.
func checked(t testing.TB, file []byte) (*Certificate, Checked, error) {
	t.Helper()
	p, err := OpenCertificate(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	n, err := p.Check(t.Context(), 1<<30, nil)
	return p, n, err
}

// unpacked returns a certificate without compression.
func unpacked(t testing.TB, file []byte) []byte {
	t.Helper()
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	b, err := z.DecodeAll(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCertificates proves boards, writes the proofs down, and checks them. A certificate
// with damage anywhere, or that claims the opposite, is refused.
func TestCertificates(t *testing.T) {
	for _, id := range []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-4x4k3", "mnk-4x4k4", "mnk-5x4k4", "mnk-5x5k4", "mnk-5x5k5", "mnk-6x4k4", "mnk-6x5k4", "mnk-6x6k4", "mnk-6x6k6", "mnk-7x7k5", "mnk-9x8k6"} {
		t.Run(id, func(t *testing.T) {
			g, claim, s := proved(t, id)
			var b bytes.Buffer
			n, err := Certify(t.Context(), g, claim, s, Room{Bits: 16}, &b, nil)
			if err != nil {
				t.Fatal(err)
			}
			p, m, err := checked(t, b.Bytes())
			if err != nil || m != n || p.Claim != claim || p.Game().ID() != id {
				t.Fatalf("checked %+v, recorded %+v: %v", m, n, err)
			}
			text := unpacked(t, b.Bytes())
			if _, m, err = checked(t, text); err != nil || m != n {
				t.Fatalf("without compression %+v, recorded %+v: %v", m, n, err)
			}
			t.Logf("%s win=%v: %d bytes, compressed %d, %+v", id, claim.Win, len(text), b.Len(), n)
			if p, err := OpenCertificate(bytes.NewReader(b.Bytes()[:b.Len()/2])); err == nil {
				if _, err := p.Check(t.Context(), 1<<30, nil); err == nil {
					t.Error("half of a certificate is held")
				}
			}
			if _, _, err := checked(t, text[:len(text)-1]); err == nil {
				t.Error("a certificate without its last byte is held")
			}
			if _, _, err := checked(t, append(text[:len(text):len(text)], 0)); err == nil || errors.Is(err, ErrRefuted) {
				t.Errorf("a certificate with a byte more: %v", err)
			}
			word := map[bool]string{true: "holds", false: "wins"}
			opposite := bytes.Replace(text, []byte(word[!claim.Win]), []byte(word[claim.Win]), 1)
			if _, _, err := checked(t, opposite); err == nil {
				t.Error("the opposite claim is held")
			}
		})
	}
}

// TestForgetful writes certificates with room for few positions: the walk asks the strategy
// about positions again, and the checker accepts the longer certificates, too.
func TestForgetful(t *testing.T) {
	g, claim, s := proved(t, "mnk-6x6k4")
	last := uint64(0)
	for _, bits := range []int{16, 8, 4, 2} {
		var b bytes.Buffer
		n, err := Certify(t.Context(), g, claim, s, Room{Bits: bits}, &b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, m, err := checked(t, b.Bytes()); err != nil || m != n {
			t.Errorf("2^%d: checked %+v, recorded %+v: %v", bits, m, n, err)
		}
		if n.Positions < last {
			t.Errorf("2^%d: %d positions, with more room %d", bits, n.Positions, last)
		}
		last = n.Positions
	}
	for _, bits := range []int{-1, 0, 1, memoryBits + 1, 63} {
		if _, err := Certify(t.Context(), g, claim, s, Room{Bits: bits}, io.Discard, nil); err == nil {
			t.Errorf("2^%d positions", bits)
		}
	}
	p, err := OpenCertificate(bytes.NewReader(certified(t, g, claim, s)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Check(t.Context(), 1<<16, nil); !errors.Is(err, ErrMemory) {
		t.Errorf("too little memory: %v", err)
	}
}

// TestPlain replays strategies against every move by the rules of package mnk, without zones: moves
// that the checker does not try fail, too.
func TestPlain(t *testing.T) {
	for _, id := range []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-4x4k3", "mnk-4x4k4", "mnk-5x4k4", "mnk-5x5k5", "mnk-6x4k4", "mnk-6x6k6"} {
		g, claim, s := proved(t, id)
		c := newPlain(t.Context(), g, claim, s)
		c.seen, c.replies = map[[4]uint64]bool{}, func(s mnk.Position) []game.Move { return s.Moves(nil) }
		if err := c.walk(g.Start().(mnk.Position)); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		n, err := Certify(t.Context(), g, claim, s, Room{Bits: 16}, io.Discard, nil)
		if err != nil || n.Positions > c.n.Positions {
			t.Errorf("%s: %+v by zones, %+v against every move: %v", id, n, c.n, err)
		}
	}
}

// listed lists the positions of a walk.
type listed struct {
	recorder
	entries []entry
}

type entry struct {
	sides
	mine bool
	zone bitboard.Set128
}

func (l *listed) found(s sides, mine bool, zone bitboard.Set128, work uint64) error {
	l.entries = append(l.entries, entry{s, mine, zone})
	return l.recorder.found(s, mine, zone, work)
}

// TestZones walks through proofs from random positions of small boards, and puts stones of O
// outside the zones of all positions that the walk asked about, at random and everywhere.
// These complete no window, and by brute force the claim still holds.
func TestZones(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var sum [2]int
	for _, id := range []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-4x4k3", "mnk-4x4k4", "mnk-5x3k3", "mnk-2x7k4", "mnk-5x4k4", "mnk-1x9k3", "mnk-2x6k2", "mnk-3x5k4"} {
		g := gameOf(t, id)
		p := openProver(t, g, Options{Memory: 1 << 20, Threads: 1, Method: Zones})
		brute := newPlainWins(t, g)
		var tried, outside, claims [2]int // for claims that P holds, and that P wins
		for range 200 {
			var stones [2]bitboard.Set128
			for c := range g.Cells() {
				if x := random.IntN(6); x < 2 && stones[0].Or(stones[1]).Count() < g.Cells()-2 {
					stones[x] = stones[x].With(c)
				}
			}
			seat, attacker := random.IntN(2), random.IntN(2)
			x, o := stones[0], stones[1]
			seen, err := newMemory(g, 10)
			if err != nil {
				t.Fatal(err)
			}
			r := newReplay(t.Context(), g, Claim{}, nil)
			if brute.line(x) || brute.line(o) {
				continue
			}
			claim := Claim{Attacker: attacker, Win: p.CanWin(t.Context(), x, o, seat, attacker).Won}
			all := &listed{recorder: recorder{board: r, strategy: p.Solver(t.Context(), claim), seen: seen, out: bufio.NewWriter(io.Discard)}}
			r.claim, r.source = claim, all
			at, mine := sidesOf(claim, x, o), seat == claim.side()
			zone, err := r.walk(at, mine, 0)
			if err != nil {
				t.Fatal(err)
			}
			walls := r.look(at).walls
			all.found(sides{at.p.Or(walls), at.o.Or(walls)}, mine, zone, 1)
			of := 0
			if claim.Win {
				of = 1
			}
			claims[of]++
			for _, e := range all.entries {
				free := r.cells.AndNot(e.p.Or(e.o))
				if free.Count() > 9 {
					continue
				}
				for try := range 3 {
					more := free.AndNot(e.zone)
					if try > 0 {
						more = more.And(low(random.Uint64()))
					}
					o := e.o.Or(more)
					if brute.line(o.AndNot(e.p)) {
						t.Fatalf("%s: a complete window of O: %x %x outside %x", id, e.p, o, e.zone)
					}
					tried[of]++
					outside[of] += more.Count()
					if claim.Win && !brute.wins(e.p, o, e.mine) || !claim.Win && brute.wins(o, e.p, !e.mine) {
						t.Fatalf("%s: %+v: P %x, O %x and %x outside %x", id, claim, e.p, e.o, more, e.zone)
					}
				}
			}
		}
		t.Logf("%s: %d claims that P holds and wins, %d zones tried, %d stones outside", id, claims, tried, outside)
		for i := range 2 {
			sum[i] += outside[i]
			if outside[i] < 10 {
				t.Errorf("%s: %d zones tried, %d stones outside", id, tried, outside)
			}
		}
	}
	if min(sum[0], sum[1]) < 1000 {
		t.Errorf("%d stones outside", sum)
	}
}

// TestSample plays against proofs of boards too large to replay.
func TestSample(t *testing.T) {
	for _, id := range []string{"mnk-6x6k5", "mnk-7x5k4", "mnk-7x5k5", "mnk-7x6k4", "mnk-7x7k6", "mnk-8x8k4", "mnk-8x8k8"} {
		g, claim, s := proved(t, id)
		n, err := sample(t.Context(), g, claim, s, 60, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Error(err)
		}
		t.Logf("%s win=%v: %+v", id, claim.Win, n)
	}
}

// TestLongestWindows proves and replays rows whose weights do not fit a word, or
// only just.
func TestLongestWindows(t *testing.T) {
	for _, id := range []string{"mnk-1x64k62", "mnk-1x64k63", "mnk-1x64k64", "mnk-64x1k64", "mnk-1x63k63"} {
		g, claim, s := proved(t, id)
		if n, err := Certify(t.Context(), g, claim, s, Room{Bits: 8}, io.Discard, nil); err != nil || claim.Win || n.Claims == 0 {
			t.Errorf("%s: %+v, %+v: %v", id, claim, n, err)
		}
		if g.Cols() < 64 {
			continue
		}
		st, err := g.Parse("30x33")
		if err != nil {
			t.Fatal(err)
		}
		x, o := st.(mnk.Position).Stones()
		if _, err := certifyAt(t.Context(), g, x, o, 1, claim, s, Room{Bits: 8}, io.Discard, nil); err != nil {
			t.Errorf("%s with the defender to move: %v", id, err)
		}
	}
}

// ending is a strategy that ends a context while it is checked.
type ending struct {
	Strategy
	left int
	end  context.CancelFunc
}

func (e *ending) Answer(x, o bitboard.Set128, seat int) (Answer, bool) {
	if e.left--; e.left == 0 {
		e.end()
		for !e.Strategy.(*solver64).s.stop.Load() { // wait for the goroutine that sets stop
			runtime.Gosched()
		}
	}
	return e.Strategy.Answer(x, o, seat)
}

// TestCheckEnds: a check whose context ends refutes nothing, whether before the strategy
// searches for answers or during it.
func TestCheckEnds(t *testing.T) {
	g := gameOf(t, "mnk-5x4k4")
	p := openProver(t, g, Options{Memory: MinMemory, Threads: 1})
	if v, _ := p.Value(t.Context()); v != game.Draw {
		t.Fatal(v)
	}
	for _, after := range []int{0, 1, 2, 50} {
		for name, check := range map[string]func(context.Context, Strategy) error{
			"certify": func(ctx context.Context, s Strategy) error {
				_, err := Certify(ctx, g, Claim{}, s, Room{Bits: 8}, io.Discard, nil)
				return err
			},
			"sample": func(ctx context.Context, s Strategy) error {
				_, err := sample(ctx, g, Claim{}, s, 1000, rand.New(rand.NewPCG(1, 1)))
				return err
			},
		} {
			ctx, cancel := context.WithCancel(t.Context())
			s := &ending{p.Solver(ctx, Claim{}), after, cancel}
			if after == 0 {
				cancel()
			}
			if err := check(ctx, s); !errors.Is(err, context.Canceled) || errors.Is(err, ErrRefuted) {
				t.Errorf("%s, ended after %d answers: %v", name, after, err)
			}
			cancel()
		}
	}
}

// liar answers with a fixed claim.
type liar struct{ a Answer }

func (l liar) Answer(_, _ bitboard.Set128, _ int) (Answer, bool) { return l.a, true }

// TestFalseClaims feeds the checker claims that are wrong, each for one reason.
func TestFalseClaims(t *testing.T) {
	g := gameOf(t, "mnk-3x3k3")
	for _, c := range []struct {
		why, at string
		a       Answer
	}{
		{"too heavy", "3.3.3", Answer{Move: -1}},
		{"the same pair twice", "3.3.3", Answer{Move: -1, Pairs: [][2]int{{0, 1}, {0, 1}}}},
		{"one cell", "3.3.3", Answer{Move: -1, Pairs: [][2]int{{0, 0}}}},
		{"a stone in a pair", "x2.1o1.3", Answer{Move: -1, Pairs: [][2]int{{0, 1}}}},
		{"off the board", "3.3.3", Answer{Move: -1, Pairs: [][2]int{{0, 64}}}},
		{"a taken cell", "x2.3.3", Answer{Move: 0}},
		{"O has a window", "xxx.oo1.3", Answer{Move: -1}},
		{"P has a window", "ooo.xx1.x2", Answer{Move: -1}},
	} {
		s, err := g.Parse(c.at)
		if err != nil {
			t.Fatal(err)
		}
		x, o := s.(mnk.Position).Stones()
		if _, err := certifyAt(t.Context(), g, x, o, s.Seat(), Claim{}, liar{c.a}, Room{Bits: 8}, io.Discard, nil); !errors.Is(err, ErrRefuted) {
			t.Errorf("%s: %v", c.why, err)
		}
	}
	const head = certificateHeader + certificateVersion
	for bad, want := range map[string]string{
		"": "line 1", zstdMagic: "reading a certificate", head: "line 1", head + "\n": "line 2", head + "\nmnk-3x3k3  attacker x holds\n": "line 2",
		head + "\nmnk-3x3k3 attacker x holds\r\n": "line 2", head + "\nmnk-03x3k3 attacker x holds\n": "line 2",
		head + "\nmnk-1x71k3 attacker x holds\n": "line 2",
		head + "\nmnk-3x3k3 attacker x holds":    "line 2", certificateHeader + "2\nmnk-3x3k3 attacker x holds 0\n": "version 2",
		certificateHeader + "4\n": "line 1", head + "\nmnk-3x3k3 attacker y wins\n": "line 2", head + "\nmnk-3x3k3 attacker x wins 0\n": "line 2",
		head + "\nmnk-12x11k5 attacker x holds\n": "more than 128 cells", head + "\nmnk-3x3k9 attacker x holds\n": "line 2",
		head + "\n" + strings.Repeat("x", 1<<17): "line 2",
	} {
		if _, err := OpenCertificate(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", bad, err, want)
		}
	}
	for bad, want := range map[string]string{
		"": "ends before", "\x81\x00": "ends before", "\x85": "no step is 133", "\x04": "no step is 4", "\xff": "no step is 255",
		"\x81\x00\x09": "is not empty", "\x81\x01\x01": "in two pairs", "\xf9": "no step is 249", "\xfb\x08": "no position is 1 back",
		"\xfb": "ends before", "\xfb\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff": "more than 64 bits", "\xfa\x08": "no picture 8", "\xfa\x01\xfa\x01": "section inside a section",
		"\xfc\x00": "no step is 252", "\xfd\x00": "no two threats", "\xfd\x09": "cannot be played", "\xfe\x09": "cannot be played", "\xfe\xff": "no reply to a3",
		"\xfe\x04\x00\xff": "no step is 255", "\xfe\x04\xfb\x08": "no position is 1 back",
	} {
		p, err := OpenCertificate(strings.NewReader(head + "\nmnk-3x3k3 attacker x holds\n" + bad))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Check(t.Context(), 1<<20, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", bad, err, want)
		}
	}
}

// TestCounterThreats: P, x, makes two threats at once on the left, now or after O's stone there.
// With O to move that does not win: O makes two threats on the right.
func TestCounterThreats(t *testing.T) {
	g := gameOf(t, "mnk-1x11k3")
	s, err := g.Parse("2x2x2o2")
	if err != nil {
		t.Fatal(err)
	}
	x, o := s.(mnk.Position).Stones()
	for seat, refuted := range []bool{false, true} {
		_, err := certifyAt(t.Context(), g, x, o, seat, Claim{Win: true}, liar{Answer{Move: -1}}, Room{Bits: 8}, io.Discard, nil)
		if errors.Is(err, ErrRefuted) != refuted {
			t.Errorf("seat %d to move: %v", seat, err)
		}
	}
}

// TestCheckPairs feeds the checker pairings of a row of cells, good and bad.
func TestCheckPairs(t *testing.T) {
	g := gameOf(t, "mnk-1x70k4")
	for _, c := range []struct {
		name    string
		partner func(int) int
		want    string
	}{
		{"neighbours", func(c int) int { return c ^ 1 }, ""},
		{"with gaps", func(c int) int {
			if c%5 < 2 {
				return c - c%5 + 1 - c%5
			}
			return -1
		}, "no pair in the window from b1 to e1"},
		{"none", func(int) int { return -1 }, "no pair in the window from a1 to d1"},
		{"itself", func(c int) int { return c }, "cells a1 and a1 are no pair"},
		{"not mutual", func(c int) int { return c + 1 }, "cells a1 and b1 are no pair"},
	} {
		err := CheckPairs(g, c.partner)
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrRefuted) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
