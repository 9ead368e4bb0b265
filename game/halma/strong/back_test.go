package strong

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/internal/turns"
)

// TestBack compares the places before columns with positions.
func TestBack(t *testing.T) {
	for _, board := range []struct{ n, pieces int }{{3, 3}, {4, 3}, {4, 4}, {4, 5}, {4, 6}, {4, 7}, {5, 4}, {5, 5}, {5, 6}, {5, 7}, {5, 10}, {6, 3}} {
		if board.pieces == 10 && testing.Short() {
			continue // it takes as long as all others
		}
		spec := halmatest.Diamond(board.n, board.pieces)
		t.Run(fmt.Sprintf("game=%s", spec.ID), func(t *testing.T) {
			compareBack(t, spec)
		})
	}
}

func compareBack(t *testing.T, spec *halma.TwoArmy) {
	l, err := newLayout(spec, false)
	if err != nil {
		t.Fatal(err)
	}
	k := l.kernel.(*kernel1)
	b, back := k.b, newBack(k)
	rng := rand.New(rand.NewPCG(1, uint64(spec.Cells)))
	for range min(l.rows, 60) {
		row := rng.IntN(l.rows)
		army := k.mover[row]
		back.prepare(row)
		for range min(l.cols, 400) {
			c := rng.IntN(l.cols)
			got := back.before([]uint32{uint32(c)}, nil)[0]
			_, set := k.armies(row, c)
			mover := b.turn(set)
			wantRow, wantCol := k.placeOf(mover, b.turn(army))
			if int(got.row) != wantRow || int(got.col) != wantCol {
				t.Fatalf("row %d, column %d: %d, %d, want %d, %d", row, c, got.row, got.col, wantRow, wantCol)
			}
			other := wantCol
			if wantRow >= l.pairs {
				other = k.numberOf(wantRow, b.flip(b.turn(army)))
				if l.rowOf[k.rankOf(mover)]&1 != 0 {
					other = k.numberOf(wantRow, b.turn(army))
				}
			}
			if int(got.image) != other {
				t.Fatalf("row %d, column %d: image %d, want %d", row, c, got.image, other)
			}
		}
	}
}

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
