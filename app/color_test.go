package app

import (
	"regexp"
	"strings"
	"testing"
)

var (
	escape = regexp.MustCompile("\x1b\\[[0-9;]*m")
	// took matches measured times, and plans made from them. They differ between two runs of a
	// command.
	took = regexp.MustCompile(`a moment|about \S+ of processor time, \S+ on \d+ threads? to itself|[0-9.]+(ms|µs|ns|s\b)`)
)

// TestColor: with --color always the text of commands has colours and the same words. JSON,
// files and pipes have no colours.
func TestColor(t *testing.T) {
	t.Parallel()
	run := func(words ...string) string { return took.ReplaceAllString(runs(t, "", words...), "T") }
	for _, words := range [][]string{
		{"probe", "halma-star13-2p", "start"},
		{"info", "halma-star37-2p"},
		{"probe", "mnk-3x3k3", "start"},
	} {
		plain := run(words...)
		if strings.Contains(plain, "\x1b") {
			t.Errorf("%v: colours where there is no terminal", words)
		}
		colored := run(append(words, "--color", "always")...)
		if escape.ReplaceAllString(colored, "") != plain || colored == plain {
			t.Errorf("%v:\n%swith colours:\n%s", words, plain, colored)
		}
		if json := run(append(words, "--color", "always", "--json")...); strings.Contains(json, "\x1b") {
			t.Errorf("%v: colours in JSON", words)
		}
	}
}
