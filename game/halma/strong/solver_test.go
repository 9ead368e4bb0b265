package strong

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
)

// smallBoards are games small enough for the reference: the win rules, every
// restriction alone and together, camps with and without mirror, crowded boards
// on which players must pass.
func smallBoards() []*halma.TwoArmy {
	var list []*halma.TwoArmy
	for _, rules := range []string{"", "f", "fi", "fg", "fgG", "fo", "foH", "fgo", "fgoG", "fgoH", "fgoC", "fgoGHC", "go", "C", "i"} {
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
	return list
}

func name(t *halma.TwoArmy) string {
	return fmt.Sprintf("game=%s,rules=%s,closed=%v", t.ID, t.Rules, len(t.Closed) > 0)
}

func TestSolveAgainstPlain(t *testing.T) {
	for _, spec := range smallBoards() {
		t.Run(name(spec), func(t *testing.T) { comparePlain(t, spec) })
	}
}

func comparePlain(t *testing.T, spec *halma.TwoArmy) {
	t.Helper()
	want, err := solvePlain(spec, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{Threads: 1}, {Threads: 3}, {Distances: true, Threads: 1}, {Distances: true, Threads: 2}} {
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
			if want := want.reachable(); reached != want {
				t.Errorf("%+v: reachable %+v, want %+v", o, reached, want)
			}
		}
		if bad > 0 {
			t.Fatalf("%+v: %d positions differ", o, bad)
		}
	}
}

// TestLayout checks that places and positions match, and that each position has
// one place.
func TestLayout(t *testing.T) {
	for _, spec := range smallBoards()[:14] {
		l, err := newLayout(spec)
		if err != nil {
			t.Fatal(err)
		}
		k := l.kernel.(*kernel1)
		var weight uint64
		for row := range l.reps {
			for col := range l.cols {
				mover, other, ok := k.at(row, col)
				if !ok {
					continue
				}
				weight += l.weight(row, col)
				for range 2 {
					if r, c := k.place(mover, other); r != row || c != col {
						t.Fatalf("%s: place (%d,%d) is position %x %x, which is at (%d,%d)", spec.ID, row, col, mover, other, r, c)
					}
					mover, other = k.b.flip(mover), k.b.flip(other)
				}
			}
		}
		n := l.subsets.N()
		want := l.subsets.Size()
		for i := range l.k {
			want = want * uint64(n-l.k-i) / uint64(i+1)
		}
		if weight != want {
			t.Errorf("%s: places stand for %d positions, want %d", spec.ID, weight, want)
		}
	}
}

// at returns the position of a row and column, from its mover's side. ok is
// false where the armies overlap, the column is a gap, or the place is not the
// one that stands for its position.
func (k *kernel1) at(row, col int) (mover, other sets.Set1, ok bool) {
	mover, other = k.army[row], k.turned[col]
	return mover, other, !mover.Meets(other) && (row < k.pairs || col < k.gap)
}

// reacher tells what reachRuled says of cells.
func reacher(k kernel) func(still, goals bitboard.Set128) bitboard.Set128 {
	switch k := k.(type) {
	case *kernel1:
		to, from := cellSets(k.b.bit, sets.Only1)
		return func(still, goals bitboard.Set128) bitboard.Set128 {
			e := k.b.edges(to(still))
			return from(k.b.reachRuled(&e, to(goals)).And(k.b.open))
		}
	case *kernel2:
		to, from := cellSets(k.b.bit, sets.Only2)
		return func(still, goals bitboard.Set128) bitboard.Set128 {
			e := k.b.edges(to(still))
			return from(k.b.reachRuled(&e, to(goals)).And(k.b.open))
		}
	case *kernel3:
		to, from := cellSets(k.b.bit, sets.Only3)
		return func(still, goals bitboard.Set128) bitboard.Set128 {
			e := k.b.edges(to(still))
			return from(k.b.reachRuled(&e, to(goals)).And(k.b.open))
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

// TestReach compares the sets with hops followed cell by cell, in the fewest words
// and in more.
func TestReach(t *testing.T) {
	for _, spec := range []*halma.TwoArmy{
		diamond(5, 3), star(2, false), ruled(star(2, true), "fgoGHC"), ruled(star(2, true), "fgoC"), ruled(star(2, true), "fgo"), ruled(star(2, true), "foGH"), diamond(7, 4),
		diamond(8, 1), diamond(9, 2), diamond(11, 2), fewer(star(3, false), 2), ruled(fewer(star(3, true), 2), "fgo"), fewer(star(4, false), 1), ruled(fewer(star(4, true), 1), "fgoC"),
	} {
		for _, l := range layouts(t, spec) {
			reach, p := reacher(l.kernel), &plain{t: spec}
			random := rand.New(rand.NewPCG(1, uint64(spec.Cells)))
			cells := bitboard.First128(spec.Cells)
			sparse := func() bitboard.Set128 {
				s := cells
				for range 1 + random.IntN(3) {
					s = s.And(bitboard.Set128{Lo: random.Uint64(), Hi: random.Uint64()})
				}
				return s
			}
			open := cells
			for _, c := range spec.Closed {
				open = open.Without(c)
			}
			for range 1000 {
				still := sparse()
				goals := sparse().And(open).AndNot(still)
				var want bitboard.Set128
				for c := range open.AndNot(still).Cells() {
					for to := range p.plainEnds(still, c) {
						if goals.Has(to) {
							want = want.With(c)
						}
					}
				}
				if got := reach(still, goals); got != want {
					t.Fatalf("%s: still %x goals %x: %x, want %x", name(spec), still, goals, got, want)
				}
			}
		}
	}
}

// plainEnds finds where a piece on a cell may go, hole by hole.
func (p *plain) plainEnds(still bitboard.Set128, from int) map[int]bool {
	taken := still.Has
	ends, seen := map[int]bool{}, map[int]bool{from: true}
	var hop func(at int)
	hop = func(at int) {
		for d := range 6 {
			over := int(p.t.Next[at][d])
			if over < 0 || !taken(over) {
				continue
			}
			to := int(p.t.Next[over][d])
			if to < 0 || taken(to) || seen[to] || p.hopRuled(at, to) {
				continue
			}
			seen[to] = true
			ends[to] = !p.ruled(from, to)
			hop(to)
		}
	}
	hop(from)
	for d := range 6 {
		if to := int(p.t.Next[from][d]); to >= 0 && !taken(to) && !p.ruled(from, to) {
			ends[to] = true
		}
	}
	for to, ok := range ends {
		if !ok {
			delete(ends, to)
		}
	}
	return ends
}
