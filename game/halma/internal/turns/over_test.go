package turns

import (
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/halma/internal/sets"
)

// TestOver compares conditions with the stated rules, under all choices, for random armies in
// small camps; and patterns with the conditions.
func TestOver(t *testing.T) {
	const cells = 9
	home, goal := bitboard.Set128{Lo: 0b000000111}, bitboard.Set128{Lo: 0b111000000}
	bit := []uint8{3, 1, 4, 0, 5, 9, 2, 6, 8}
	all := Bits1(bitboard.First128(cells), bit)
	random := rand.New(rand.NewPCG(1, 2))
	for choice := range 4 {
		w := Win{Filled: choice&1 != 0, HomeEmpty: choice&2 != 0}
		o := NewOver(cells, home, goal, w)
		o1 := NewOver1(o, bit)
		if !o.Full.IsEmpty() && o.Full != o.Some {
			t.Errorf("%+v: Full is neither empty nor Some", w)
		}
		wins := 0
		for range 20000 {
			own := bitboard.Set128{Lo: random.Uint64N(1 << cells)}
			others := bitboard.Set128{Lo: random.Uint64N(1<<cells) &^ own.Lo}
			if own.IsEmpty() {
				continue
			}
			inside, full := 0, true
			for c := range goal.Cells() {
				if own.Has(c) {
					inside++
				}
				full = full && (own.Has(c) || others.Has(c))
			}
			want := inside == own.Count()
			if w.Filled {
				want = full && inside > 0 && !(w.HomeEmpty && !own.And(home).IsEmpty())
			}
			own1, others1 := Bits1(own, bit), Bits1(others, bit)
			if o.Won(own, own.Or(others)) != want || o1.Won(own1, own1.Or(others1)) != want {
				t.Fatalf("%+v: own %09b, others %09b: want %v", w, own.Lo, others.Lo, want)
			}
			meets := func(p Pattern1, s sets.Set1) bool { return s.And(p.Mask) == p.Value }
			if p, ok := o1.Other(own1); want && !(ok && meets(p, others1)) {
				t.Fatalf("%+v: own %09b wins, and others %09b do not meet the pattern", w, own.Lo, others.Lo)
			}
			if want && !meets(o1.Own(own.Count(), all, others1), own1) {
				t.Fatalf("%+v: own %09b wins against %09b and does not meet the pattern", w, own.Lo, others.Lo)
			}
			if want {
				wins++
			}
			// A turn by which the army itself wins ends in Last.
			for from := range own.Cells() {
				before := own.Without(from)
				for to := range bitboard.First128(cells).AndNot(own).AndNot(others).Cells() {
					after := before.With(to)
					if !want && o.Won(after, after.Or(others)) && !o.Last.Has(to) {
						t.Fatalf("%+v: the turn from %d to %d wins outside Last", w, from, to)
					}
				}
			}
		}
		if wins < 100 {
			t.Errorf("%+v: %d wins", w, wins)
		}
	}
}
