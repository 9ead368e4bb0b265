package main

import (
	"bytes"
	"os"
	"testing"
)

// TestProducts compares the committed products with what the source makes.
func TestProducts(t *testing.T) {
	const dir = "../../"
	text, err := os.ReadFile(dir + source)
	if err != nil {
		t.Fatal(err)
	}
	for words := 2; words <= 3; words++ {
		got, err := os.ReadFile(dir + product(words))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, widen(string(text), words)) {
			t.Errorf("%s is not what %s makes of it: run go generate in game/halma", product(words), source)
		}
	}
}
