package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"perfectplay/app"
	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/gametest"
	"perfectplay/game/perft"
	"perfectplay/solve"
)

// size returns the board with given numbers of columns and rows.
func size(t testing.TB, cols, rows int) *board {
	b, err := newBoard(cols, rows)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConformance(t *testing.T) {
	for _, b := range []*board{size(t, 7, 6), size(t, 4, 4), size(t, 5, 4), size(t, 4, 1), size(t, 1, 5), size(t, 9, 6), size(t, 3, 15), size(t, 26, 1)} {
		t.Run(b.ID(), func(t *testing.T) { gametest.Run(t, b) })
	}
	gametest.Wing(t, connectFour())
}

// TestCounts: sequences of turns and positions by the number of stones on seven columns of six
// are as published (Edelkamp and Kissmann; OEIS A212693), and so are all positions of four
// columns of four.
func TestCounts(t *testing.T) {
	for depth, want := range []uint64{1, 7, 49, 343, 2401, 16807, 117649} {
		if n := perft.Count(size(t, 7, 6).Start(), depth); n != want {
			t.Errorf("%d sequences of %d turns, want %d", n, depth, want)
		}
	}
	for stones, want := range []int{1, 7, 49, 238, 1120, 4263} {
		if n := len(positions(size(t, 7, 6), stones)[stones]); n != want {
			t.Errorf("%d positions with %d stones, want %d", n, stones, want)
		}
	}
	n := 0
	for _, layer := range positions(size(t, 4, 4), 16) {
		n += len(layer)
	}
	if n != 161_029 {
		t.Errorf("%d positions of four columns of four, want 161,029", n)
	}
}

// positions lists the texts of all positions by the number of stones, up to most.
func positions(b *board, most int) []map[string]bool {
	layers := []map[string]bool{{b.Start().String(): true}}
	for range most {
		next := map[string]bool{}
		for text := range layers[len(layers)-1] {
			s, err := b.Parse(text)
			if err != nil {
				panic(err)
			}
			for _, m := range s.Moves(nil) {
				s.Make(m)
				next[s.String()] = true
				s.Unmake()
			}
		}
		layers = append(layers, next)
	}
	return layers
}

// brute is the value of a position for the player to move by the rules alone, and the plies to the
// end; known caches results.
func brute(s game.State, known map[string][2]int) (value game.Value, plies int) {
	text := s.String()
	if v, ok := known[text]; ok {
		return game.Value(v[0]), v[1]
	}
	defer func() { known[text] = [2]int{int(value), plies} }()
	if r := s.Result(); r == game.Drawn {
		return game.Draw, 0
	} else if r != game.Ongoing {
		return game.Loss, 0
	}
	for _, m := range s.Moves(nil) {
		s.Make(m)
		v, n := brute(s, known)
		s.Unmake()
		v, n = v.Negate(), n+1
		if v > value || v == value && (v == game.Win && n < plies || v == game.Loss && n > plies) {
			value, plies = v, n
		}
	}
	return value, plies
}

// TestBruteForce compares searches of positions with minimax by the rules.
func TestBruteForce(t *testing.T) {
	for _, b := range []*board{size(t, 4, 4), size(t, 5, 3), size(t, 4, 2), size(t, 1, 6)} {
		known := map[string][2]int{}
		brute(b.Start(), known)
		n, step := 0, 1+len(known)/100
		for text, want := range known {
			s, err := b.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if n++; n%step > 0 || s.Result() != game.Ongoing {
				continue
			}
			r, err := solve.Run(context.Background(), b, s, solve.Options{Threads: 1, Memory: 1 << 18})
			if err != nil {
				t.Fatal(err)
			}
			if r.Whole.Value != game.Value(want[0]) || r.Whole.Value != game.Draw && r.Whole.Distance != want[1] {
				t.Errorf("%s %s: %v in %d, want %v in %d", b.ID(), text, r.Whole.Value, r.Whole.Distance, game.Value(want[0]), want[1])
			}
		}
	}
}

var whole = flag.Bool("whole", false, "search boards that take seconds")

// TestValues compares values with Tromp's table of small boards, and prints nodes.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		cols, rows int
		want       game.Value
		long       bool
	}{{4, 4, game.Draw, false}, {4, 5, game.Draw, false}, {5, 4, game.Draw, false}, {5, 5, game.Draw, true}, {6, 4, game.Loss, true}, {6, 5, game.Draw, true}, {7, 5, game.Draw, true}} {
		if c.long && !*whole {
			continue
		}
		b := size(t, c.cols, c.rows)
		r, err := solve.Run(context.Background(), b, b.Start(), solve.Options{Threads: 1, Scope: solve.WholeOnly, NoLine: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Whole.Value != c.want {
			t.Errorf("%s: %v, want %v", b.ID(), r.Whole.Value, c.want)
		}
		t.Log(fmt.Sprint(b.ID(), " ", r.Whole.Value, " ", r.Whole.Distance, ", ", r.Total.Nodes, " nodes"), r.Elapsed)
	}
}

// TestCommands: a table made stage by stage passes verify, and all its positions are reachable.
// With this table, export writes the same rows as without it.
func TestCommands(t *testing.T) {
	dir, args := t.TempDir(), os.Args
	defer func() { os.Args = args }()
	run := func(command string) string {
		out := filepath.Join(dir, strconv.Itoa(len(command))+".txt")
		os.Args = append(strings.Fields("solve "+strings.ReplaceAll(command, "DIR", dir)), "--threads", "2", "-o", out)
		if code := app.Main(family.Family{Wing: connectFour()}); code != 0 {
			t.Fatalf("%s: exit %d", command, code)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const counts = "19,341 won, 16,121 lost, 45,079 drawn"
	if text := run("strong connect4-4x4 --reachable --work DIR/w --table DIR/t.table"); !strings.Contains(text, "reachable  80,541 positions: "+counts) {
		t.Error(text)
	}
	if text := run("verify DIR/t.table"); !strings.Contains(text, counts) || !strings.Contains(text, "no fault") {
		t.Error(text)
	}
	if a, b := run("export DIR/t.table --csv"), run("export connect4-4x4 --csv"); a != b || strings.Count(a, "\n") != 80_542 {
		t.Errorf("export wrote %d bytes from the table, %d without it", len(a), len(b))
	}
}
