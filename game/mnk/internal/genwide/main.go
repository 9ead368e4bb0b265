// Command genwide writes what works on sets of cells in two machine words from what
// works on sets in one. In a package's directory, where a line says which files:
//
//	go generate
//
// In a source a set is a uint64, as is a number of nodes. Which of the two a variable
// is follows from its use: whatever meets a set of [mnk.Lines64] or a state in an
// assignment, a call or an operation is a set, see infer.go. In the product it is a
// [bitboard.Set128], the operators are its methods, and lengths and masks of 64 cells
// are those of 128, see render.go. What neither holds sets nor counts cells is common
// to both.
//
// A declaration named X becomes X128, and X64 becomes X128. Where the package has such
// a name, written by hand, the product uses it instead: so is done what differs.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	products, err := generate(".", os.Args[1:])
	for name, text := range products {
		if err == nil {
			err = os.WriteFile(name, text, 0o666)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "genwide:", err)
		os.Exit(1)
	}
}

// generate returns the products of some files of the package in a directory, by name.
func generate(dir string, sources []string) (map[string][]byte, error) {
	p, err := load(dir, sources)
	if err != nil {
		return nil, err
	}
	p.infer()
	p.choose()
	products := map[string][]byte{}
	for _, f := range p.sources {
		text, err := p.render(f)
		if err != nil {
			return nil, err
		}
		products[product(filepath.Base(p.position(f).Filename))] = text
	}
	return products, nil
}
