package strong

import (
	"context"
	"testing"

	"perfectplay/game/halma"
)

// TestSquare compares solves of values in a square layout with solves for distances in the other
// layout. On larger boards it compares some rows only.
func TestSquare(t *testing.T) {
	list := []*halma.TwoArmy{blockaded(ruled(diamond(4, 6), "fi"))}
	for _, rules := range []string{"", "fi", "fgoGHC"} {
		list = append(list, ruled(diamond(3, 3), rules), ruled(diamond(4, 3), rules), ruled(diamond(5, 3), rules), ruled(diamond(4, 4), rules))
	}
	for _, spec := range list {
		want, err := Solve(context.Background(), spec, Options{Distances: true})
		if err != nil {
			t.Fatal(err)
		}
		e, words, err := embed(spec)
		if err != nil {
			t.Fatal(err)
		}
		for threads := 1; threads <= 4; threads += 3 {
			l, err := newLayoutIn(spec, &e, words, true)
			if err != nil {
				t.Fatal(err)
			}
			got, err := solveLayout(context.Background(), l, Options{Threads: threads}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Counts() != want.Counts() {
				t.Errorf("%s on %d threads: %+v, want %+v", name(spec), threads, got.Counts(), want.Counts())
			}
			for row := 0; row < l.rows; row += 1 + l.rows/500 {
				for col := range l.cols {
					mover, other := l.kernel.cells(row, col)
					if mover.Meets(other) {
						continue
					}
					v, _ := got.Value(mover, other)
					if w, _ := want.Value(mover, other); v != w {
						t.Fatalf("%s on %d threads: mover %v other %v: %v, want %v", name(spec), threads, mover, other, v, w)
					}
				}
			}
		}
	}
}

// TestBlock compares the known positions of a block with the table, with and without mirror images.
func TestBlock(t *testing.T) {
	known := 0
	for _, spec := range append(smallBoards()[:7], diamond(5, 2), diamond(9, 1)) {
		l, err := newLayout(spec, true)
		if err != nil {
			t.Fatal(err)
		}
		if !l.square {
			continue
		}
		s := newSolver(l, Options{Threads: 1})
		s.makePlanes()
		if err := s.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		b := newBlock(l)
		for row := range l.rows {
			before := s.knownBefore(b, row)
			for col := range l.cols {
				mover, other := l.kernel.cells(row, col)
				if mover.Meets(other) {
					continue
				}
				r, c := l.kernel.back(row, col)
				x := *s.table.word(r, c) >> (c & 31)
				want, got := (x|x>>32)&1, before[col>>6]>>(col&63)&1
				if want != got {
					t.Fatalf("%s: row %d, column %d: known %d, want %d", name(spec), row, col, got, want)
				}
				known += int(got)
			}
		}
	}
	if known < 1000 {
		t.Errorf("%d places are known", known)
	}
}
