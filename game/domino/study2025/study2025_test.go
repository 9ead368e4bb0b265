package study2025

import (
	"testing"

	"perfectplay/game/domino"
)

func TestFilesRead(t *testing.T) {
	if n := len(Hands()); n != 11 {
		t.Errorf("%d hands", n)
	}
	if n := len(Matches()); n != 9 {
		t.Errorf("%d matches", n)
	}
	for _, m := range Matches() {
		_ = m.Number()
	}
	for name, total := range Totals() {
		if total.Name != name || total.Number() == 0 {
			t.Errorf("total %q: %+v", name, total)
		}
	}
	for _, text := range append(LosingDeals(), SampleDeal, WidestDeal) {
		if _, swapped, err := domino.ParseDeal(text); err != nil || swapped {
			t.Errorf("%s: %v, %v", text, swapped, err)
		}
	}
}
