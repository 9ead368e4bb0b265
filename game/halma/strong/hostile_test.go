package strong

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"perfectplay/game/halma"
	"perfectplay/internal/host"
)

// forged is how many checkpoints TestHostile forges; then it flips all bits, too.
var forged = flag.Int("forged", 0, "forge `N` files, and flip all bits (default: a few)")

// bare returns a solver of a small game without anything known.
func bare(t testing.TB, spec *halma.TwoArmy, distances bool) *solver {
	t.Helper()
	l, err := newLayout(spec)
	if err != nil {
		t.Fatal(err)
	}
	s := newSolver(l, Options{Distances: distances, Threads: 1})
	s.space = new(host.Space)
	if err := s.makePlanes(); err != nil {
		t.Fatal(err)
	}
	return s
}

// zipped compresses what a checkpoint holds: its checksum is right.
func zipped(t testing.TB, plain []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true), zstd.WithWindowSize(checkpointWindow))
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll(plain, nil)
}

// unzipped is the content of a checkpoint.
func unzipped(t testing.TB, file []byte) []byte {
	t.Helper()
	z, err := zstd.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// checkpoints solves a game and returns the checkpoint before each pass.
func checkpoints(t testing.TB, spec *halma.TwoArmy, distances bool) (files [][]byte, want *Solution) {
	t.Helper()
	dir, last := t.TempDir(), 0
	o := Options{Distances: distances, Threads: 1, Checkpoint: dir, Interval: 0}
	o.Progress = func(p Progress) {
		if p.Pass == last {
			return
		}
		last = p.Pass
		file, err := os.ReadFile(filepath.Join(dir, checkpointName))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	want, err := Solve(context.Background(), spec, o)
	if err != nil {
		t.Fatal(err)
	}
	return files, want
}

// believed goes on from a file and reports whether it was accepted. What then
// comes out must be what is true.
func believed(t *testing.T, spec *halma.TwoArmy, want *Solution, file []byte, what string) bool {
	t.Helper()
	s := bare(t, spec, want.dist != nil)
	if err := s.restoreFrom(context.Background(), bytes.NewReader(file)); err != nil {
		return false
	}
	s.resumed = true
	if err := s.run(context.Background(), Options{}); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for _, p := range [][2]plane{{s.win, want.win}, {s.loss, want.loss}} {
		if !slices.Equal(p[0], p[1]) {
			t.Fatalf("%s: accepted, and the values are wrong", what)
		}
	}
	if !bytes.Equal(s.dist.bytes(), want.dist.bytes()) {
		t.Fatalf("%s: accepted, and distances are wrong", what)
	}
	if n, err := s.count(); err != nil || n != want.counts {
		t.Fatalf("%s: accepted, and the counts are %+v, want %+v (%v)", what, n, want.counts, err)
	}
	return true
}

// allocated returns what a call allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestHostile flips bits of checkpoints, cuts them off, and forges others whose
// compression and checksum are right: whatever is accepted leads to the true
// solution.
func TestHostile(t *testing.T) {
	n, step := 300, 97
	if *forged > 0 {
		n, step = *forged, 1
	}
	for _, distances := range []bool{false, true} {
		for _, spec := range []*halma.TwoArmy{ruled(diamond(3, 2), "fi"), ruled(diamond(3, 3), "fgo")} {
			files, want := checkpoints(t, spec, distances)
			for i, file := range files {
				if !believed(t, spec, want, file, "untouched") {
					t.Fatalf("%s: checkpoint %d is refused", name(spec), i)
				}
			}
			file := files[len(files)/2]
			plain := unzipped(t, file)
			accepted := map[string]int{}
			try := func(kind string, file []byte, what string, args ...any) {
				if believed(t, spec, want, file, name(spec)+": "+kind+": "+fmt.Sprintf(what, args...)) {
					accepted[kind]++
				}
			}
			for bit := 0; bit < 8*len(file); bit += step {
				bad := bytes.Clone(file)
				bad[bit/8] ^= 1 << (bit % 8)
				before := accepted["bits of the file"]
				try("bits of the file", bad, "bit %d", bit)
				// Of two ways to compress the same content either is right.
				if accepted["bits of the file"] > before && !bytes.Equal(unzipped(t, bad), plain) {
					t.Errorf("%s: bit %d of the file is flipped, and its content accepted", name(spec), bit)
				}
			}
			for size := 0; size < len(file); size += step {
				try("truncations", file[:size], "%d bytes", size)
			}
			for bit := 0; bit < 8*len(plain); bit += 7 * step {
				bad := bytes.Clone(plain)
				bad[bit/8] ^= 1 << (bit % 8)
				try("bits of the content", zipped(t, bad), "bit %d", bit)
			}
			r := rand.New(rand.NewPCG(1, 2))
			for i := range n {
				try("forged", zipped(t, forge(t, r, files)), "%d", i)
			}
			if accepted["truncations"] > 0 {
				t.Errorf("%s: files that were cut off are accepted: %v", name(spec), accepted)
			}
			if *forged > 0 {
				t.Logf("%s distances=%v: a checkpoint of %d bytes, %d unpacked; all bits, all truncations, each seventh bit of the content, %d forged; accepted, and with the true solution: %v",
					name(spec), distances, len(file), len(plain), n, accepted)
			}
		}
	}
}

// forge changes a few things about the content of a checkpoint so that counters
// mostly agree with planes.
func forge(t *testing.T, r *rand.Rand, files [][]byte) []byte {
	plain := unzipped(t, files[r.IntN(len(files))])
	line, rest, _ := bytes.Cut(plain, []byte{'\n'})
	var head checkpointHead
	if err := json.Unmarshal(line, &head); err != nil {
		t.Fatal(err)
	}
	rest = bytes.Clone(rest)
	for range 1 + r.IntN(3) {
		switch r.IntN(8) {
		case 0:
			head.Level += r.IntN(5) - 2
		case 1:
			head.Decided += uint64(r.IntN(5)) - 2
		case 2:
			head.Illegal += uint64(r.IntN(5)) - 2
		case 3: // a byte of the planes or of the distances
			rest[r.IntN(len(rest))] = byte(r.Uint32())
		default: // two bits exchanged: the population stays
			i, j := r.IntN(len(rest)), r.IntN(len(rest))
			rest[i], rest[j] = rest[j], rest[i]
		}
	}
	line, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(line, '\n'), rest...)
}

// TestRestoreMemory reads a checkpoint of a few kilobytes that would take
// gigabytes: a first line, or content, without end.
func TestRestoreMemory(t *testing.T) {
	spec := ruled(diamond(3, 2), "fi")
	files, _ := checkpoints(t, spec, false)
	plain := unzipped(t, files[0])
	line, _, _ := bytes.Cut(plain, []byte{'\n'})
	for what, content := range map[string][]byte{
		"a first line without end": append(bytes.Clone(line[:len(line)-1]), bytes.Repeat([]byte{' '}, 64<<20)...),
		"content without end":      append(bytes.Clone(plain), bytes.Repeat([]byte{0}, 64<<20)...),
	} {
		file := zipped(t, content)
		s := bare(t, spec, false)
		var err error
		took := allocated(func() { err = s.restoreFrom(context.Background(), bytes.NewReader(file)) })
		if err == nil || took > 16<<20 {
			t.Errorf("%s: a file of %d bytes allocates %d bytes, error %v", what, len(file), took, err)
		}
	}
}

// FuzzRestore reads checkpoints whose compression and checksum are right and
// whose content is anything. What is taken for a checkpoint of this very game
// leads to its solution.
func FuzzRestore(f *testing.F) {
	spec := ruled(diamond(2, 1), "fi")
	want := map[bool]*Solution{}
	for _, distances := range []bool{false, true} {
		files, solution := checkpoints(f, spec, distances)
		want[distances] = solution
		for _, file := range files {
			plain := unzipped(f, file)
			f.Add(distances, plain)
			f.Add(distances, plain[:len(plain)/2])
			f.Add(distances, append(bytes.Clone(plain[:len(plain)-70]), bytes.Repeat([]byte{255}, 70)...))
		}
	}
	f.Fuzz(func(t *testing.T, distances bool, plain []byte) {
		believed(t, spec, want[distances], zipped(t, plain), "fuzzed")
	})
}

// TestCheckpointsAccepted goes on from the checkpoint before each pass, under all
// rules and on boards where players must pass: what solving comes to is never
// refused.
func TestCheckpointsAccepted(t *testing.T) {
	for _, spec := range smallBoards() {
		for _, distances := range []bool{false, true} {
			if spec.Cells > 9 && (testing.Short() || !distances && *forged == 0) {
				continue
			}
			files, want := checkpoints(t, spec, distances)
			for i, file := range files {
				if !believed(t, spec, want, file, name(spec)) {
					s := bare(t, spec, distances)
					t.Fatalf("%s, distances %v: checkpoint %d of %d is refused: %v", name(spec), distances, i, len(files), s.restoreFrom(context.Background(), bytes.NewReader(file)))
				}
			}
		}
	}
}
