package strong

import (
	"math/bits"
	"strings"
	"testing"

	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
)

// TestMobile compares the quick tests for a legal turn with all turns, in crowded positions that
// are not over. Some turns are illegal, and some armies have illegal turns only.
func TestMobile(t *testing.T) {
	sure, illegal, stuck := 0, 0, 0
	for _, spec := range []*halma.TwoArmy{
		blockaded(ruled(diamond(4, 6), "fi")), ruled(diamond(4, 6), "i"), ruled(diamond(3, 3), "fi"),
		ruled(diamond(3, 3), "i"), ruled(diamond(4, 6), "figo"), ruled(diamond(4, 6), "ob"),
	} {
		l, err := newLayout(spec, false)
		if err != nil {
			t.Fatal(err)
		}
		r := l.kernel.newHand().(*hand1)
		b := r.b
		for row := 0; row < l.rows; row += 7 {
			// The army of the row waits, the other army moves.
			clear(r.spare)
			r.overBefore(row, r.spare)
			r.findUnsure()
			for col := range l.cols {
				if r.spare[col>>6]>>(col&63)&1 != 0 {
					continue
				}
				mover, legal := r.set[col].Deposit(r.ground), false
				for x := mover; !x.IsEmpty(); x = x.DropMin() {
					partial := mover.AndNot(x.First())
					for to := b.Ends(partial.Or(r.army), x.First()); !to.IsEmpty(); to = to.DropMin() {
						if b.illegal(r.army, partial.Or(to.First())) {
							illegal++
						} else {
							legal = true
						}
					}
				}
				known := r.unsure[col>>6]>>(col&63)&1 == 0
				if known && !legal || b.mobile(mover, r.army) != legal {
					t.Fatalf("%s under %s: mover %x other %x: legal turns: %v, sure: %v, mobile: %v",
						spec.ID, spec.Rules, mover, r.army, legal, known, b.mobile(mover, r.army))
				}
				if known {
					sure++
				}
				if !legal {
					stuck++
				}
			}
		}
	}
	if sure == 0 || illegal == 0 || stuck == 0 {
		t.Errorf("%d armies sure to have a turn, %d illegal turns, %d armies without a legal one", sure, illegal, stuck)
	}
}

// TestTurn checks half turns and mirrors of sets against the lists of cells.
func TestTurn(t *testing.T) {
	l, err := newLayout(star(2, true), false)
	if err != nil {
		t.Fatal(err)
	}
	b := l.kernel.(*kernel1).b
	for c := range b.spec.Cells {
		s := sets.Only1(b.bit[c])
		if got := b.turn(s); got != sets.Only1(b.bit[b.spec.Turn[c]]) || b.turn(got) != s {
			t.Errorf("cell %d turned is %x", c, got)
		}
		if got := b.flip(s); got != sets.Only1(b.bit[b.spec.Mirror[c]]) || b.flip(got) != s {
			t.Errorf("cell %d mirrored is %x", c, got)
		}
	}
	if bits.OnesCount64(b.Cells.A) != 37 || bits.OnesCount64(b.Open.A) != 25 {
		t.Errorf("%d cells, %d where pieces may stand", bits.OnesCount64(b.Cells.A), bits.OnesCount64(b.Open.A))
	}
}

// TestOverlappingCamps: no shift can keep a piece that stands in both camps inside one and
// out of the other.
func TestOverlappingCamps(t *testing.T) {
	if _, err := newLayout(diamond(3, 4), false); err == nil || !strings.Contains(err.Error(), "both camps") {
		t.Errorf("error %v, want one about a cell in both camps", err)
	}
}
