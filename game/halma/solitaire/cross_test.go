package solitaire

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
)

// replay checks that moves lead from a placement to the goal by the plain rules.
func replay(t *testing.T, spec *halma.TwoArmy, x bitboard.Set128, moves []Move) {
	t.Helper()
	for i, m := range moves {
		if !x.Has(m.From) || x.Has(m.To) {
			t.Fatalf("%s: move %d, %v: nothing to move, or no room", spec.ID, i+1, m)
		}
		y := x.Without(m.From).With(m.To)
		if !slices.Contains(plainMoves(spec, x), y) {
			t.Fatalf("%s: move %d, %v is not legal", spec.ID, i+1, m)
		}
		x = y
	}
	if x != halma.SetOf(spec.Goal) {
		t.Fatalf("%s: the army does not end in its goal", spec.ID)
	}
}

// TestSmall compares lengths and moves with plain searches, on all choices of rules.
func TestSmall(t *testing.T) {
	none := 0
	for _, spec := range boards() {
		_, turns := plainDistances(t, spec)
		want, ok := turns[halma.SetOf(spec.Home)]
		if !ok {
			none++
			continue
		}
		c, err := Cross(context.Background(), spec, Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		if c.Bound != want || len(c.Moves) != want {
			t.Errorf("%s, rules %s: %d moves, at least %d, want %d", spec.ID, spec.Rules, len(c.Moves), c.Bound, want)
		}
		replay(t, spec, halma.SetOf(spec.Home), c.Moves)
	}
	t.Logf("%d games, %d of them without a way", len(boards()), none)
}

func (l *lines) progress(x bitboard.Set128) int { return l.sum(x) - l.home }

// TestBound checks the bound by lines against true distances, for every placement and progress:
// it is never larger, falls by at most one a move, and is 0 once the progress is made.
func TestBound(t *testing.T) {
	for _, spec := range []*halma.TwoArmy{diamond(4, 3), diamond(5, 2), star(2, true), diamond(4, 6)} {
		l, mirrored, err := newLines(spec)
		if err != nil {
			t.Fatal(err)
		}
		if mirrored != (spec.Mirror != nil) {
			t.Errorf("%s: lines kept by the mirror: %t", spec.ID, mirrored)
		}
		moves, tight := map[bitboard.Set128][]bitboard.Set128{}, 0
		all, _ := plainDistances(t, spec)
		for _, x := range all {
			moves[x] = plainMoves(spec, x)
		}
		for least := -1; least <= l.way+1; least++ {
			table := l.distances(least)
			// The moves of these games can be undone: distances by relaxation.
			far := map[any]int{}
			for x := range moves {
				far[x] = never
				if l.progress(x) >= least {
					far[x] = 0
				}
			}
			for d, more := 0, true; more; d++ {
				more = false
				for x := range moves {
					if far[x] != d {
						continue
					}
					for _, y := range moves[x] {
						if far[y] == never {
							far[y], more = d+1, true
						}
					}
				}
			}
			for x := range moves {
				bound := l.bound(x, table)
				if bound > far[x] || (bound == 0) != (far[x] == 0) {
					t.Fatalf("%s: progress %d from %v: bound %d, true distance %d", spec.ID, least, x, bound, far[x])
				}
				if bound == far[x] && bound > 0 && bound < never {
					tight++
				}
				for _, y := range moves[x] {
					if b := l.bound(y, table); b < bound-1 {
						t.Fatalf("%s: progress %d: bound %d, after a move %d", spec.ID, least, bound, b)
					}
				}
			}
		}
		if tight == 0 {
			t.Errorf("%s: the bound is never reached: too weak to be what it should be", spec.ID)
		}
	}
}

// TestThreads: the answer is the same for any number of threads and any sufficient memory.
func TestThreads(t *testing.T) {
	spec := diamond(6, 6)
	var want *Crossing
	for _, o := range []Options{{Threads: 1}, {Threads: 2}, {Threads: 5, Memory: 32 << 20}} {
		c, err := Cross(context.Background(), spec, o)
		if err != nil {
			t.Fatal(err)
		}
		replay(t, spec, halma.SetOf(spec.Home), c.Moves)
		if want == nil {
			want = c
		}
		if !reflect.DeepEqual(c, want) {
			t.Errorf("%d threads: %+v, want %+v", o.Threads, c, want)
		}
	}
}

// TestMemory: too little memory is refused, and a search that runs out of memory leaves a
// correct bound.
func TestMemory(t *testing.T) {
	spec := diamond(7, 10)
	least, err := CrossMemory(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Cross(context.Background(), spec, Options{Threads: 1, Memory: least - 1}); err == nil {
		t.Error("too little memory is not refused")
	}
	c, err := Cross(context.Background(), spec, Options{Threads: 1, Memory: least})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Full || c.Moves != nil || len(c.Rounds) == 0 || c.Bound != c.Rounds[len(c.Rounds)-1].Length+1 {
		t.Errorf("with the least memory: %+v", c)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	rounds := 0
	c, err := Cross(ctx, diamond(6, 6), Options{Progress: func(p Progress) {
		if rounds++; p.Depth == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || rounds == 0 || c == nil || c.Bound < 1 || c.Moves != nil {
		t.Errorf("cancelled: %v after %d reports, %+v", err, rounds, c)
	}
}

func TestRuns(t *testing.T) {
	tmp := make([]uint64, 4)
	for _, c := range []struct{ keys, want []uint64 }{
		{nil, nil},
		{[]uint64{3, 1, 3, 1}, []uint64{1, 3}},
		{[]uint64{1 << 46, 2047, 2048, 0}, []uint64{0, 2047, 2048, 1 << 46}},
	} {
		if got := sortUnique(slices.Clone(c.keys), tmp[:len(c.keys)], 1<<47); !slices.Equal(got, c.want) {
			t.Errorf("sorted %v: %v, want %v", c.keys, got, c.want)
		}
	}
	r := &runs{limit: 1000}
	for i := range uint64(40) {
		if !r.add([]uint64{i % 7, 100 + i, 200}) {
			t.Fatal("no room")
		}
	}
	got := r.all([][]uint64{{3, 101}, {200, 300}})
	var want []uint64
	for i := range uint64(140) {
		if i < 7 && i != 3 || i >= 100 && i != 101 {
			want = append(want, i)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("merged %v, want %v", got, want)
	}
	if (&runs{limit: 5}).add([]uint64{1, 2, 3}) {
		t.Error("three keys and their merge are more than five")
	}
}

func TestAllocations(t *testing.T) {
	s, err := newSearch(diamond(7, 6))
	if err != nil {
		t.Fatal(err)
	}
	w := &worker{generator: s.b.newGenerator(), lines: s.lines, want: s.lines.distances(10), left: 9, out: &runs{limit: 1 << 30}, most: -1}
	home := s.b.key(s.b.home)
	found := 0
	if n := testing.AllocsPerRun(100, func() {
		w.expand(home)
		found += len(w.keys)
		w.keys = w.keys[:0]
	}); n != 0 || found == 0 {
		t.Errorf("%v allocations, %d placements found", n, found)
	}
}
