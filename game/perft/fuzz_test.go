package perft

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// FuzzRead: the lines of a perft file are the same after writing and reading them again.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"", "# nothing\n\n", "toy - start 3 12 both generators\n", "toy a 1.2 0 18446744073709551615 x y\n", "toy - start -1 1 x\n", "toy - start 1 1\n", "\x00 a b 1 1 c"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var b strings.Builder
		for i := range lines {
			l := &lines[i]
			if l.Depth < 0 || l.Line < 1 || l.ID == "" || l.Position == "" {
				t.Fatalf("%q: %+v", text, *l)
			}
			rules := l.Rules
			if rules == "" {
				rules = "-"
			}
			fmt.Fprintf(&b, "%s %s %s %d %d %s\n", l.ID, rules, l.Position, l.Depth, l.Count, l.Source)
			l.Line = i + 1
		}
		again, err := Read(strings.NewReader(b.String()))
		if err != nil || !reflect.DeepEqual(again, lines) {
			t.Fatalf("%q: %+v, then %+v: %v", text, lines, again, err)
		}
	})
}
