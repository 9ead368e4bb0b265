package command

import (
	"context"
	"math/rand/v2"
	"testing"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/solve"
)

// TestSearch compares the results of the engines for all games on random deals with the
// sign of their exact values.
func TestSearch(t *testing.T) {
	app := &family.App{Families: []family.Family{Family()}}
	s := exact.NewSolver()
	r := rand.New(rand.NewPCG(8, 8))
	met := map[game.Value]int{}
	for range 150 {
		d, _ := domino.RandomDeal(r)
		g, state, err := app.OpenAt("domino", "", family.At{Position: d.String()})
		if err != nil {
			t.Fatal(err)
		}
		want := game.Draw
		switch v := s.Value(d); {
		case v > 0:
			want = game.Win
		case v < 0:
			want = game.Loss
		}
		met[want]++
		for _, algo := range []solve.Algo{solve.AlphaBeta, solve.Paranoid, solve.MaxN} {
			report, err := solve.Run(context.Background(), g, state, solve.Options{Algo: algo, Limit: 40, Scope: solve.WholeOnly,
				Threads: 1, Memory: 1 << 20, NoLine: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := report.Whole.Value; got != want {
				t.Errorf("%v: %s finds a %v, want %v", d, algo, got, want)
			}
		}
	}
	if len(met) != 3 {
		t.Errorf("not all outcomes are met: %v", met)
	}
}
