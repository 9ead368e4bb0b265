package prove

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// proved proves the value of a board and returns the strategy and its claim.
func proved(t testing.TB, id string) (*mnk.Game, Claim, Strategy) {
	t.Helper()
	g, err := mnk.ByID(id)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(g, Options{Memory: 64 << 20, Threads: 1, Method: Mixed})
	if err != nil {
		t.Fatal(err)
	}
	v, _ := p.Value(context.Background())
	claim := Claim{Attacker: 0, Win: v == game.Win}
	return g, claim, p.Solver(context.Background(), claim)
}

// TestCertificates proves boards, writes the proofs down, reads them back and
// replays them against every move.
func TestCertificates(t *testing.T) {
	for _, id := range []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-4x4k3", "mnk-4x4k4", "mnk-5x4k4", "mnk-5x5k4", "mnk-5x5k5", "mnk-6x4k4", "mnk-6x5k4", "mnk-6x6k4", "mnk-6x6k6"} {
		t.Run(id, func(t *testing.T) {
			g, claim, s := proved(t, id)
			c, n, err := Certify(t.Context(), g, claim, s, 3_000_000)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if _, err := c.WriteTo(&b); err != nil {
				t.Fatal(err)
			}
			size := b.Len()
			text := b.String()
			_, back, err := ReadCertificate(&b, 1<<30)
			if err != nil {
				t.Fatal(err)
			}
			var again bytes.Buffer
			if _, err := back.WriteTo(&again); err != nil || again.String() != text {
				t.Errorf("the certificate changes when read back: %v", err)
			}
			var small bytes.Buffer
			if err := back.WriteCompressed(&small); err != nil {
				t.Fatal(err)
			}
			torn := small.Bytes()[:small.Len()/2]
			if _, _, err := ReadCertificate(bytes.NewReader(torn), 1<<30); err == nil {
				t.Error("half of a compressed certificate is read")
			}
			packed := small.Len()
			if _, back, err = ReadCertificate(&small, 1<<30); err != nil {
				t.Fatal(err)
			}
			m, err := Check(t.Context(), g.Start().(mnk.Position), g, claim, back, 0)
			if err != nil || m != n {
				t.Fatalf("replayed %+v, recorded %+v: %v", m, n, err)
			}
			t.Logf("%s win=%v: %d answers, %d bytes, compressed %d, %+v", id, claim.Win, c.Len(), size, packed, n)
			// Without any one of some answers, or with the opposite claim, it fails.
			if back.Len() > 1 {
				for key := range back.answers.all() {
					delete(back.answers.narrow, [2]uint64(key[:]))
					break
				}
				if _, err := Check(t.Context(), g.Start().(mnk.Position), g, claim, back, 0); err == nil && claim.Win {
					t.Error("a proof with a hole is accepted")
				}
			}
			claim.Win = !claim.Win
			if _, err := Check(t.Context(), g.Start().(mnk.Position), g, claim, c, 0); !errors.Is(err, ErrRefuted) {
				t.Errorf("the opposite claim: %v", err)
			}
		})
	}
}

// TestSample plays against proofs of boards too large to replay.
func TestSample(t *testing.T) {
	for _, id := range []string{"mnk-6x6k5", "mnk-7x5k4", "mnk-7x5k5", "mnk-7x6k4", "mnk-7x7k6", "mnk-8x8k4", "mnk-8x8k8"} {
		g, claim, s := proved(t, id)
		n, err := Sample(t.Context(), g, claim, s, 60, rand.New(rand.NewPCG(1, 1)))
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
		if _, n, err := Certify(t.Context(), g, claim, s, 0); err != nil || claim.Win || n.Claims == 0 {
			t.Errorf("%s: %+v, %+v: %v", id, claim, n, err)
		}
		if g.Cols() < 64 {
			continue
		}
		st, err := g.Parse("30x33")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Check(t.Context(), st.(mnk.Position), g, claim, s, 0); err != nil {
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

func (e *ending) Answer(s mnk.Position) (Answer, bool) {
	if e.left--; e.left == 0 {
		e.end()
		for !e.Strategy.(*solver).s.stop.Load() { // told by a goroutine
			runtime.Gosched()
		}
	}
	return e.Strategy.Answer(s)
}

// TestCheckEnds: a check that its context ends refutes nothing, whether it ends
// before or while the strategy searches for answers.
func TestCheckEnds(t *testing.T) {
	g, err := mnk.New(5, 4, 4)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(g, Options{Memory: MinMemory, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := p.Value(t.Context()); v != game.Draw {
		t.Fatal(v)
	}
	for _, after := range []int{0, 1, 2, 50} {
		for name, check := range map[string]func(context.Context, Strategy) error{
			"certify": func(ctx context.Context, s Strategy) error {
				_, _, err := Certify(ctx, g, Claim{}, s, 0)
				return err
			},
			"sample": func(ctx context.Context, s Strategy) error {
				_, err := Sample(ctx, g, Claim{}, s, 1000, rand.New(rand.NewPCG(1, 1)))
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

func (l liar) Answer(mnk.Position) (Answer, bool) { return l.a, true }

// TestFalseClaims feeds the checker claims that are wrong, each for one reason.
func TestFalseClaims(t *testing.T) {
	g, err := mnk.New(3, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
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
	} {
		s, err := g.Parse(c.at)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Check(t.Context(), s.(mnk.Position), g, Claim{}, liar{c.a}, 0); !errors.Is(err, ErrRefuted) {
			t.Errorf("%s: %v", c.why, err)
		}
	}
	for _, bad := range []string{"", zstdMagic, certificateHeader, certificateHeader + "\nmnk-3x3k3 attacker y wins\n", certificateHeader + "\nmnk-3x3k3 attacker x wins\n3.3.3\n",
		certificateHeader + "\nmnk-3x3k3 attacker x wins\n3.3.3 d4\n",
		certificateHeader + "\nmnk-3x3k3 attacker x wins\n3.3.3 b2 a1\n", certificateHeader + "\nmnk-3x3k3 attacker x holds\n3.3.3 holds a1-d4\n", certificateHeader + "\nmnk-12x11k5 attacker x holds\n"} {
		if _, _, err := ReadCertificate(strings.NewReader(bad), 1<<30); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestCheckPairs feeds the checker pairings of a row of cells, good and bad.
func TestCheckPairs(t *testing.T) {
	g, err := mnk.New(1, 70, 4)
	if err != nil {
		t.Fatal(err)
	}
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

// TestContradictions: two answers for one position, or for its mirror, are no
// certificate; the same answer twice is.
func TestContradictions(t *testing.T) {
	const head = certificateHeader + "\nmnk-3x3k3 attacker x holds\n"
	for text, ok := range map[string]bool{
		"x2.3.3 b2\nx2.3.3 b2\n":                 true,
		"x2.3.3 b2\nx2.3.3 c3\n":                 false,
		"x2.3.3 c3\n2x.3.3 a3\n":                 true, // mirrors
		"x2.3.3 c3\n2x.3.3 b3\n":                 false,
		"x2.3.3 b2\n3.3.x2 holds\n":              false,
		"x2.3.3 holds b2-b1\nx2.3.3 holds b2-b1": true,
		"x2.3.3 holds b2-b1\nx2.3.3 holds":       false,
	} {
		_, c, err := ReadCertificate(strings.NewReader(head+text), 1<<30)
		if ok && (err != nil || c.Len() != 1) || !ok && err == nil {
			t.Errorf("%q: %v", text, err)
		}
		if !ok && err != nil && !strings.Contains(err.Error(), "line 4: a second answer") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
