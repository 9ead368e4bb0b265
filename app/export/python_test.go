package export_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/strong"
)

// reader is the reader of tables in Python.
const reader = "../../docs/read_table.py"

// python returns a command that runs the reader. It skips the test if Python is missing or too old.
func python(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	decoders := "import shutil, sys\ntry:\n  import compression.zstd\nexcept ImportError:\n  try:\n    import zstandard\n  except ImportError:\n    sys.exit(not shutil.which('zstd'))\n"
	if exec.Command(exe, "-c", decoders).Run() != nil {
		t.Skip("python3 has no decoder of Zstandard, and there is no program zstd")
	}
	return exec.Command(exe, append([]string{reader}, args...)...)
}

// TestPython compares the Python reader's answers about all positions of small boards with the
// solver: both seats to move, one piece and several, with a mirror and without, values and
// distances.
func TestPython(t *testing.T) {
	python(t)
	for _, c := range []struct {
		id, rules string
		distances bool
		step      int // each step-th position is asked for
	}{
		{"halma-3x3p3", "sturtevant", true, 1}, {"halma-3x3p3", "sturtevant", false, 1}, {"halma-star13-2p", "base", true, 1}, {"halma-5x5p1", "sturtevant", true, 1},
		{"halma-star13-2p", "base", false, 1}, {"halma-star13-2p", "house-code", true, 1}, {"halma-4x4p2", "sturtevant", true, 1},
		{"halma-4x4p3", "sturtevant", true, 17}, {"halma-4x4p3", "sturtevant", false, 17}, // several blocks
	} {
		g, spec := halmatest.Race(c.id, c.rules)
		sol, err := strong.Solve(t.Context(), spec, strong.Options{Distances: c.distances, Memory: 1 << 28})
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "table")
		if _, err := strong.Save(t.Context(), name, spec, sol, "test", 1, nil); err != nil {
			t.Fatal(err)
		}
		var asked, want bytes.Buffer
		positions := 0
		each(spec.Cells, spec.Pieces, func(mover, other bitboard.Set128) {
			closed := halma.SetOf(spec.Closed)
			if positions++; positions%c.step > 0 || mover.Or(other).Meets(closed) {
				return
			}
			v, d := sol.Value(mover, other)
			answer := v.String()
			switch {
			case v == game.Unknown:
				answer = "illegal"
			case c.distances && v != game.Draw:
				answer += fmt.Sprint(" ", d)
			}
			for _, text := range []string{text(g, mover, other, 0), text(g, mover, other, 1)} {
				fmt.Fprintln(&asked, text)
				fmt.Fprintln(&want, text, answer)
			}
		})
		cmd := python(t, name, "-")
		cmd.Stdin = &asked
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.id, err, stderr.String())
		}
		got, lines := strings.Split(string(out), "\n"), strings.Split(want.String(), "\n")
		if len(got) != len(lines) || len(lines) < 100 {
			t.Fatalf("%s: %d answers to %d questions", c.id, len(got), len(lines))
		}
		for i := range got {
			if strings.TrimSpace(got[i]) != lines[i] {
				t.Fatalf("%s: %q, want %q", c.id, got[i], lines[i])
			}
		}
	}
}

// TestPythonRefuses: the reader refuses a wrong bit, a cut file and a text that is no
// position, in one line.
func TestPythonRefuses(t *testing.T) {
	python(t)
	_, spec := halmatest.Race("halma-3x3p1", "sturtevant")
	sol, err := strong.Solve(t.Context(), spec, strong.Options{Memory: 1 << 28})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "table")
	if _, err := strong.Save(t.Context(), name, spec, sol, "test", 1, nil); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, 20, 28, 60, len(whole) - 100, len(whole) - 30, len(whole) - 12, len(whole) - 5, len(whole) - 1} {
		bad := bytes.Clone(whole)
		if bad[at] ^= 4; at%5 == 0 {
			bad = whole[:at]
		}
		if err := os.WriteFile(name, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := python(t, name).CombinedOutput(); err == nil || !strings.HasPrefix(string(out), "read_table: ") {
			t.Errorf("byte %d of %d: %v\n%s", at, len(whole), err, out)
		}
	}
	if err := os.WriteFile(name, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "2.__.___.__.1-3", "2.__.___.__.2-1"} {
		if out, err := python(t, name, text).CombinedOutput(); err == nil || string(out) != "read_table: no position of halma-3x3p1: "+text+"\n" {
			t.Errorf("%q: %v\n%s", text, err, out)
		}
	}
}

// each calls do for all placements of two armies of k pieces.
func each(cells, k int, do func(mover, other bitboard.Set128)) {
	var place func(from, left int, army, taken bitboard.Set128, then func(bitboard.Set128))
	place = func(from, left int, army, taken bitboard.Set128, then func(bitboard.Set128)) {
		if left == 0 {
			then(army)
			return
		}
		for c := from; c < cells; c++ {
			if !taken.Has(c) {
				place(c+1, left-1, army.With(c), taken, then)
			}
		}
	}
	var none bitboard.Set128
	place(0, k, none, none, func(mover bitboard.Set128) {
		place(0, k, none, mover, func(other bitboard.Set128) { do(mover, other) })
	})
}

// text is a position as text, as the seat to move sees it: for the second seat the board is turned.
func text(g *halma.Game, mover, other bitboard.Set128, seat int) string {
	b := g.Board()
	var text strings.Builder
	row := 0
	for c := range b.Cells() {
		if r, _ := b.Place(c); r != row {
			row = r
			text.WriteByte('.')
		}
		at := c
		if seat == 1 {
			at = b.Cells() - 1 - c
		}
		switch {
		case mover.Has(at):
			text.WriteString(g.SeatName(seat))
		case other.Has(at):
			text.WriteString(g.SeatName(1 - seat))
		default:
			text.WriteByte('_')
		}
	}
	return text.String() + "-" + g.SeatName(seat)
}
