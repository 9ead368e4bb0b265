package retro_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/game/halma"
	"perfectplay/game/mnk"
	"perfectplay/solve"
	"perfectplay/solve/retro"
	"perfectplay/solve/retro/verify"
	"perfectplay/solve/table"
)

var whole = flag.Bool("whole", false, "solve larger games, too, up to 4,990,992 positions")

// each visits all positions of a solution by keys through its verified table.
func each(t *testing.T, g game.Game, s *retro.Solution, visit func(s game.State)) {
	t.Helper()
	tab, info := saved(t, g, s, "")
	v, err := verify.Table(t.Context(), tab, verify.Options{Progress: quiet})
	if err != nil || v.Faults > 0 || !v.Complete(info) || v.Checked != s.Positions() {
		t.Fatalf("%s: %+v %v", g.ID(), v, err)
	}
	w := tab.Numbering().(table.Lister).Walker()
	for i := range w.Units() {
		if err := w.Unit(i, func(s game.State, _ table.Place, _ uint64) error { visit(s); return nil }); err != nil {
			t.Fatal(err)
		}
	}
}

func solveAll(t *testing.T, g game.Game) *retro.Solution {
	t.Helper()
	s, err := retro.Solve(t.Context(), g, retro.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// unnumbered hides a game's numbers, so that its positions are found by their keys.
type unnumbered struct{ game.Game }

// tried is the value of a position of an m,n,k-game to the side to move, and its plies, found by
// trying all moves under the plain rules. memo caches results by the positions' text.
func tried(s game.State, memo map[string][2]int) (worth, plies int) {
	switch s.Result() {
	case game.Drawn:
		return 0, 0
	case game.Ongoing:
	default:
		return -1, 0
	}
	text := s.String()
	if v, ok := memo[text]; ok {
		return v[0], v[1]
	}
	worth = -2
	for _, m := range s.Moves(nil) {
		s.Make(m)
		v, n := tried(s, memo)
		s.Unmake()
		v, n = -v, n+1
		if v > worth || v == worth && (v > 0 && n < plies || v < 0 && n > plies) {
			worth, plies = v, n
		}
	}
	memo[text] = [2]int{worth, plies}
	return worth, plies
}

// TestMNK compares all positions of small boards, by numbers and by keys, with tried, and the
// number of positions with published numbers.
func TestMNK(t *testing.T) {
	text, err := os.ReadFile("testdata/mnk_positions.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range append(rows[1:], []string{"mnk-1x4k2"}, []string{"mnk-2x5k4"}, []string{"mnk-3x4k4"}) {
		g, err := mnk.ByID(row[0])
		if err != nil {
			t.Fatal(err)
		}
		all := solveAll(t, g)
		if n := strconv.FormatUint(all.Positions(), 10); len(row) > 1 && n != row[1] {
			t.Errorf("%s: %s positions, %s has %s", g.ID(), n, row[2], row[1])
		}
		if g.Cells() > 12 {
			continue
		}
		keyed := solveAll(t, unnumbered{g})
		if n := keyed.Positions(); g.ID() == "mnk-3x3k3" && n != 765 {
			t.Errorf("%d classes of positions, want 765", n)
		}
		memo := map[string][2]int{}
		tried(g.Plain().Start(), memo)
		compare := func(s game.State) {
			worth, in := tried(s, memo)
			want := []game.Value{game.Loss, game.Draw, game.Win}[worth+1]
			if want == game.Draw {
				in = 0
			}
			for _, by := range []*retro.Solution{all, keyed} {
				if v, d, ok := by.Value(s); !ok || v != want || d != in {
					t.Fatalf("%s: %s is %v in %d, by trying everything %v in %d", g.ID(), s, v, d, want, in)
				}
			}
		}
		each(t, g, all, compare)
		each(t, unnumbered{g}, keyed, compare)
	}
}

// TestDomino compares all positions of random deals with the exact solver.
func TestDomino(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 27))
	for range 8 {
		deal, _ := domino.RandomDeal(rng)
		g := domino.New(deal)
		solver := exact.NewSolver()
		all := solveAll(t, g)
		each(t, g, all, func(s game.State) {
			if s.Result() != game.Ongoing {
				return
			}
			score := solver.PositionValue(s.(interface{ At() domino.Position }).At())
			want := []game.Value{game.Loss, game.Draw, game.Win}[1+max(-1, min(1, score*(1-2*s.Seat())))]
			if v, _, ok := all.Value(s); !ok || v != want {
				t.Fatalf("%s: %v, by the exact solver %d points", s, v, score)
			}
		})
	}
}

// TestParanoid compares results of bounded search, one seat against all others, with exact results:
// every game of one piece on the star of 13 holes, every seat, at the start and at positions of
// random play.
func TestParanoid(t *testing.T) {
	for _, c := range []struct {
		seats     int
		rules     string
		positions int // number of positions from random play
	}{
		{2, "base", 40}, {2, "house", 40}, {2, "liou", 40},
		{3, "base", 30}, {3, "house", 30}, {3, "liou", 30},
		{4, "base", 20}, {4, "house", 20}, {4, "liou", 20},
		{6, "base", 10}, {6, "house", 10}, {6, "liou", 10},
	} {
		id := fmt.Sprintf("halma-star13-%dp", c.seats)
		t.Run("game="+id+",rules="+c.rules, func(t *testing.T) {
			if c.seats == 6 && (c.rules == "base" && !*whole || c.rules == "liou" && testing.Short()) {
				t.Skip("4,990,992 positions: with -whole, and some without -short")
			}
			g, err := halma.ByID(id, c.rules)
			if err != nil {
				t.Fatal(err)
			}
			all := solveAll(t, g)
			random := rand.New(rand.NewPCG(uint64(c.seats), uint64(len(c.rules))))
			found := map[game.Value]int{}
			judge := func(s game.State, limit int) {
				for seat := range g.Seats() {
					v, d, ok := all.Forced(s, 1<<seat)
					if !ok {
						t.Fatalf("%s cannot be reached", s)
					}
					drawn := v == game.Draw
					if d > limit || drawn {
						v, d = game.Unknown, 0
					}
					report, err := solve.Run(context.Background(), g, s.Clone(), solve.Options{
						Algo: solve.Paranoid, Hero: &seat, Limit: limit, Scope: solve.WholeOnly, Threads: 1, Memory: 1 << 20, NoLine: true})
					if err != nil {
						t.Fatal(err)
					}
					got, in := report.Whole.Value, report.Whole.Distance
					if got != v && (got != game.Draw || !drawn) || in != d {
						t.Fatalf("%s, seat %s within %d plies: search %v in %d, exact %v in %d", s, g.SeatName(seat), limit, got, in, v, d)
					}
					found[v]++
				}
			}
			judge(g.Start(), 12)
			for n := 0; n < c.positions; {
				s := g.Start()
				var moves []game.Move
				for range random.IntN(5 * g.Seats()) {
					if moves = s.Moves(moves[:0]); len(moves) > 0 {
						s.Make(moves[random.IntN(len(moves))])
					}
				}
				if s.Result() == game.Ongoing {
					judge(s, 1+random.IntN(10))
					n++
				}
			}
			if found[game.Loss] == 0 || found[game.Win] == 0 && g.Seats() < 6 {
				t.Errorf("%v: too little is decided to compare", found)
			}
		})
	}
}
