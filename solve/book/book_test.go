package book_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/mnk"
	"perfectplay/solve"
	"perfectplay/solve/book"
)

// open opens a game of Chinese Checkers.
func open(t testing.TB, id, rules string) game.Game {
	t.Helper()
	return must(halma.ByID(id, rules))(t)
}

func grid(t testing.TB, rows, columns, k int) game.Game {
	t.Helper()
	g := must(mnk.New(rows, columns, k))(t)
	return g
}

// must returns v. An error ends the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// file opens a new book to write.
func file(t testing.TB, name string) *book.Book {
	t.Helper()
	b := must(book.Open(name, true))(t)
	return b
}

func search(t testing.TB, g game.Game, o solve.Options) *solve.Report {
	t.Helper()
	rep := must(solve.Run(t.Context(), g, g.Start(), o))(t)
	return rep
}

func shut(t testing.TB, b *book.Book) {
	t.Helper()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}

// items lists all facts of a file.
func items(t testing.TB, name string) (list []book.Item) {
	t.Helper()
	b := must(book.Open(name, false))(t)
	if err := b.Each(func(it book.Item) error { list = append(list, it); return nil }); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestFactsHold searches games with a book and proves every fact anew. A warm book gives the same
// results with less work.
func TestFactsHold(t *testing.T) {
	hero := 1
	for _, c := range []struct {
		name  string
		game  game.Game
		o     solve.Options
		least uint64
	}{
		{"two seats", open(t, "halma-4x4p3", "gamesman"), solve.Options{Limit: 14}, 100},
		{"draws", grid(t, 3, 4, 4), solve.Options{}, 100},
		{"proof", grid(t, 4, 3, 3), solve.Options{Algo: solve.Proof, Hero: &hero}, 5},
		{"three seats", open(t, "halma-star37-3p", "house-code"), solve.Options{Limit: 18, Hero: &hero, Scope: solve.WholeOnly}, 50},
		{"illegal positions", open(t, "halma-4x4p3", "sturtevant"), solve.Options{Limit: 12, Threads: 4}, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "book")
			cold := search(t, c.game, c.o)
			b := file(t, name)
			c.o.Book, c.o.BookNodes = b, c.least
			first := search(t, c.game, c.o)
			shut(t, b)
			b = file(t, name)
			c.o.Book, c.o.Threads = b, 1
			second := search(t, c.game, c.o)
			shut(t, b)
			for _, rep := range []*solve.Report{first, second} {
				for i, rec := range rep.Records() {
					want := cold.Records()[i]
					rec.Counts, rec.Seconds, want.Counts, want.Seconds = solve.Counts{}, 0, solve.Counts{}, 0
					if rec.Value != want.Value || (rec.Distance == nil) != (want.Distance == nil) || rec.Distance != nil && *rec.Distance != *want.Distance {
						t.Errorf("with a book %+v, without %+v", rec, want)
					}
				}
			}
			list := items(t, name)
			if len(list) < 10 || int(second.Recalled) < len(list)/2 || second.Total.Nodes >= cold.Total.Nodes/2 {
				t.Errorf("%d facts, %d recalled, %d nodes with them, %d without", len(list), second.Recalled, second.Total.Nodes, cold.Total.Nodes)
			}
			for _, it := range list {
				s := must(c.game.Parse(it.Position))(t)
				wrong, err := solve.Check(t.Context(), c.game, s, it.Hero, it.Fact, solve.Options{Threads: 1, Memory: 4 << 20})
				if wrong != nil || err != nil {
					t.Fatalf("%+v: %v, %v", it, wrong, err)
				}
			}
			t.Logf("%d facts; nodes %d cold, %d warm", len(list), cold.Total.Nodes, second.Total.Nodes)
		})
	}
}

// TestTwoWriters lets several books of one file learn at once: no fact is lost.
func TestTwoWriters(t *testing.T) {
	name := filepath.Join(t.TempDir(), "book")
	g := grid(t, 4, 4, 4)
	var all sync.WaitGroup
	for hero := range 2 {
		all.Go(func() {
			b := file(t, name)
			search(t, g, solve.Options{Algo: solve.Proof, Hero: &hero, Book: b, BookNodes: 20, Threads: 1})
			shut(t, b)
		})
	}
	all.Wait()
	b := must(book.Open(name, false))(t)
	facts, known, err := b.Look(g, 0, []game.State{g.Start()})
	if err != nil || !known[0] || facts[0].WinOver != solve.Never || facts[0].LossOver != solve.Never {
		t.Errorf("the start of 4,4,4 is %+v, %v, %v; two searches have proved both sides", facts, known, err)
	}
}

// BenchmarkLook asks a book about all positions after two moves in each operation.
func BenchmarkLook(b *testing.B) {
	g := grid(b, 4, 4, 4)
	f := file(b, filepath.Join(b.TempDir(), "book"))
	search(b, g, solve.Options{Book: f, BookNodes: 1, Threads: 1})
	defer shut(b, f)
	var states []game.State
	for _, m := range g.Start().Moves(nil) {
		s := g.Start()
		s.Make(m)
		for _, reply := range s.Moves(nil) {
			after := s.Clone()
			after.Make(reply)
			states = append(states, after)
		}
	}
	for b.Loop() {
		facts, known, err := f.Look(g, 0, states)
		if err != nil || len(facts) != 240 || !slices.Contains(known, true) {
			b.Fatalf("%d facts, %v: %v", len(facts), known, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(states)), "ns/op")
}

// TestLook finds mirrored positions, with moves in their own frame.
func TestLook(t *testing.T) {
	name := filepath.Join(t.TempDir(), "book")
	g := open(t, "halma-star13-2p", "base")
	b := file(t, name)
	search(t, g, solve.Options{Book: b, BookNodes: 1})
	shut(t, b)
	b = must(book.Open(name, false))(t)
	states := []game.State{g.Start()}
	for _, m := range g.Start().Moves(nil) {
		s := g.Start()
		s.Make(m)
		states = append(states, s)
	}
	facts, known, err := b.Look(g, 0, states)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range states {
		if !known[i] {
			continue
		}
		f := facts[i]
		if i == 0 && (f.WinBy != 9 || f.WinOver != 8) {
			t.Errorf("the start is a win in 9 plies, the book says %+v", f)
		}
		legal := f.Best == game.NoMove
		for _, m := range s.Moves(nil) {
			legal = legal || m == f.Best
		}
		if !legal {
			t.Errorf("%s: the best move %d is none", s, f.Best)
		}
	}
	if !known[0] || !known[1] || !known[2] {
		t.Errorf("the start and its first two moves are known: %v", known)
	}
	other, known, err := b.Look(open(t, "halma-star13-2p", "house"), 0, states[:1])
	if err != nil || known[0] {
		t.Errorf("other rules: %+v, %v, %v", other, known, err)
	}
}

// TestMerge adds the facts of another book, and refuses contradictions.
func TestMerge(t *testing.T) {
	dir := t.TempDir()
	g := grid(t, 3, 3, 3)
	s := g.Start()
	k := s.(game.Keyer)
	key := make([]uint64, k.KeyWords())
	k.Key(key)
	write := func(name string, f solve.Fact) string {
		b := file(t, filepath.Join(dir, name))
		b.Learn(g, 0, s, key, f)
		shut(t, b)
		return filepath.Join(dir, name)
	}
	never := solve.Never
	a := write("a", solve.Fact{WinOver: 4, WinBy: never, LossOver: 2, LossBy: never, Best: game.NoMove, Nodes: 7})
	c := write("c", solve.Fact{WinOver: 3, WinBy: never, LossOver: never, LossBy: never, Best: game.NoMove, Nodes: 9})
	wrong := write("wrong", solve.Fact{WinOver: 2, WinBy: 3, LossOver: never, LossBy: never, Best: game.NoMove, Nodes: 9})
	merge := func(to, from string) (int, error) {
		in := must(book.Open(from, false))(t)
		out := file(t, to)
		defer shut(t, out)
		return out.Merge(in)
	}
	for again, want := range []int{1, 0} {
		if n, err := merge(a, c); err != nil || n != want {
			t.Errorf("merged %d facts, %v; time %d", n, err, again)
		}
	}
	if list := items(t, a); len(list) != 1 || list[0].Fact.WinOver != 4 || list[0].Fact.LossOver != never || list[0].Fact.Nodes != 9 {
		t.Errorf("merged: %+v", list)
	}
	if _, err := merge(a, wrong); err == nil || !strings.Contains(err.Error(), "contradicts") {
		t.Errorf("a contradiction is merged: %v", err)
	}
	if list := items(t, a); len(list) != 1 || list[0].Fact.WinBy != never {
		t.Errorf("after a contradiction: %+v", list)
	}
}

// TestDamage flips every byte of the values of a book, one at a time: no value is read as another fact.
func TestDamage(t *testing.T) {
	name := filepath.Join(t.TempDir(), "book")
	g := grid(t, 3, 3, 3)
	b := file(t, name)
	search(t, g, solve.Options{Book: b, BookNodes: 10})
	shut(t, b)
	want := map[string]solve.Fact{}
	for _, it := range items(t, name) {
		want[it.Position] = it.Fact
	}
	if len(want) == 0 {
		t.Fatal("no facts")
	}
	text := must(os.ReadFile(name))(t)
	damaged := 0
	for at := 0; at < len(text); at += 31 {
		text[at] ^= 4
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
		text[at] ^= 4
		b, err := book.Open(name, false)
		if err == nil {
			err = b.Each(func(it book.Item) error {
				if f, ok := want[it.Position]; !ok || f != it.Fact {
					return errors.New("false: " + it.Position)
				}
				return nil
			})
		}
		if err != nil {
			damaged++
			if strings.Contains(err.Error(), "false") {
				t.Fatalf("byte %d: %v", at, err)
			}
		}
	}
	if damaged == 0 {
		t.Error("no damage was seen")
	}
}

// TestOpen checks the error for each kind of bad file.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "text")
	if err := os.WriteFile(other, []byte(strings.Repeat("no book\n", 9000)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		write bool
		want  string
	}{
		{filepath.Join(dir, "none"), false, "no such file"},
		{other, false, "not a book"},
		{other, true, "not a book"},
		{dir, true, "not a regular file"},
		{filepath.Join(dir, "none", "book"), true, "no such file"},
	} {
		if _, err := book.Open(c.name, c.write); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, to write %v: %v, want %q", c.name, c.write, err, c.want)
		}
	}
	if names, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(names) > 0 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

// TestShelf: each rule set has a shelf of its own. A new fingerprint of the rules below means that
// older books are no longer read.
func TestShelf(t *testing.T) {
	seen := map[string]string{}
	for _, rules := range halma.Presets() {
		for _, id := range []string{"halma-star37-2p", "halma-5x5p6"} {
			g, err := halma.ByID(id, rules)
			if err != nil {
				continue
			}
			s, err := book.ShelfOf(g)
			if again, _ := book.ShelfOf(g); err != nil || again != s {
				t.Errorf("%s: %+v, then %+v, %v", rules, s, again, err)
			}
			if was := seen[id+s.Fingerprint]; was != "" && rules != "base" && rules != "gamesman" {
				t.Errorf("%s: %s and %s have one fingerprint", id, was, rules)
			}
			seen[id+s.Fingerprint] = rules
		}
	}
}
