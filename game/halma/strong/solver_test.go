package strong

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/internal/sets"
)

// smallBoards are games small enough for the reference: all win rules and restrictions, camps with
// and without mirror, crowded boards where players must pass.
func smallBoards() []*halma.TwoArmy {
	var list []*halma.TwoArmy
	for _, rules := range []string{"", "f", "fe", "fei", "fi", "fb", "fib", "ib", "fg", "fgG", "fo", "foH", "fgo", "fgoG", "fgoH", "fgoC", "fgoGHC", "go", "C", "i"} {
		list = append(list,
			ruled(diamond(2, 1), rules),
			ruled(diamond(3, 1), rules),
			ruled(diamond(3, 2), rules),
			ruled(diamond(3, 3), rules),
			ruled(diamond(4, 2), rules),
			ruled(star(1, false), rules),
			ruled(star(1, true), rules),
		)
	}
	noMirror := diamond(3, 2)
	noMirror.Mirror = nil
	return append(list, noMirror)
}

func name(t *halma.TwoArmy) string {
	return fmt.Sprintf("game=%s,rules=%s,closed=%v", t.ID, t.Rules, len(t.Closed) > 0)
}

func TestSolveAgainstPlain(t *testing.T) {
	for i, spec := range smallBoards() {
		if spec.Cells > 13 && i%3 > 0 && testing.Short() {
			continue // the largest board under every third rule set only
		}
		t.Run(name(spec), func(t *testing.T) { comparePlain(t, spec) })
	}
}

func comparePlain(t *testing.T, spec *halma.TwoArmy) {
	t.Helper()
	want, err := solvePlain(spec, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	options := []Options{{Threads: 1}, {Threads: 3}, {Distances: true, Threads: 1}, {Distances: true, Threads: 2}}
	for _, distances := range []bool{false, true} {
		plan, err := newPlan(spec, Options{Threads: 3, Distances: distances})
		if err != nil {
			t.Fatal(err)
		}
		options = append(options, Options{Distances: distances, Threads: 1, Memory: plan.Least})
	}
	for _, o := range options {
		got, err := Solve(context.Background(), spec, o)
		if err != nil {
			t.Fatal(err)
		}
		if got.Counts() != want.counts() {
			t.Errorf("%+v: counts %+v, want %+v", o, got.Counts(), want.counts())
		}
		bad := 0
		for k := range want.state {
			var mover, other bitboard.Set128
			for c := range k {
				switch k[c] {
				case 'm':
					mover = mover.With(c)
				case 'o':
					other = other.With(c)
				}
			}
			v, d := want.value(k)
			gv, gd := got.Value(mover, other)
			if gv != v || o.Distances && gd != d {
				if bad++; bad < 4 {
					t.Errorf("%+v: mover %x other %x: %v in %d, want %v in %d", o, mover, other, gv, gd, v, d)
				}
			}
		}
		if o.Distances && len(spec.Home) == spec.Pieces {
			reached, err := got.Reachable(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if want := want.reachable(); !reflect.DeepEqual(reached, want) {
				t.Errorf("%+v: reachable %+v, want %+v", o, reached, want)
			}
		}
		if bad > 0 {
			t.Fatalf("%+v: %d positions differ", o, bad)
		}
	}
}

// TestLayout checks that each position has one place.
func TestLayout(t *testing.T) {
	for _, spec := range smallBoards()[:14] {
		l, err := newLayout(spec, false)
		if err != nil {
			t.Fatal(err)
		}
		k := l.kernel.(*kernel1)
		var weight uint64
		for row := range l.rows {
			for col := range l.cols {
				mover, other := k.armies(row, col)
				if l.square && mover.Meets(other) {
					continue
				}
				weight += l.weight(row)
				for range 2 {
					if r, c := k.placeOf(mover, other); r != row || c != col && row < l.pairs || mover.Meets(other) {
						t.Fatalf("%s: place (%d,%d) is position %x %x, which is at (%d,%d)", spec.ID, row, col, mover, other, r, c)
					}
					mover, other = k.b.flip(mover), k.b.flip(other)
				}
				if r, c := k.back(k.back(row, col)); r != row || c != col && row < l.pairs {
					t.Fatalf("%s: forth and back place (%d,%d) leads to (%d,%d)", spec.ID, row, col, r, c)
				}
			}
		}
		if weight != l.positions() {
			t.Errorf("%s: places stand for %d positions, want %d", spec.ID, weight, l.positions())
		}
	}
}

// mover is a kernel's move generator, in cells.
type mover struct {
	before, after func(still, cells bitboard.Set128) bitboard.Set128
	beside        func(cells bitboard.Set128) bitboard.Set128
	mobile        func(mover, other bitboard.Set128) bool
}

func moverOf(k kernel) mover {
	switch k := k.(type) {
	case *kernel1:
		to, from := cellSets(k.b.bit, sets.Only1)
		return mover{
			before: func(still, cells bitboard.Set128) bitboard.Set128 {
				var e sets.Edges1
				k.b.Edges(&e, to(still))
				return from(k.b.Reach(&e, to(cells)))
			},
			beside: func(cells bitboard.Set128) bitboard.Set128 { return from(to(cells).BesideRuled(&k.b.A, &k.b.Back)) },
			after: func(still, cells bitboard.Set128) bitboard.Set128 {
				return from(k.b.Ends(to(still), to(cells)))
			},
			mobile: func(mover, other bitboard.Set128) bool { return k.b.mobile(to(mover), to(other)) },
		}
	case *kernel2:
		to, from := cellSets(k.b.bit, sets.Only2)
		return mover{
			before: func(still, cells bitboard.Set128) bitboard.Set128 {
				var e sets.Edges2
				k.b.Edges(&e, to(still))
				return from(k.b.Reach(&e, to(cells)))
			},
			beside: func(cells bitboard.Set128) bitboard.Set128 { return from(to(cells).BesideRuled(&k.b.A, &k.b.Back)) },
			after: func(still, cells bitboard.Set128) bitboard.Set128 {
				return from(k.b.Ends(to(still), to(cells)))
			},
			mobile: func(mover, other bitboard.Set128) bool { return k.b.mobile(to(mover), to(other)) },
		}
	case *kernel3:
		to, from := cellSets(k.b.bit, sets.Only3)
		return mover{
			before: func(still, cells bitboard.Set128) bitboard.Set128 {
				var e sets.Edges3
				k.b.Edges(&e, to(still))
				return from(k.b.Reach(&e, to(cells)))
			},
			beside: func(cells bitboard.Set128) bitboard.Set128 { return from(to(cells).BesideRuled(&k.b.A, &k.b.Back)) },
			after: func(still, cells bitboard.Set128) bitboard.Set128 {
				return from(k.b.Ends(to(still), to(cells)))
			},
			mobile: func(mover, other bitboard.Set128) bool { return k.b.mobile(to(mover), to(other)) },
		}
	}
	panic("a kernel of another width")
}

// cellSets converts between sets of cells and of bits.
func cellSets[S interface {
	Or(S) S
	Meets(S) bool
}](bit []uint8, only func(uint8) S) (to func(bitboard.Set128) S, from func(S) bitboard.Set128) {
	to = func(cells bitboard.Set128) (s S) {
		for c := range cells.Cells() {
			s = s.Or(only(bit[c]))
		}
		return s
	}
	from = func(s S) (cells bitboard.Set128) {
		for c := range bit {
			if s.Meets(only(bit[c])) {
				cells = cells.With(c)
			}
		}
		return cells
	}
	return to, from
}

// TestReach compares the kernels' sets with hops followed cell by cell, in the fewest words and in
// more words: the cells before a turn, the cells after a turn, and whether there is a turn. Under
// every set of rules some chains must lead from camp to camp, and some chains only back to their
// camp.
func TestReach(t *testing.T) {
	type question struct {
		spec   *halma.TwoArmy
		camps  bool // large enough for chains of two hops
		rounds int
	}
	var list []question
	for i, letters := range halmatest.Restrictions {
		if i%3 > 0 && testing.Short() {
			continue // boards of many shapes under every third rule set only
		}
		for i, spec := range []*halma.TwoArmy{diamond(6, 6), star(3, true), star(2, true), halmatest.Askew(6, false), halmatest.Askew(6, true)} {
			spec.Pieces = 1 // only the camps matter here, not the number of pieces
			list = append(list, question{ruled(spec, letters), i < 2, map[bool]int{true: 2000, false: 500}[i < 2]})
		}
	}
	for _, spec := range []*halma.TwoArmy{
		diamond(5, 3), star(2, false), diamond(7, 4), diamond(8, 1), diamond(9, 2), diamond(11, 2), fewer(star(4, false), 1), ruled(fewer(star(4, true), 1), "fgoC"),
	} {
		list = append(list, question{spec, false, 300})
	}
	for _, q := range list {
		t.Run(name(q.spec), func(t *testing.T) {
			// Kernels see the board from the side of the player who waits.
			other := *q.spec
			other.Home, other.Goal = q.spec.Goal, q.spec.Home
			var movers []mover
			for _, l := range layouts(t, &other) {
				movers = append(movers, moverOf(l.kernel))
			}
			var ways halmatest.Ways
			stuck := 0
			random := rand.New(rand.NewPCG(1, uint64(q.spec.Cells)))
			for range q.rounds {
				still, cells := halmatest.Question(q.spec, random)
				before, after, beside := ways.Before(q.spec, still, cells), bitboard.Set128{}, bitboard.Set128{}
				for c := range cells.Cells() {
					after = after.Or(halmatest.Ends(q.spec, still, c))
				}
				// Without pieces there are no hops.
				for c := range q.spec.Cells {
					if !slices.Contains(q.spec.Closed, c) && !halmatest.Ends(q.spec, bitboard.Set128{}, c).And(cells).IsEmpty() {
						beside = beside.With(c)
					}
				}
				// The movers stand on cells, the others on still or on most of the remaining cells.
				mine := cells
				theirs := still
				if random.IntN(2) == 0 {
					theirs = bitboard.First128(q.spec.Cells).AndNot(mine).AndNot(still.And(bitboard.Set128{Lo: random.Uint64(), Hi: random.Uint64()}))
					for _, c := range q.spec.Closed {
						theirs = theirs.Without(c)
					}
				}
				mobile := false
				for c := range mine.Cells() {
					mobile = mobile || !halmatest.Ends(q.spec, mine.Or(theirs).Without(c), c).IsEmpty()
				}
				if !mobile && !mine.IsEmpty() {
					stuck++
				}
				for i, m := range movers {
					for what, pair := range map[string][2]bitboard.Set128{
						"before": {m.before(still, cells), before}, "after": {m.after(still, cells), after}, "beside": {m.beside(cells), beside},
					} {
						if got, want := pair[0], pair[1]; got != want {
							t.Fatalf("%d words, %s: still %x cells %x: %x, want %x", i+1, what, still, cells, got, want)
						}
					}
					if m.mobile(mine, theirs) != mobile {
						t.Fatalf("%d words: mover %x other %x: mobile is not %v", i+1, mine, theirs, mobile)
					}
				}
			}
			if missed := ways.Missed(q.spec); q.camps && len(missed) > 0 {
				t.Errorf("never asked, or against the rules: %v of %+v", missed, ways)
			}
			if q.camps && stuck == 0 {
				t.Error("no army was without a turn")
			}
		})
	}
}
