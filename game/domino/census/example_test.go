package census_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"perfectplay/game/domino/census"
)

// A small part of the census, solved, saved and read.
func ExampleLoad() {
	dir, err := os.MkdirTemp("", "census")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	part, err := census.New(3, census.MaxParts)
	if err != nil {
		panic(err)
	}
	if err := part.Run(context.Background(), census.Options{Threads: 2}); err != nil {
		panic(err)
	}
	file := filepath.Join(dir, "part")
	if err := part.Save(file); err != nil {
		panic(err)
	}
	read, err := census.Load(file)
	if err != nil {
		panic(err)
	}
	all := read.Tally.All().Summary("all")
	fmt.Println(read.Complete(), all.Wins, all.Draws, all.Losses)
	// Output: true 244865 14983 120724
}
