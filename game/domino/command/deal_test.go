package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// FuzzDeals: a file of deals is read, or refused by its line; deals that were read can be
// written and read again.
func FuzzDeals(f *testing.F) {
	for _, text := range []string{"", "# a comment\n\n", "66 16 24 26 33 34 36 / 00 01 02 03 05 06 15\n",
		"00 01 02 03 05 06 15 / 66 16 24 26 33 34 36\r\n 0|2 1|2 1|5 2|2 2|6 4|4 5|6 / 0|4 1|4 1|6 2|4 2|5 4|5 4|6", "66 / 00\n", "66 66 24 26 33 34 36 / 00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		deals, swaps, err := readDeals(strings.NewReader(text), "name")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "name:") || strings.Contains(err.Error(), "\n") || deals != nil {
				t.Fatalf("%q: %v", err, deals)
			}
			return
		}
		var again strings.Builder
		for i, d := range deals {
			if swaps[i] {
				d.Starter, d.Second = d.Second, d.Starter
			}
			fmt.Fprintln(&again, d)
		}
		back, turned, err := readDeals(strings.NewReader(again.String()), "name")
		if err != nil || !slices.Equal(back, deals) || !slices.Equal(turned, swaps) {
			t.Fatalf("%q reads as %v: %v", again.String(), back, err)
		}
	})
}
