package turns

import (
	"testing"

	"perfectplay/bitboard"
)

// TestNew compares the sets with the stated rules, cell by cell, under all choices.
func TestNew(t *testing.T) {
	const cells = 9
	home, goal, closed := bitboard.Set128{Lo: 0b000000011}, bitboard.Set128{Lo: 0b110000000}, bitboard.Set128{Lo: 0b000110000}
	for choice := range 64 {
		set := func(i int) bool { return choice>>i&1 != 0 }
		r := Limits{StayInGoal: set(0), StayOut: set(1), GoalTransit: set(2), HomeTransit: set(3), ClosedTransit: set(4)}
		shut := bitboard.Set128{}
		if set(5) {
			shut = closed
		}
		got := New(cells, home, goal, shut, r)
		restricted, strict, together := false, false, true
		for from := range cells {
			for to := range cells {
				leaves := r.StayInGoal && goal.Has(from) && !goal.Has(to)
				enters := r.StayOut && !home.Has(from) && home.Has(to)
				end := !leaves && !enters && !shut.Has(to)
				hop := !(leaves && !r.GoalTransit) && !(enters && !r.HomeTransit) && !(shut.Has(to) && !r.ClosedTransit)
				if got.End[from].Has(to) != end || got.Hop[from].Has(to) != hop {
					t.Fatalf("%+v: from %d to %d: end %v, hop %v", r, from, to, end, hop)
				}
				restricted, strict = restricted || !end, strict || !hop
			}
		}
		if r.StayInGoal && r.GoalTransit || r.StayOut && r.HomeTransit {
			together = false
		}
		if got.Unrestricted == restricted || got.Free == strict || got.Together != together {
			t.Errorf("%+v, closed %v: unrestricted %v, free %v, together %v", r, set(5), got.Unrestricted, got.Free, got.Together)
		}
		for _, c := range got.Classes() {
			for from := range c.From.Cells() {
				if got.End[from] != c.End {
					t.Errorf("%+v: cell %d is in a class of another rule", r, from)
				}
			}
		}
		if dual := r.Dual().Dual(); dual != r {
			t.Errorf("%+v: the dual of the dual is %+v", r, dual)
		}
	}
}
