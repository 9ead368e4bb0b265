package strong

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
)

// TestBack compares the places before all columns of rows with those of positions, one
// by one, and tables by halves with sums piece by piece.
func TestBack(t *testing.T) {
	halved := 0
	for _, board := range []struct{ n, pieces int }{{3, 1}, {3, 3}, {4, 2}, {4, 3}, {4, 4}, {4, 5}, {4, 6}, {4, 7}, {5, 4}, {5, 5}, {5, 6}, {5, 7}, {5, 10}, {6, 3}} {
		spec := halmatest.Diamond(board.n, board.pieces)
		t.Run(fmt.Sprintf("game=%s", spec.ID), func(t *testing.T) { halved += compareBack(t, spec) })
	}
	if halved < 1000 {
		t.Errorf("%d places by halves", halved)
	}
}

func compareBack(t *testing.T, spec *halma.TwoArmy) (halved int) {
	l, err := newLayout(spec)
	if err != nil {
		t.Fatal(err)
	}
	k := l.kernel.(*kernel1)
	b, back := k.b, newBack1(k)
	rng := rand.New(rand.NewPCG(1, uint64(spec.Cells)))
	for range min(l.rows, 60) {
		row := rng.IntN(l.rows)
		army := k.mover[row]
		for n := 1; n <= manyBefore1; n += manyBefore1 - 1 {
			back.prepare(army, n)
			if back.halved {
				halved += l.cols
			}
			for range min(l.cols, 400) {
				c := rng.IntN(l.cols)
				got := back.before([]uint32{uint32(c)}, nil)[0]
				_, set := k.armies(row, c)
				mover := b.turn(set)
				wantRow, wantCol := k.place(mover, b.turn(army))
				if int(got.row) != wantRow || int(got.col) != wantCol {
					t.Fatalf("row %d, column %d, %d asked for: %d, %d, want %d, %d", row, c, n, got.row, got.col, wantRow, wantCol)
				}
				other := wantCol
				if l.symmetric[wantRow] {
					other = k.numberOf(wantRow, b.flip(b.turn(army)))
					if l.rowOf[k.rankOf(mover)]&1 != 0 {
						other = k.numberOf(wantRow, b.turn(army))
					}
				}
				if int(got.image) != other {
					t.Fatalf("row %d, column %d, %d asked for: image %d, want %d", row, c, n, got.image, other)
				}
			}
		}
	}
	return halved
}

// TestMeeting compares columns that meet patterns with armies that do, one by one.
func TestMeeting(t *testing.T) {
	met := 0
	for _, spec := range smallBoards() {
		l, err := newLayout(spec)
		if err != nil {
			t.Fatal(err)
		}
		r := l.kernel.newHand().(*hand1)
		b := r.b
		columns := make([]uint64, l.words)
		for row, army := range r.mover {
			for i, list := range [][]pattern1{b.overIfOther(nil, army), b.overIfMover(nil, army), {{}}, {{mask: b.open, value: r.mover[0]}}, nil} {
				free := b.open.AndNot(army)
				r.meeting(columns, list, free)
				for c := range 64 * l.words {
					want := c < l.cols && meets1(list, r.set[min(c, l.cols-1)].Deposit(free))
					if got := columns[c>>6]>>(c&63)&1 != 0; got != want {
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
