package app

import (
	"errors"
	"flag"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"perfectplay/solve/book"
)

// bookKills is the number of searches that TestBookKills kills.
var bookKills = flag.Int("book-kills", 3, "searches that TestBookKills kills while they write a book")

// TestBookKills kills searches that write one book, at random instants. Each time the book
// opens again without a loss. In the end a search proves every fact again, and all agree with
// the solutions of their games.
func TestBookKills(t *testing.T) {
	hostile(t)
	dir, killed, facts := killWriters(t, "--book-nodes 2000 search halma-star37-2p --rules house-code --limit 22",
		"--book-nodes 2000 search halma-star37-3p --rules house --limit 17 --without openings",
		"--book-nodes 2000 search halma-5x5p3 --rules sturtevant")
	t.Logf("%s", verify(t, dir))
	verified(t, dir, killed, facts, "--without=ask")
}

// killWriters runs jobs in turn that write a book in the returned directory, and kills them.
// It returns the numbers of kills and of facts.
func killWriters(t *testing.T, jobs ...string) (dir string, killed, facts int) {
	dir = t.TempDir()
	name := filepath.Join(dir, "book")
	known := map[place]book.Item{}
	for i := 0; killed < *bookKills || len(known) == 0 && killed < 10**bookKills; i++ {
		// The text of a job begins with its flag --book-nodes, which moves to the end of the command.
		words := strings.Fields(jobs[i%len(jobs)])
		cmd := solveCommand(withArgs(words[2:], append(words[:2:2], "--threads", "2", "--book", "book")...)...)
		cmd.Dir = dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// The first fact is written after about a second. The kill comes within two seconds, or
		// later if kills so far came before any fact.
		late := time.AfterFunc(time.Duration(rand.IntN(2000)*(1 + killed / *bookKills))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		if err := cmd.Wait(); err != nil {
			killed++
		}
		late.Stop()
		if matches, err := filepath.Glob(name); err != nil || len(matches) == 0 {
			continue // killed before there was a book
		}
		known = grown(t, name, known, killed)
	}
	if len(known) == 0 {
		t.Fatalf("none of %d searches came so far as to write a fact before it was killed", killed)
	}
	return dir, killed, len(known)
}

// place names a fact of a book.
type place struct{ game, position string }

// grown reads a book after some kills, and checks that all earlier facts are there.
func grown(t *testing.T, name string, known map[place]book.Item, killed int) map[place]book.Item {
	t.Helper()
	b, err := book.Open(name, false)
	if err != nil {
		t.Fatalf("after %d kills: %v", killed, err)
	}
	now := map[place]book.Item{}
	if err := errors.Join(b.Each(func(it book.Item) error {
		now[place{it.Shelf.Game, it.Position}] = it
		return nil
	}), b.Close()); err != nil {
		t.Fatalf("after %d kills: %v", killed, err)
	}
	for at, was := range known {
		if is := now[at]; was.Fact.Says(is.Fact) || was.Notes[0] != "" && is.Notes[0] == "" || was.Notes[1] != "" && is.Notes[1] == "" {
			t.Fatalf("after %d kills: %v: %+v, before %+v", killed, at, is, was)
		}
	}
	return now
}

// verified proves the facts of a book in a directory again, or a sample of them.
func verified(t *testing.T, dir string, killed, facts int, flags ...string) {
	t.Helper()
	if *bookKills <= 3 {
		flags = append(flags, "--threads", "1", "--sample", "100")
	}
	t.Logf("%d kills, %d facts\n%s", killed, facts, verify(t, dir, flags...))
}

// verify runs the command that checks the facts of a book in a directory.
func verify(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	return answer(t, dir, append([]string{"book", "verify", "book"}, flags...)...)
}

// TestProofKills lets two processes write proofs to one book, and kills one or both. Nothing
// is lost; in the end the facts are proved again, and a proof resumes from them.
func TestProofKills(t *testing.T) {
	hostile(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "book")
	known := map[place]book.Item{}
	jobs := [][]string{
		{"mnk", "solve", "mnk-8x7k5", "--algo", "zones"}, {"mnk", "solve", "mnk-8x7k5", "--moves", "e4", "--algo", "deepening"},
		{"mnk", "solve", "mnk-8x7k5", "--moves", "e4,d4", "--algo", "zones"}, {"mnk", "solve", "mnk-9x4k4", "--algo", "deepening"},
	}
	killed := 0
	for round := 0; killed < 2**bookKills && round < 20**bookKills; round++ {
		var pair [2]*exec.Cmd
		var kills [2]*time.Timer
		for i := range pair {
			cmd := solveCommand(append(jobs[(round+i)%len(jobs)], "--threads", "1", "--mem", "64MiB", "--book", "book", "--book-nodes", "500", "--time", "5s")...)
			cmd.Dir = dir
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pair[i] = cmd
			if i == 0 || round%2 == 0 { // in every other round one process may end by itself
				kills[i] = time.AfterFunc(time.Duration(100+rand.IntN(2000))*time.Millisecond, func() { _ = cmd.Process.Kill() })
			}
		}
		for i, cmd := range pair {
			err := cmd.Wait()
			switch {
			case kills[i] != nil:
				kills[i].Stop()
				if err != nil {
					killed++
				}
			case err != nil:
				t.Fatalf("%v: %v", cmd.Args, err)
			}
		}
		if matches, err := filepath.Glob(name); err != nil || len(matches) == 0 {
			continue
		}
		known = grown(t, name, known, killed)
	}
	if len(known) == 0 || killed == 0 {
		t.Fatalf("%d facts after %d kills", len(known), killed)
	}
	verified(t, dir, killed, len(known))
	out := answer(t, dir, "mnk", "solve", "mnk-8x7k5", "--threads", "1", "--mem", "64MiB", "--book", "book", "--algo", "zones")
	if !strings.HasPrefix(out, "mnk-8x7k5: a draw\n") {
		t.Fatal(out)
	}
}
