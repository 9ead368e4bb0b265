package strong

import (
	"math/bits"
	"strings"
	"testing"

	"perfectplay/game/halma/internal/sets"
)

// TestRisky compares with every turn of every position of a crowded board:
// where no turn is said to be mayReachIllegal none may lead to an illegal position.
func TestRisky(t *testing.T) {
	l, err := newLayout(blockaded(ruled(diamond(4, 6), "fi")))
	if err != nil {
		t.Fatal(err)
	}
	k := l.kernel.(*kernel1)
	b := k.b
	sure, mayReachIllegal, bad := 0, 0, 0
	for row := 0; row < l.rows; row += 7 {
		for col := range l.cols {
			// The row's army waits, the other one moves.
			other, mover := k.armies(row, col)
			said := b.mayReachIllegal(mover, other)
			is := false
			for x := mover; !x.IsEmpty(); x = x.DropMin() {
				partial := mover.AndNot(x.First())
				for to := b.ends(partial.Or(other), x.First()); !to.IsEmpty(); to = to.DropMin() {
					is = is || b.illegal(other, partial.Or(to.First()))
				}
			}
			switch {
			case is && !said:
				t.Fatalf("mover %x other %x: a turn leads to an illegal position", mover, other)
			case said:
				mayReachIllegal++
			default:
				sure++
			}
			if is {
				bad++
			}
		}
	}
	if sure == 0 || bad == 0 {
		t.Errorf("%d positions sure, %d mayReachIllegal, %d with illegal turns: nothing is gained or tried", sure, mayReachIllegal, bad)
	}
}

// TestTurn checks half turns and mirrors of sets against the lists of cells.
func TestTurn(t *testing.T) {
	l, err := newLayout(star(2, true))
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
	if bits.OnesCount64(b.cells.A) != 37 || bits.OnesCount64(b.open.A) != 25 {
		t.Errorf("%d cells, %d where pieces may stand", bits.OnesCount64(b.cells.A), bits.OnesCount64(b.open.A))
	}
}

// TestOverlappingCamps: a piece in both camps could not be told to stay in the
// one and out of the other.
func TestOverlappingCamps(t *testing.T) {
	if _, err := newLayout(diamond(3, 4)); err == nil || !strings.Contains(err.Error(), "both camps") {
		t.Errorf("error %v, want one about a cell in both camps", err)
	}
}
