package table_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/solve/retro"
	"perfectplay/solve/table"
)

// A game is solved, written to a file, and looked up in it.
func ExampleOpen() {
	g, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		log.Fatal(err)
	}
	s, err := retro.Solve(context.Background(), g, retro.Options{})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "noughts.table")
	info, err := s.Save(context.Background(), name, "example", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d positions: %d won, %d lost, %d drawn\n", info.Positions, info.Wins, info.Losses, info.Draws)
	t, err := table.Open(name, 1<<20, func(table.Info) (game.Game, table.Plan, error) { return g, table.Plan{}, nil })
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	at, err := g.Parse("xx1.oo1.3")
	if err != nil {
		log.Fatal(err)
	}
	value, plies, err := t.Value(at, 1<<at.Seat())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(value, "in", plies)
	// Output:
	// 5478 positions: 2836 won, 1574 lost, 1068 drawn
	// win in 1
}
