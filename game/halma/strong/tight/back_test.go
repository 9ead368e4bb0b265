package tight

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
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
	b, err := newBoard(spec)
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLayout(b)
	if err != nil {
		t.Fatal(err)
	}
	r := newRow(l)
	rng := rand.New(rand.NewPCG(1, uint64(spec.Cells)))
	for range min(l.rows, 60) {
		row := rng.IntN(l.rows)
		army := l.army[row]
		free := b.open &^ army
		for n := 1; n <= manyBefore; n += manyBefore - 1 {
			r.back.prepare(army, n)
			if r.back.halved {
				halved += l.cols
			}
			for range min(l.cols, 400) {
				c := rng.IntN(l.cols)
				to, col, image := r.back.before(uint32(c))
				mover := b.turn(bitboard.Deposit64(l.set[c], free))
				wantRow, wantCol := l.place(mover, b.turn(army))
				if to != wantRow || int(col) != wantCol {
					t.Fatalf("row %d, column %d, %d asked for: %d, %d, want %d, %d", row, c, n, to, col, wantRow, wantCol)
				}
				other := wantCol
				if l.symmetric[wantRow] {
					other = l.columnOf(wantRow, b.flip(b.turn(army)))
					if l.rowOf[l.rankOf(mover)]&1 != 0 {
						other = l.columnOf(wantRow, b.turn(army))
					}
				}
				if int(image) != other {
					t.Fatalf("row %d, column %d, %d asked for: image %d, want %d", row, c, n, image, other)
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
		b, err := newBoard(spec)
		if err != nil {
			t.Fatal(err)
		}
		l, err := newLayout(b)
		if err != nil {
			t.Fatal(err)
		}
		columns := make([]uint64, l.words)
		for row, army := range l.army {
			for i, list := range [][]pattern{b.overIfOther(nil, army), b.overIfMover(nil, army), {anything}, {{mask: b.open, value: l.army[0]}}, nil} {
				free := b.open &^ army
				l.meeting(columns, list, free)
				for c := range 64 * l.words {
					want := c < l.cols && meets(list, bitboard.Deposit64(l.set[min(c, l.cols-1)], free))
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
