package halma

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

// sized matches the names that end in the number of words.
var sized = regexp.MustCompile(`\b(set|newSet|cell|kernel|newKernel|state|hops|origins)1\b`)

var generate = flag.Bool("generate", false, "rewrite state2.go and state3.go from state1.go")

// TestGenerated compares the move generators for two and three words with what
// state1.go makes of them:
//
//	go test ./game/halma -run Generated -generate
func TestGenerated(t *testing.T) {
	source, err := os.ReadFile("state1.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []struct{ digit, word string }{{"2", "two words"}, {"3", "three words"}} {
		text := string(source)
		text = sized.ReplaceAllString(text, "${1}"+width.digit)
		text = strings.ReplaceAll(text, "one word", width.word)
		lines := strings.Split(text, "\n")
		var kept []string
		for _, l := range lines {
			switch {
			case strings.HasPrefix(l, "package "):
				kept = append(kept, "// Code generated from state1.go by go test -run Generated -generate; DO NOT EDIT.", "", l)
			case strings.HasPrefix(l, "// This file is the move generator"),
				strings.HasPrefix(l, "// state"+width.digit+".go are the same"),
				strings.HasPrefix(l, "// state3.go are the same"):
			default:
				kept = append(kept, l)
			}
		}
		text = strings.ReplaceAll(strings.Join(kept, "\n"), "\n\n\n", "\n\n")
		file := "state" + width.digit + ".go"
		if *generate {
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != text {
			t.Errorf("%s is not what state1.go makes of it: run go test -run Generated -generate", file)
		}
	}
}
