package main

import (
	"slices"
	"testing"

	"perfectplay/game/halma/thesis2025"
	"perfectplay/internal/cli"
)

// FuzzRows: whatever --rows says, the rows chosen are printed ones in their
// order, or the command line is at fault.
func FuzzRows(f *testing.F) {
	for _, list := range []string{"", "3.1", "3.1-3.4", "3.14/6", "3.1,3.3/1, 3.70-3.76", "3.4-3.1", "3", "3.1/", "-", "9223372036854775807.1"} {
		f.Add(list)
	}
	all := thesis2025.Published()
	f.Fuzz(func(t *testing.T, list string) {
		rows, err := selectRows(all, list)
		if err != nil {
			if cli.Code(err) != cli.ExitUsage {
				t.Fatalf("%q: %v", list, err)
			}
			return
		}
		from := 0
		for _, r := range rows {
			i := slices.IndexFunc(all[from:], func(p thesis2025.PublishedRow) bool { return p.Table == r.Table && p.Opening == r.Opening })
			if i < 0 {
				t.Fatalf("%q: row %s/%d is not in its place", list, r.Table, r.Opening)
			}
			from += i + 1
		}
		if len(rows) == 0 {
			t.Fatalf("%q chooses nothing and is no fault", list)
		}
	})
}

// FuzzGame: any game id, rules and position give a state or a usage error.
func FuzzGame(f *testing.F) {
	f.Add("halma-star37-2p", "house", "2.22._______.______._____.______._______.11.1-1")
	f.Add("halma-5x5p3", "sturtevant", "start")
	f.Add("mnk-3x3k3", "", "3.3.3")
	f.Add("halma-star121-6p", "filled+stay-out", "")
	f.Add("domino", "", "02.12_04.14_25_0")
	f.Add("halma-99999999999999999999x1p1", "base", "x")
	f.Fuzz(func(t *testing.T, id, rules, position string) {
		flags := gameFlags{rules: rules}
		g, s, err := flags.openAt(id, position)
		if err != nil {
			if cli.Code(err) != cli.ExitUsage {
				t.Fatalf("%q %q %q: %v is no usage error", id, rules, position, err)
			}
			return
		}
		again, err := g.Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%q %q %q: %s does not read back: %v", id, rules, position, s, err)
		}
	})
}
