package study2025

import (
	"strconv"
	"strings"
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

// deal reads a printed deal.
func deal(t *testing.T, text string) domino.Deal {
	t.Helper()
	d, _, err := domino.ParseDeal(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestSampleLine checks a line of the study's log: a value, and the last scores of all lines of
// play in order, with X if the line is blocked.
func TestSampleLine(t *testing.T) {
	d := deal(t, SampleDeal)
	var list []string
	domino.WalkLeaves(d.Start(), func(leaf domino.Position) { list = append(list, leaf.LeafText()) })
	if got := strings.Join(list[len(list)-8:], " "); got != SampleEnd {
		t.Errorf("last leaves %q, want %q", got, SampleEnd)
	}
	if v, want := domino.ReferenceStats(d.Start()).Value, Totals()["sample_value"]; strconv.Itoa(v) != want {
		t.Errorf("value %d, want %s", v, want)
	}
}

// TestWidestDeal counts the lines of the study's widest deal.
func TestWidestDeal(t *testing.T) {
	lines := 0
	domino.WalkLeaves(deal(t, WidestDeal).Start(), func(domino.Position) { lines++ })
	if want := Totals()["most_leaves"]; strconv.Itoa(lines) != want {
		t.Errorf("%d lines, want %s", lines, want)
	}
}

// TestLosingDeals checks the deals lost by the hand of all sixes.
func TestLosingDeals(t *testing.T) {
	for _, text := range LosingDeals() {
		d := deal(t, text)
		v := domino.ReferenceStats(d.Start()).Value
		if v >= 0 {
			t.Errorf("%v: value %d, want below 0", d, v)
		}
		if ab := domino.AlphaBeta(d.Start(), -200, 200); ab != v {
			t.Errorf("%v: minimax %d, alpha-beta %d", d, v, ab)
		}
	}
}
