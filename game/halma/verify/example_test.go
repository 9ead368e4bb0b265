package verify_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/numbering"
	"perfectplay/game/halma/strong"
	"perfectplay/game/halma/verify"
	rules "perfectplay/solve/retro/verify"
	"perfectplay/solve/table"
)

// Solve a board, write its table, and check every entry of the file.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	g, err := halma.ByID("halma-3x3p2", "sturtevant")
	if err != nil {
		panic(err)
	}
	spec, err := g.TwoArmy()
	if err != nil {
		panic(err)
	}
	solved, err := strong.Solve(ctx, spec, strong.Options{Distances: true})
	if err != nil {
		panic(err)
	}
	name := filepath.Join(dir, "3x3p2.dtw")
	if _, err := strong.Save(ctx, name, spec, solved, "example", 0, nil); err != nil {
		panic(err)
	}

	t, err := table.Open(name, 1<<20, func(i table.Info) (game.Game, table.Plan, error) {
		p, err := numbering.Of(g, i)
		return g, p, err
	})
	if err != nil {
		panic(err)
	}
	defer t.Close()
	walker, err := verify.Walker(t, false, 1<<20)
	if err != nil {
		panic(err)
	}
	verdict, err := rules.Table(ctx, t, rules.Options{Walker: walker})
	if err != nil {
		panic(err)
	}
	fmt.Println(verdict.Checked, "positions checked,", verdict.Faults, "faults")
	fmt.Println(verdict.Wins, "won,", verdict.Losses, "lost,", verdict.Draws, "drawn")
	// Output:
	// 756 positions checked, 0 faults
	// 404 won, 247 lost, 0 drawn
}
