package equilibrium

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// checkpoint returns the solver of a game after some iterations, and the file of one opener.
func checkpoint(t testing.TB, g Game, iterations int) (*Solver, []byte) {
	t.Helper()
	s, err := New(g)
	if err != nil {
		t.Fatal(err)
	}
	if iterations > 0 {
		if _, err := s.Run(context.Background(), Options{Threads: 1, Iterations: iterations}); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	if err := s.Save(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "opener-2-2.equilibrium"))
	if err != nil {
		t.Fatal(err)
	}
	return s, text
}

// seal ends the text of a file with its checksum.
func seal(text []byte) []byte {
	sum := sha256.Sum256(text)
	return append(bytes.Clone(text), sum[:]...)
}

// TestForged refuses files with a right checksum and impossible contents. A file with possible
// numbers is read and has true bounds.
func TestForged(t *testing.T) {
	g := Game{2, 2, Study}
	s, good := checkpoint(t, g, 20)
	body := good[:len(good)-sha256.Size]
	at := bytes.IndexByte(body[len(fileMagic):], '\n') + len(fileMagic) + 1
	var h header
	if err := json.Unmarshal(body[len(fileMagic):at-1], &h); err != nil {
		t.Fatal(err)
	}
	read := func(text []byte) (*part[float64], error) {
		again, err := New(g)
		if err != nil {
			t.Fatal(err)
		}
		p := again.parts[0].(*part[float64])
		return p, p.read(g, bytes.NewReader(text))
	}
	numbered := func(i int, v float64) []byte {
		text := bytes.Clone(body)
		binary.LittleEndian.PutUint64(text[at+8*i:], math.Float64bits(v))
		return seal(text)
	}
	headed := func(change func(h *header)) []byte {
		other := h
		change(&other)
		line, err := json.Marshal(other)
		if err != nil {
			t.Fatal(err)
		}
		return seal(append(append([]byte(fileMagic), append(line, '\n')...), body[at:]...))
	}
	sums := h.Numbers // index of the first sum
	for _, c := range []struct {
		name string
		text []byte
		want string
	}{
		{"infinite sum", numbered(sums, math.Inf(1)), "damaged: a weight is +Inf"},
		{"huge sum", numbered(sums, 1e308), "damaged: a weight is 1e+308: want 0, or "},
		{"sum of more than all iterations", numbered(sums, 6000), "damaged: a weight is 6000"},
		{"tiny sum", numbered(sums, 5e-324), "damaged: a weight is 5e-324"},
		{"negative sum", numbered(sums, -1), "damaged: a weight is -1"},
		{"NaN", numbered(sums, math.NaN()), "damaged: a weight is NaN"},
		{"huge regret", numbered(0, 1e12), "damaged: a weight is 1e+12"},
		{"tiny regret", numbered(0, 1e-7), "damaged: a weight is 1e-07"},
		{"numbers without iterations", headed(func(h *header) { h.Iterations = 0 }), "damaged: a weight is "},
		{"endless iterations", headed(func(h *header) { h.Iterations = 1e9 }), "damaged: it says 1000000000 iterations: want 0 to 4194304"},
		{"negative iterations", headed(func(h *header) { h.Iterations = -1 }), "damaged: it says -1 iterations"},
		{"other count", headed(func(h *header) { h.Numbers++ }), "damaged: it says 9 numbers of 8 bytes: 2|2 of double-2 2+2 has 8 of 8"},
		{"other size", headed(func(h *header) { h.Bytes = 4 }), "damaged: it says 8 numbers of 4 bytes"},
		{"other game", headed(func(h *header) { h.Game = "double-3 2+2" }), " holds 2|2 of double-3 2+2 (study rules), not 2|2 of double-2 2+2 (study rules)"},
		{"more in the header", seal(bytes.Replace(body, []byte(`{"game"`), []byte(`{"colour":1,"game"`), 1)), "its header says more than a header does"},
		{"a key twice", seal(bytes.Replace(body, []byte(`{"game"`), []byte(`{"game":"x","game"`), 1)), "its header says more than a header does"},
		{"more after the numbers", seal(append(bytes.Clone(body), 0)), "damaged: its checksum is wrong"},
	} {
		if _, err := read(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	// Numbers within the limits are read: bounds hold for any strategies.
	p, err := read(numbered(sums, 5000))
	if err != nil {
		t.Fatal(err)
	}
	if b := p.bounds(1); !(b.Low <= 1.1 && b.Low <= b.High && b.High >= 0) {
		t.Errorf("bounds %+v", b)
	}
	if p, err = read(good); err != nil || p.bounds(1) != s.parts[0].bounds(1) {
		t.Errorf("as it was written: %v", err)
	}

	// A run refuses strategies without bounds.
	again, _ := New(g)
	again.parts[0].(*part[float64]).sums[0] = math.NaN()
	if _, err := again.Run(context.Background(), Options{Threads: 1, Gap: 1e-3}); !errors.Is(err, errDamaged) {
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

// FuzzRead reads mutated files of two small games with a right checksum. The bounds of each
// accepted file contain the known value.
func FuzzRead(f *testing.F) {
	g := Game{2, 2, Study}
	value, _, err := g.Solve(g.Roots()[0])
	if err != nil {
		f.Fatal(err)
	}
	truth, _ := value.Float64()
	for _, iterations := range []int{0, 1, 50} {
		_, text := checkpoint(f, g, iterations)
		f.Add(text[:len(text)-sha256.Size])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		s, err := New(g)
		if err != nil {
			t.Fatal(err)
		}
		p := s.parts[0].(*part[float64])
		if p.read(g, bytes.NewReader(body)) == nil {
			t.Fatal("accepted without a checksum")
		}
		s, _ = New(g)
		p = s.parts[0].(*part[float64])
		if p.read(g, bytes.NewReader(seal(body))) != nil {
			return
		}
		if b := p.bounds(1); !(b.Low <= truth && truth <= b.High) {
			t.Fatalf("bounds %+v, value %v", b, truth)
		}
		s.Iterate(2)
		if b := p.bounds(1); !(b.Low <= truth && truth <= b.High) {
			t.Fatalf("bounds %+v after two iterations more, value %v", b, truth)
		}
	})
}
