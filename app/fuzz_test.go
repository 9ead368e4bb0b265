package app

import (
	"testing"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
)

// FuzzGame: every game id, rules and position give a state or a usage error.
func FuzzGame(f *testing.F) {
	f.Add("halma-star37-2p", "house", "2.22._______.______._____.______._______.11.1-1")
	f.Add("halma-5x5p3", "sturtevant", "start")
	f.Add("mnk-3x3k3", "", "3.3.3")
	f.Add("halma-star121-6p", "filled+stay-out", "")
	f.Add("domino", "", "02.12_04.14_25_0")
	f.Add("halma-99999999999999999999x1p1", "base", "x")
	app := newApp(ours...)
	f.Fuzz(func(t *testing.T, id, rules, position string) {
		g, s, err := app.OpenAt(id, rules, family.At{Position: position})
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
