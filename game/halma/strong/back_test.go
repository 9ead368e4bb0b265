package strong

import (
	"slices"
	"testing"

	"perfectplay/game/halma/internal/turns"
)

// TestMeeting compares the columns found for patterns with the armies that match one by one.
func TestMeeting(t *testing.T) {
	met := 0
	for _, spec := range smallBoards() {
		l, err := newLayout(spec, false)
		if err != nil {
			t.Fatal(err)
		}
		r := l.kernel.newHand().(*hand1)
		b := r.b
		for row, army := range r.mover {
			for i, list := range [][]turns.Pattern1{b.overIfOther(nil, army), b.overIfMover(nil, army), {{}}, {{Mask: b.Open, Value: r.mover[0]}}, nil} {
				r.over, r.army, r.ground = list, army, r.groundOf(army)
				r.meeting()
				for c := range 64 * l.words {
					want := c < l.cols && slices.ContainsFunc(list, func(p turns.Pattern1) bool {
						other := r.set[c].Deposit(r.ground)
						return other.And(p.Mask) == p.Value && !other.Meets(army)
					})
					if got := r.ending[c>>6]>>(c&63)&1 != 0; got != want {
						t.Fatalf("%s under %s, row %d, list %d, column %d: %v, want %v", spec.ID, spec.Rules, row, i, c, got, want)
					}
					if want {
						met++
					}
				}
			}
		}
	}
	if met < 1000 {
		t.Errorf("%d columns meet a pattern", met)
	}
}
