package app

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma/halmatest"
	"perfectplay/internal/cli"
	"perfectplay/solve"
	"perfectplay/solve/book"
)

// TestMemory: the resident memory of a job stays within --mem, for jobs that could use many times as
// much.
func TestMemory(t *testing.T) {
	hostile(t)
	dir, large := t.TempDir(), largeBook(t)
	for _, c := range []struct {
		most cli.Size // if not --mem
		line string
	}{
		{0, "search halma-star37-2p --limit 60 --time 2s --without openings --mem 64MiB"},
		{0, "thesis halma-star37-2p --model tables --limit 16 --mem 64MiB"},
		{0, "thesis halma-star13-6p --limit 0 --without ordering --rules base --mem 128MiB"},
		{0, "search halma-star73-2p --rules house --limit 40 --time 2s --mem 128MiB --threads 4"},
		{0, "search halma-star37-4p --algo maxn --limit 40 --time 2s --mem 64MiB"},
		{0, "search halma-star37-2p --rules house --limit 29 --time 5s --without ask --book DIR/book --mem 64MiB"},
		{0, "search halma-star121-2p --rules house --limit 4 --without openings --without ask --book " + large + " --mem 64MiB"},
		{0, "search halma-star121-2p --limit 8 --split 4 --part 1/3000 --parts DIR --mem 64MiB"},
		{0, "book verify " + large + " --without ask --mem 64MiB"},
		{0, "lab export halma-5x5p3 --rules sturtevant --sample 2e6 --parquet -o DIR/5x5p3.parquet --mem 64MiB"},
		{0, "repro mnk --max-positions 1000 --mem 64MiB"},
		// With many threads a census uses fewer.
		{0, "domino census --threads 64 --sample 2000 --mem 192MiB"},
		{0, "domino census --threads 64 --part 3/60000 --census DIR/part --interval 20ms --mem 448MiB"},
		// Every game of a match has its own table: half of --mem, and the program. random has none.
		{160 << 20, "match mnk-8x8k5 strongest random --mem 256MiB --time 200ms --grace 1h --pairs 3 --limit 2"},
		// Proofs that are written, replayed and joined; the test binary is larger than solve.
		{68 << 20, "mnk solve mnk-8x4k4 --threads 1 --certificate DIR/844.proof --mem 64MiB"},
		{68 << 20, "mnk solve mnk-8x4k4 --threads 1 --check --mem 64MiB"},
		{68 << 20, "mnk solve mnk-7x4k4 --threads 2 --split 1 --check --mem 64MiB"},
		// The checker could use all memory.
		{132 << 20, "mnk solve mnk-8x7k5 --threads 1 --algo zones --certificate DIR/large.proof --mem 128MiB"},
		{72 << 20, "mnk check DIR/large.proof --mem 64MiB"},
	} {
		args := strings.Fields(strings.ReplaceAll(c.line, "DIR", dir))
		if at := slices.Index(args, "--mem"); c.most == 0 {
			if err := c.most.Set(args[at+1]); err != nil {
				t.Fatal(err)
			}
		}
		resident := peak(t, args)
		t.Logf("%s: %v resident", c.line, resident)
		if resident > c.most {
			t.Errorf("%s: %v resident, %v are allowed", c.line, resident, c.most)
		}
	}
}

// largeBook makes a book larger than the memory of the commands: positions a few plies from
// the start, where nobody wins within two plies.
func largeBook(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "large.book")
	b, err := book.Open(name, true)
	if err != nil {
		t.Fatal(err)
	}
	g, _ := halmatest.Race("halma-star121-2p", "house")
	random := rand.New(rand.NewPCG(1, 2))
	key := make([]uint64, g.Start().(game.Keyer).KeyWords())
	fact := solve.Fact{WinOver: 2, WinBy: solve.Never, LossOver: 2, LossBy: solve.Never, Best: game.NoMove, Nodes: 1}
	for range 20_000 {
		s := g.Start()
		for range 6 {
			moves := s.Moves(nil)
			s.Make(moves[random.IntN(len(moves))])
		}
		s.(game.Keyer).Key(key)
		b.LearnNoted(g, 0, s, key, fact, book.Notes{strings.Repeat("n", 4000)})
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if stat, err := os.Stat(name); err != nil || stat.Size() < 64<<20 {
		t.Fatalf("%v, %v", stat.Size(), err)
	}
	return name
}

// TestHiddenMemory: a solver of hidden hands keeps within its announced memory, which is most of
// the memory of the process.
func TestHiddenMemory(t *testing.T) {
	hostile(t)
	for _, line := range []string{
		"double-3 4 --iterations 300",
		"double-4 4 --iterations 24",
		"double-4 5 --iterations 4",
		"double-6 4 --iterations 1",
	} {
		answer := filepath.Join(t.TempDir(), "answer")
		used := peak(t, append([]string{"domino", "hidden", "--gap", "0", "--threads", "2", "--json", "-o", answer}, strings.Fields(line)...))
		text, err := os.ReadFile(answer)
		if err != nil {
			t.Fatal(err)
		}
		var record struct {
			Memory cli.Size `json:"memory_bytes"`
		}
		if err := json.NewDecoder(bytes.NewReader(text)).Decode(&record); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v announced, %v resident", line, record.Memory, used)
		if used > record.Memory || record.Memory > 2*used+64<<20 {
			t.Errorf("%s: %v announced, %v resident", line, record.Memory, used)
		}
	}
}

// peak runs the command and returns its peak of resident memory, see [peakOf].
func peak(t *testing.T, args []string) cli.Size {
	t.Helper()
	file := filepath.Join(t.TempDir(), "peak")
	cmd := jobCommand(args...)
	cmd.Env = append(os.Environ(), peakFile+"="+file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return peakOf(t, file)
}

// TestFullDisk writes answers, and the library's own output, to a full disk.
func TestFullDisk(t *testing.T) {
	for _, args := range []string{"version", "info", "--help", "help search", "--version", "completion bash", "search mnk-3x3k3 --limit 2 --csv"} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skipf("there is no full device to write to: %v", err)
		}
		cmd := exec.Command("solve", strings.Fields(args)...) // the test binary, see TestMain
		cmd.Stdout = full
		var said strings.Builder
		cmd.Stderr = &said
		err = cmd.Run()
		full.Close()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1 || strings.Count(said.String(), "\n") != 1 ||
			!strings.HasPrefix(said.String(), "solve: ") || !strings.Contains(said.String(), "no space left") {
			t.Errorf("solve %s: %v, %q", args, err, said.String())
		}
	}
}
