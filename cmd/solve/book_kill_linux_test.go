package main

import (
	"flag"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"perfectplay/solve"
	"perfectplay/solve/book"
)

// bookKills is how many searches TestBookKills kills.
var bookKills = flag.Int("book-kills", 3, "searches that TestBookKills kills while they write a book")

// TestBookKills kills searches that write one book, at random instants. It opens
// again each time and has lost nothing that it had; in the end every fact is proved
// anew.
func TestBookKills(t *testing.T) {
	hostile(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "book")
	type place struct{ game, position string }
	known := map[place]solve.Fact{}
	jobs := [][]string{
		{"search", "halma-star37-2p", "--rules", "house-code", "--limit", "22"},
		{"search", "halma-star37-3p", "--rules", "house", "--limit", "17", "--no-openings"},
		{"search", "halma-5x5p3", "--rules", "sturtevant"},
	}
	killed := 0
	for i := 0; killed < *bookKills || len(known) == 0 && killed < 10**bookKills; i++ {
		cmd := solveCommand(withArgs(jobs[i%len(jobs)], "--threads", "2", "--book", "book", "--book-nodes", "2000")...)
		cmd.Dir = dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// The first fact comes after about a second; the kill, too, or a little later,
		// and later still where the machine is so slow that nothing was written.
		late := time.AfterFunc(time.Duration(rand.IntN(2000)*(1 + killed / *bookKills))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		if err := cmd.Wait(); err != nil {
			killed++
		}
		late.Stop()
		if matches, err := filepath.Glob(name); err != nil || len(matches) == 0 {
			continue // killed before there was a book
		}
		b, err := book.Open(name, false)
		if err != nil {
			t.Fatalf("after %d kills: %v", killed, err)
		}
		now := map[place]solve.Fact{}
		if err := b.Each(func(it book.Item) error {
			now[place{it.Shelf.Game, it.Position}] = it.Fact
			return nil
		}); err != nil {
			t.Fatalf("after %d kills: %v", killed, err)
		}
		for at, f := range known {
			if f.Says(now[at]) {
				t.Fatalf("after %d kills: %v: %+v, before %+v", killed, at, now[at], f)
			}
		}
		known = now
	}
	if len(known) == 0 {
		t.Fatalf("none of %d searches came so far as to write a fact before it was killed", killed)
	}
	verify := solveCommand("book", "verify", "book", "--threads", "1", "--sample", "100")
	if *bookKills > 3 {
		verify = solveCommand("book", "verify", "book")
	}
	verify.Dir = dir
	out, err := verify.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%d kills, %d facts\n%s", killed, len(known), out)
}
