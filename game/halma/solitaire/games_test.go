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

	"perfectplay/bitboard"
	"perfectplay/game/halma"
)

var crossings = flag.Bool("crossings", false, "find the shortest crossings of all boards of testdata/crossings.csv, which takes minutes and 2 GiB")

// TestCrossings finds the shortest crossings of all boards, replays them by the board's
// geometry, and compares lengths with the table: published ones, and those found by
// visiting all placements.
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
			cross(t, g, c.Moves)
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
	cross(t, g, moves)
}

// cross replays a crossing by the board alone. It knows no rules on where a piece
// may rest.
func cross(t *testing.T, g *halma.Game, moves []Move) {
	t.Helper()
	b, army := g.Board(), g.Home(0)
	for i, m := range moves {
		if !army.Has(m.From) || !alone(b, army.Without(m.From), m.From).Has(m.To) {
			t.Fatalf("move %d, %s-%s: no step or hops lead there", i+1, b.CellName(m.From), b.CellName(m.To))
		}
		army = army.Without(m.From).With(m.To)
	}
	if army != g.Goal(0) {
		t.Errorf("the army ends at %v, not in its goal", army)
	}
}

// alone returns the targets of a piece in one turn among the others of its army.
func alone(b *halma.Board, others bitboard.Set128, from int) (ends bitboard.Set128) {
	for d := halma.Left; d <= halma.DownRight; d++ {
		if to := b.Next(from, d); to >= 0 && !others.Has(to) {
			ends = ends.With(to)
		}
	}
	been := bitboard.Set128{}.With(from)
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for d := halma.Left; d <= halma.DownRight; d++ {
			over := b.Next(queue[0], d)
			if over < 0 || !others.Has(over) {
				continue
			}
			if to := b.Next(over, d); to >= 0 && !others.Has(to) && !been.Has(to) {
				been = been.With(to)
				queue = append(queue, to)
			}
		}
	}
	return ends.Or(been.Without(from))
}
