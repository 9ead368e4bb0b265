package study2025

import (
	"strconv"
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
		if _, err := strconv.ParseFloat(m.Value, 64); err != nil {
			t.Errorf("%+v: %v", m, err)
		}
	}
	for name, total := range Totals() {
		if n, err := strconv.ParseFloat(total, 64); err != nil || n == 0 {
			t.Errorf("total %q: %q", name, total)
		}
	}
	for _, h := range Hands() {
		if h.Tiles().Len() != domino.HandSize {
			t.Errorf("%+v", h)
		}
	}
	for _, text := range append(LosingDeals(), SampleDeal, WidestDeal) {
		if _, swapped, err := domino.ParseDeal(text); err != nil || swapped {
			t.Errorf("%s: %v, %v", text, swapped, err)
		}
	}
}
