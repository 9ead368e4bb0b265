package tight

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game/halma"
	"perfectplay/internal/impl"
)

// TestDense compares work on 64 partial armies at once with work on one after the other:
// rows of all small boards and of two larger ones, filled at random, a little in each
// visit, to the end.
func TestDense(t *testing.T) {
	games := smallBoards()
	for _, id := range []string{"halma-4x4p6", "halma-5x5p4"} {
		for _, rules := range []string{"base", "sturtevant", "gamesman-2026"} {
			g, err := halma.ByID(id, rules)
			if err != nil {
				t.Fatal(err)
			}
			spec, err := g.TwoArmy()
			if err != nil {
				t.Fatal(err)
			}
			games = append(games, spec)
		}
	}
	decided := 0
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		for _, spec := range games {
			b, err := newBoard(spec)
			if err != nil {
				t.Fatal(err)
			}
			l, err := newLayout(b)
			if err != nil {
				t.Fatal(err)
			}
			if l.slicing == nil {
				continue
			}
			t.Run(fmt.Sprintf("game=%s,rules=%s", spec.ID, spec.Rules), func(t *testing.T) {
				r := rand.New(rand.NewPCG(3, 4))
				for range 12 {
					decided += compareDense(t, l, r.IntN(l.rows), r)
				}
			})
		}
	})
	if decided < 100_000 {
		t.Errorf("%d positions were decided", decided)
	}
}

// compareDense returns how many positions are decided.
func compareDense(t *testing.T, l *layout, at int, random *rand.Rand) (n int) {
	one, all := newRow(l), newRow(l)
	one.known, all.known = one.scratch, all.scratch
	one.denseShare, all.denseShare = 0, l.cols+1
	left := make([]uint64, l.words)
	for c := range l.cols {
		left[c>>6] |= 1 << (c & 63)
	}
	decided := make([]uint64, l.words)
	for visit := range 8 {
		for i := range left {
			x := left[i] & random.Uint64() & random.Uint64()
			if visit == 7 {
				x = left[i]
			}
			left[i] &^= x
			win := x & (random.Uint64() | random.Uint64())
			if visit == 7 && at%2 == 0 {
				win = x // the last draws of some rows
			}
			for _, r := range []*row{one, all} {
				r.newWin[i], r.newLoss[i] = win, x&^win
				r.win[i] |= win
			}
		}
		one.propagate(at)
		all.propagate(at)
		for list, columns := range [2][2][]uint32{{one.wins, all.wins}, {one.losses, all.losses}} {
			slices.Sort(columns[0])
			slices.Sort(columns[1])
			if !slices.Equal(columns[0], columns[1]) {
				t.Fatalf("row %d, visit %d, list %d: one by one %d columns, at once %d", at, visit, list, len(columns[0]), len(columns[1]))
			}
			for _, c := range columns[0] {
				decided[c>>6] |= 1 << (c & 63)
			}
		}
	}
	for _, x := range decided {
		n += bits.OnesCount64(x)
	}
	return n
}

// TestDenseAllocates: work on a row allocates nothing.
func TestDenseAllocates(t *testing.T) {
	g, err := halma.ByID("halma-4x4p3", "sturtevant")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := g.TwoArmy()
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBoard(spec)
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLayout(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []int{0, l.cols + 1} {
		r := newRow(l)
		r.denseShare, r.known = share, r.scratch
		visit := func() {
			for i := range r.win {
				r.known[i] = 0
				r.win[i], r.newWin[i], r.newLoss[i] = 0x5555, 0x5555, 0xaaaa
			}
			r.propagate(l.rows / 2)
		}
		visit()
		if n := testing.AllocsPerRun(10, visit); n != 0 {
			t.Errorf("share %d: %v allocations", share, n)
		}
	}
}
