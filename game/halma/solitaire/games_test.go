package solitaire

import (
	"context"
	"encoding/csv"
	"flag"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"perfectplay/game/halma"
)

var crossings = flag.Bool("crossings", false, "find the shortest crossings of all boards of testdata/crossings.csv, which takes minutes and 2 GiB")

// TestCrossings finds the shortest crossings of all boards, replays them, and compares lengths with
// the table: published lengths, and lengths found by visiting all placements.
func TestCrossings(t *testing.T) {
	f, err := os.Open("testdata/crossings.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		t.Run(row[0]+"/"+row[1], func(t *testing.T) {
			g, err := halma.ByID(row[0], row[1])
			if err != nil {
				t.Fatal(err)
			}
			if g.Board().Pieces() > 3 && g.Board().Cells() > 30 && !*crossings {
				t.Skip("takes up to minutes: run with -crossings")
			}
			want, err := strconv.Atoi(row[2])
			if err != nil {
				t.Fatal(err)
			}
			spec, err := g.TwoArmy()
			if err != nil {
				t.Fatal(err)
			}
			c, err := Cross(context.Background(), spec, Options{Memory: 2 << 30})
			if err != nil {
				t.Fatal(err)
			}
			if c.Bound != want || len(c.Moves) != want {
				t.Errorf("%d moves, at least %d; want %d", len(c.Moves), c.Bound, want)
			}
			replay(t, spec, halma.SetOf(spec.Home), c.Moves)
		})
	}
}

// TestCrossing121 replays the crossing of the great star in bench/runs.
func TestCrossing121(t *testing.T) {
	text, err := os.ReadFile("../../../bench/runs/2026-11-21-epyc-2-threads-strong/solitaire.txt")
	if err != nil {
		t.Fatal(err)
	}
	g, err := halma.ByID("halma-star121-2p", "base")
	if err != nil {
		t.Fatal(err)
	}
	_, run, ok := strings.Cut(string(text), "halma-star121-2p, rules base, one army alone\n")
	run, _, ended := strings.Cut(run, "\n\n")
	if !ok || !ended {
		t.Fatal("no run of halma-star121-2p in the file")
	}
	var moves []Move
	for _, m := range regexp.MustCompile(`\b([a-z]\d+)-([a-z]\d+)\b`).FindAllStringSubmatch(run, -1) {
		from, err := g.Board().ParseCell(m[1])
		if err != nil {
			t.Fatal(err)
		}
		to, err := g.Board().ParseCell(m[2])
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, Move{From: from, To: to})
	}
	if len(moves) != 27 {
		t.Errorf("%d moves, want 27", len(moves))
	}
	spec, err := g.TwoArmy()
	if err != nil {
		t.Fatal(err)
	}
	replay(t, spec, halma.SetOf(spec.Home), moves)
}
