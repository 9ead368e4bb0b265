package app

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma/halmatest"
	"perfectplay/internal/cli"
	"perfectplay/solve"
	"perfectplay/solve/book"
)

// TestMemory: the resident memory of a search stays within --mem, for games that would fill a
// table of that size many times.
func TestMemory(t *testing.T) {
	hostile(t)
	dir, large := t.TempDir(), largeBook(t)
	for _, line := range []string{
		"search halma-star37-2p --limit 60 --time 2s --without openings --mem 64MiB",
		"thesis halma-star37-2p --model tables --limit 16 --mem 64MiB",
		"thesis halma-star13-6p --limit 0 --without ordering --rules base --mem 128MiB",
		"search halma-star73-2p --rules house --limit 40 --time 2s --mem 128MiB --threads 4",
		"search halma-star37-4p --algo maxn --limit 40 --time 2s --mem 64MiB",
		"search halma-star37-2p --rules house --limit 29 --time 5s --without ask --book " + filepath.Join(t.TempDir(), "book") + " --mem 64MiB",
		"search halma-star121-2p --rules house --limit 4 --without openings --without ask --book " + large + " --mem 64MiB",
		"search halma-star121-2p --limit 8 --split 4 --part 1/3000 --parts " + dir + " --mem 64MiB",
		"book verify " + large + " --without ask --mem 64MiB",
		"lab export halma-5x5p3 --rules sturtevant --sample 2e6 --parquet -o " + filepath.Join(dir, "5x5p3.parquet") + " --mem 64MiB",
		"repro mnk --max-positions 1000 --mem 64MiB",
	} {
		args := strings.Fields(line)
		var budget cli.Size
		for i, a := range args {
			if a == "--mem" {
				if err := budget.Set(args[i+1]); err != nil {
					t.Fatal(err)
				}
			}
		}
		resident := peak(t, args)
		t.Logf("%s: %v resident", line, resident)
		if resident > budget {
			t.Errorf("%s: %v resident", line, resident)
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
