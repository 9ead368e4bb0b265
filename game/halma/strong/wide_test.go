package strong

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
	"perfectplay/game/halma/numbering"
	"perfectplay/rank"
	"perfectplay/solve/frame"
)

// layouts returns the layouts of a game in the fewest words, and in more if it has few armies.
func layouts(t testing.TB, spec *halma.TwoArmy) (list []*layout) {
	t.Helper()
	e, words, err := embed(spec)
	if err != nil {
		t.Fatal(err)
	}
	for ; words <= sets.Words3; words++ {
		l, err := newLayoutIn(spec, &e, words, isSquare(words, spec.Cells-len(spec.Closed), spec.Pieces, false))
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, l); l.rows > 120_000 {
			break
		}
	}
	return list
}

// TestColumns compares the columns found from a table's numbers with the columns of the positions.
func TestColumns(t *testing.T) {
	for _, spec := range []*halma.TwoArmy{diamond(4, 3), diamond(9, 1), star(1, false)} {
		_, n, err := numbering.TwoInfo(spec, false, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range layouts(t, spec) {
			to, compared := rowReader{l: l}, uint64(0)
			n.Runs(0, n.Numbers, func(mover, free, x bitboard.Set128, run int) {
				row := to.face(mover, free)
				for columns := []uint32(nil); run > 0; run -= len(columns) {
					other := x
					columns, x = to.columns(x, min(run, 5))
					for _, col := range columns {
						if wantRow, want := l.kernel.place(mover, bitboard.Deposit128(other, free)); row != wantRow || int(col) != want {
							t.Fatalf("%s: row %d, column %d, want %d, %d", spec.ID, row, col, wantRow, want)
						}
						other = rank.Next128(other)
						compared++
					}
				}
			})
			if compared != n.Numbers {
				t.Errorf("%s: %d positions of %d", spec.ID, compared, n.Numbers)
			}
		}
	}
}

// values returns the planes of wins and losses, row by row.
func (r *Solution) values() (values []uint64) {
	rows := r.rowReader(r.l.kernel.newHand())
	for i := range r.l.rows {
		_ = rows.seek(i)
		for j, win := range rows.win {
			values = append(values, win, rows.lost[j]&^win)
		}
	}
	return values
}

// TestBackWords compares the places one turn before all columns of a row with the places of the
// turned positions.
func TestBackWords(t *testing.T) {
	images := 0
	random := rand.New(rand.NewPCG(1, 2))
	specs := []*halma.TwoArmy{star(1, false)}
	for _, board := range [][2]int{{4, 2}, {3, 3}, {4, 3}, {4, 4}, {4, 5}, {4, 6}, {4, 7}, {5, 4}, {5, 5}, {5, 6}, {5, 7}, {5, 10}, {6, 3}} {
		specs = append(specs, diamond(board[0], board[1]))
	}
	for _, spec := range specs {
		moved := func(s bitboard.Set128, to []uint8) (moved bitboard.Set128) {
			for c := range s.Cells() {
				moved = moved.With(int(to[c]))
			}
			return moved
		}
		for _, l := range layouts(t, spec) {
			h := l.kernel.newHand()
			nothing := make([]uint64, l.words)
			for range min(l.rows, 60) {
				row := random.IntN(l.rows)
				h.expand(row, nothing, nothing)
				for range min(l.cols, 400) {
					col := random.IntN(l.cols)
					other, mover := l.kernel.cells(row, col)
					if mover.Meets(other) {
						continue
					}
					mover, other = moved(mover, spec.Turn), moved(other, spec.Turn)
					wantRow, wantCol := l.kernel.place(mover, other)
					got := h.before([]uint32{uint32(col)}, nil)[0]
					if int(got.row) != wantRow || int(got.col) != wantCol {
						t.Fatalf("%s: before row %d, column %d: %v, want %d, %d", spec.ID, row, col, got, wantRow, wantCol)
					}
					if spec.Mirror == nil || wantRow < l.pairs {
						wantRow, wantCol = int(got.row), int(got.col)
					} else {
						wantRow, wantCol = l.kernel.place(moved(mover, spec.Mirror), moved(other, spec.Mirror))
						images++
					}
					if int(got.row) != wantRow || int(got.image) != wantCol {
						t.Fatalf("%s: before row %d, column %d: image %v, want %d, %d", spec.ID, row, col, got, wantRow, wantCol)
					}
				}
			}
		}
	}
	if images < 1000 {
		t.Errorf("%d places of symmetric rows", images)
	}
}

// fewer shortens the camps to the given number of pieces.
func fewer(t *halma.TwoArmy, pieces int) *halma.TwoArmy {
	t.Pieces, t.Home, t.Goal = pieces, t.Home[:pieces], t.Goal[:pieces]
	if pieces == 2 {
		t.Mirror = nil
	}
	return t
}

// TestWords solves boards of one word in two and three, too: counts, reachable positions and table
// files are the same.
func TestWords(t *testing.T) {
	specs := []*halma.TwoArmy{
		ruled(diamond(3, 3), "i"), ruled(diamond(4, 3), "fi"), blockaded(ruled(diamond(4, 6), "fi")),
		ruled(star(1, false), ""), ruled(diamond(4, 2), "fgo"),
	}
	if testing.Short() {
		specs = slices.Delete(specs, 2, 3) // two solves of a board of seconds for each width
	}
	if *long {
		specs = append(specs, ruled(star(2, true), "fgoC"), ruled(star(2, true), "foGH"))
	}
	ctx := context.Background()
	for _, spec := range specs {
		t.Run(name(spec), func(t *testing.T) {
			t.Parallel()
			for _, distances := range []bool{false, true} {
				if !distances && spec.Pieces > 5 && !*long {
					continue // a solve for distances has the planes of values, too
				}
				o := Options{Distances: distances, Threads: 2}
				var first *Solution
				var reached frame.Count
				var file []byte
				for i, l := range layouts(t, spec) {
					s, err := solveLayout(ctx, l, o, nil)
					if err != nil {
						t.Fatal(err)
					}
					r, err := s.Reachable(ctx)
					if err != nil {
						t.Fatal(err)
					}
					table := filepath.Join(t.TempDir(), "table")
					if _, err := Save(ctx, table, spec, s, "test", 1, nil); err != nil {
						t.Fatal(err)
					}
					text, err := os.ReadFile(table)
					if err != nil {
						t.Fatal(err)
					}
					if i == 0 {
						first, reached, file = s, r, text
						continue
					}
					if s.Counts() != first.Counts() || !reflect.DeepEqual(r, reached) || !bytes.Equal(text, file) {
						t.Errorf("%d words, distances %v: counts %+v, reachable %+v, want %+v, %+v", i+1, distances, s.Counts(), r, first.Counts(), reached)
					}
				}
			}
		})
	}
}

// TestWideBoards compares boards of two words and three with the reference.
func TestWideBoards(t *testing.T) {
	specs := []*halma.TwoArmy{ruled(diamond(8, 1), "fg"), ruled(fewer(star(3, true), 1), "fgo")}
	if !testing.Short() {
		specs = append(specs,
			ruled(diamond(9, 1), "fi"), ruled(diamond(10, 1), "fi"), ruled(diamond(11, 1), ""), ruled(fewer(star(4, true), 1), "fgoC"))
	}
	for _, spec := range specs {
		t.Run(name(spec), func(t *testing.T) {
			t.Parallel()
			comparePlain(t, spec)
		})
	}
}
