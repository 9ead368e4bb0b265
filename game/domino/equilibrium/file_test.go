package equilibrium

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfectplay/internal/blocks"
)

// small is a game with one file of 8 regrets and 8 sums for the opener 2|2, see first.
var small = Game{2, 2, Study}

const firstFile = "opener-2-2.equilibrium"

// first returns the first opener's part of a solver of the small game after some iterations.
func first(t testing.TB, iterations int) *part[float64] {
	t.Helper()
	s, err := New(small)
	if err != nil {
		t.Fatal(err)
	}
	s.Iterate(iterations)
	return s.parts[0].(*part[float64])
}

// TestForged refuses files with right checksums and impossible contents, damaged files, and files
// of another game. A file with possible numbers is read and has true bounds.
func TestForged(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, firstFile)
	saved := func(change func(p *part[float64])) []byte {
		p := first(t, 20)
		change(p)
		if err := p.save(small, dir); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	good := saved(func(*part[float64]) {})
	described := func(old, new string) []byte {
		return blocks.Forge(good, func(text []byte) []byte { return bytes.Replace(text, []byte(old), []byte(new), 1) })
	}
	numbered := func(list func(*part[float64]) []float64, v float64) []byte {
		return saved(func(p *part[float64]) { list(p)[0] = v })
	}
	regret, sum := func(p *part[float64]) []float64 { return p.regrets }, func(p *part[float64]) []float64 { return p.sums }
	cases := []struct {
		name string
		text []byte
		want string
	}{
		{"infinite sum", numbered(sum, math.Inf(1)), "damaged: a weight is +Inf"},
		{"huge sum", numbered(sum, 1e308), "damaged: a weight is 1e+308: want 0, or "},
		{"sum of more than all iterations", numbered(sum, 6000), "damaged: a weight is 6000"},
		{"tiny sum", numbered(sum, 5e-324), "damaged: a weight is 5e-324"},
		{"negative sum", numbered(sum, -1), "damaged: a weight is -1"},
		{"NaN", numbered(sum, math.NaN()), "damaged: a weight is NaN"},
		{"huge regret", numbered(regret, 1e12), "damaged: a weight is 1e+12"},
		{"tiny regret", numbered(regret, 1e-7), "damaged: a weight is 1e-07"},
		{"numbers without iterations", saved(func(p *part[float64]) { p.done = 0 }), "damaged: a weight is "},
		{"endless iterations", saved(func(p *part[float64]) { p.done = 1e9 }), "damaged: it says 1000000000 iterations: want 0 to 4194304"},
		{"negative iterations", saved(func(p *part[float64]) { p.done = -1 }), "damaged: it says -1 iterations"},
		{"no sums", saved(func(p *part[float64]) { p.sums = nil }), "block 1 of 1: "},
		{"other count", described(`"numbers":8`, `"numbers":9`), "damaged: it says 9 numbers of 8 bytes: 2|2 of double-2 2+2 has 8 of 8"},
		{"other size", described(`"bytes":8`, `"bytes":4`), "damaged: it says 8 numbers of 4 bytes"},
		{"other game", described("double-2", "double-3"), "it holds 2|2 of double-3 2+2 (study rules), not 2|2 of double-2 2+2 (study rules)"},
		{"other file", []byte("Dear reader,\n"), "this is no strategy of hidden dominoes"},
		{"cut", good[:len(good)-1], "the file is cut off"},
		{"changed", bytes.Replace(good, []byte("iterations"), []byte("repetition"), 1), "the description is damaged"},
	}
	load := func(text []byte) (*part[float64], error) {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		p := first(t, 0)
		return p, p.load(small, dir)
	}
	for _, c := range cases {
		if _, err := load(c.text); err == nil || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	// Numbers within the limits are read: bounds hold for any strategies.
	p, err := load(numbered(sum, 5000))
	if err != nil {
		t.Fatal(err)
	}
	if b := p.bounds(1); !(b.Low <= 1.1 && b.Low <= b.High && b.High >= 0) {
		t.Errorf("bounds %+v", b)
	}
	if p, err = load(good); err != nil || p.bounds(1) != first(t, 20).bounds(1) {
		t.Errorf("as it was written: %v", err)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 4
		if _, err := load(bad); err == nil {
			t.Fatalf("byte %d flipped: read", i)
		}
	}

	// A run refuses strategies without bounds.
	again, _ := New(small)
	again.parts[0].(*part[float64]).sums[0] = math.NaN()
	if _, err := again.Run(context.Background(), Options{Threads: 1, Gap: 1e-3}); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("bounds that are no numbers: %v", err)
	}
}

// TestWritten: every file that a run writes can be read, after one iteration and many, in both
// sizes of numbers.
func TestWritten(t *testing.T) {
	for _, g := range []Game{{2, 2, Study}, {2, 2, OpenSpiel}, {3, 3, Study}, {2, 3, Study}} {
		for _, iterations := range []int{0, 1, 2, 9, 300} {
			s, err := New(g)
			if err != nil {
				t.Fatal(err)
			}
			s.Iterate(iterations)
			small, err := newPart[float32](g.Rules, g.Roots()[0], new(tables))
			if err != nil {
				t.Fatal(err)
			}
			small.learn(context.Background(), iterations, 1)
			dir := t.TempDir()
			if err := s.Save(dir); err != nil {
				t.Fatal(err)
			}
			if err := s.Load(dir); err != nil {
				t.Errorf("%v, %d iterations: %v", g, iterations, err)
			}
			if err := small.save(g, dir); err != nil {
				t.Fatal(err)
			}
			if err := small.load(g, dir); err != nil {
				t.Errorf("%v, %d iterations, float32: %v", g, iterations, err)
			}
		}
	}
}

// FuzzRead reads files with any iterations, regrets and sums and right checksums. The bounds of each
// accepted file contain the known value.
func FuzzRead(f *testing.F) {
	value, _, err := small.Solve(small.Roots()[0])
	if err != nil {
		f.Fatal(err)
	}
	truth, _ := value.Float64()
	for _, iterations := range []int{0, 1, 50} {
		p := first(f, iterations)
		text, _ := binary.Append(nil, binary.LittleEndian, append(p.regrets, p.sums...))
		f.Add(iterations, text)
	}
	dir := f.TempDir() // inputs run one after the other
	f.Fuzz(func(t *testing.T, iterations int, numbers []byte) {
		forged, n := first(t, 0), 0
		forged.done = iterations
		for _, list := range [][]float64{forged.regrets, forged.sums} {
			if size, err := binary.Decode(numbers[n:], binary.LittleEndian, list); err == nil {
				n += size
			}
		}
		if err := forged.save(small, dir); err != nil {
			t.Fatal(err)
		}
		p := first(t, 0)
		if p.load(small, dir) != nil {
			return
		}
		for range 2 {
			if b := p.bounds(1); !(b.Low <= truth && truth <= b.High) {
				t.Fatalf("bounds %+v after %d iterations, value %v", b, p.done, truth)
			}
			p.learn(t.Context(), p.done+2, 1)
		}
	})
}
