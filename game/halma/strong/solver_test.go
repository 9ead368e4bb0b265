package strong

import (
	"context"
	"fmt"
	"testing"

	"perfectplay/game/halma"
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
			var mover, other uint64
			for c := range k {
				switch k[c] {
				case 'm':
					mover |= 1 << c
				case 'o':
					other |= 1 << c
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
		b, err := newBoard(spec)
		if err != nil {
			t.Fatal(err)
		}
		l, err := newLayout(b)
		if err != nil {
			t.Fatal(err)
		}
		var weight uint64
		for row := range l.reps {
			for col := range l.cols {
				mover, other, ok := l.at(row, col)
				if !ok {
					continue
				}
				weight += l.weight(row, col)
				for range 2 {
					if r, c := l.place(mover, other); r != row || c != col {
						t.Fatalf("%s: place (%d,%d) is position %x %x, which is at (%d,%d)", spec.ID, row, col, mover, other, r, c)
					}
					mover, other = b.flip(mover), b.flip(other)
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
func (l *layout) at(row, col int) (mover, other uint64, ok bool) {
	mover = l.army[row]
	other = l.b.turn(l.army[col])
	return mover, other, l.army[col] != 0 && mover&other == 0 && (row < l.pairs || col < l.gap)
}

// TestReach compares the words with hops followed cell by cell.
func TestReach(t *testing.T) {
	for _, spec := range []*halma.TwoArmy{diamond(5, 3), star(2, false), ruled(star(2, true), "fgoGHC"), ruled(star(2, true), "fgoC"), ruled(star(2, true), "fgo"), ruled(star(2, true), "foGH"), diamond(7, 4)} {
		b, err := newBoard(spec)
		if err != nil {
			t.Fatal(err)
		}
		p := &plain{t: spec}
		x := uint64(88172645463325252)
		random := func() uint64 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			return x
		}
		for range 3000 {
			still := random() & b.cells
			still &= random()
			if random()&1 == 0 {
				still &= random()
			}
			e := b.edges(still)
			goals := random() & b.open &^ still
			if random()&1 == 0 {
				goals &= random()
			}
			var want uint64
			for c := range spec.Cells {
				if b.open>>b.bit[c]&1 == 0 || still>>b.bit[c]&1 != 0 {
					continue
				}
				for to := range p.plainEnds(b, still, c) {
					if goals>>b.bit[to]&1 != 0 {
						want |= 1 << b.bit[c]
					}
				}
			}
			if got := b.reachRuled(&e, goals) & b.open; got != want {
				t.Fatalf("%s: still %x goals %x: %x, want %x", name(spec), still, goals, got, want)
			}
		}
	}
}

// plainEnds finds where a piece on a cell may go, hole by hole.
func (p *plain) plainEnds(b *board, still uint64, from int) map[int]bool {
	taken := func(c int) bool { return still>>b.bit[c]&1 != 0 }
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
