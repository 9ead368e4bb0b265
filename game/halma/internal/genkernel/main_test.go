package main

import (
	"bytes"
	"os"
	"testing"
)

// TestProducts compares the committed products with what the sources make.
func TestProducts(t *testing.T) {
	for dir, sources := range map[string][]string{
		"../../":        {"kernel.go"},
		"../../armies/": {"cells.go", "moves.go", "row.go"},
		"../../strong/": {"board.go", "moves.go", "hand.go"},
	} {
		for _, source := range sources {
			text, err := os.ReadFile(dir + source)
			if err != nil {
				t.Fatal(err)
			}
			for words := 2; words <= 3; words++ {
				name := product(source, words)
				got, err := os.ReadFile(dir + name)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, widen(string(text), source, words)) {
					t.Errorf("%s is not what %s makes of it: run go generate in %s", name, source, dir)
				}
			}
		}
	}
}
