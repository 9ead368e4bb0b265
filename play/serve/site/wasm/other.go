//go:build !js || !wasm

package main

import (
	"fmt"
	"os"
)

// main says what the program is for where it cannot run.
func main() {
	fmt.Fprintln(os.Stderr, "wasm: this program runs in a browser: solve site builds it")
	os.Exit(1)
}
