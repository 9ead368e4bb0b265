package strong

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/internal/sets"
	"perfectplay/internal/impl"
)

// TestDense compares dense work with work on one partial army at a time. Rows are filled at random,
// a little in each visit, to the end.
func TestDense(t *testing.T) {
	games := smallBoards()
	for _, letters := range halmatest.Restrictions {
		games = append(games, ruled(halmatest.Diamond(4, 6), "f"+letters), ruled(halmatest.Star(2, true), "f"+letters))
	}
	for _, id := range []string{"halma-4x4p6", "halma-5x5p4"} {
		for _, rules := range []string{"base", "sturtevant", "gamesman-2026"} {
			_, spec := halmatest.Race(id, rules)
			games = append(games, spec)
		}
	}
	decided := 0
	test := func(t *testing.T) {
		for _, spec := range games {
			l, err := newLayout(spec, false)
			if err != nil {
				t.Fatal(err)
			}
			if l.square {
				continue
			}
			t.Run(fmt.Sprintf("game=%s,rules=%s", spec.ID, spec.Rules), func(t *testing.T) {
				r := rand.New(rand.NewPCG(3, 4))
				for range 12 {
					decided += compareDense(t, l, r.IntN(l.rows), r)
				}
			})
		}
	}
	impl.TestAll(t, "bitboard", test)
	impl.TestAll(t, "halma/strong", test)
	if decided < 100_000 {
		t.Errorf("%d positions were decided", decided)
	}
}

// compareDense returns the number of positions decided.
func compareDense(t *testing.T, l *layout, at int, random *rand.Rand) (n int) {
	hands := [2]hand{l.kernel.newHand(), l.kernel.newHand()}
	one, all := hands[0].scratch(), hands[1].scratch()
	one.known, all.known = one.spare, all.spare
	hands[0].overBefore(at, one.known)
	hands[1].overBefore(at, all.known)
	one.denseFrom, all.denseFrom = l.cols, 0
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
				win = x // some rows end without any draw
			}
			for _, r := range []*row{one, all} {
				r.newWin[i], r.newLoss[i] = win, x&^win
				r.win[i] |= win
			}
		}
		hands[0].propagate(at)
		hands[1].propagate(at)
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

// TestLanes compares dense work with hops followed cell by cell: see TestReach.
func TestLanes(t *testing.T) {
	for i, letters := range halmatest.Restrictions {
		if i%3 > 0 && testing.Short() {
			continue // boards of many shapes under every third rule set only
		}
		corners := halmatest.Diamond(5, 6)
		corners.Closed = []int{10, 14} // the two corners outside the camps
		for i, spec := range []*halma.TwoArmy{halmatest.Diamond(5, 6), corners, halmatest.Star(2, true), halmatest.Askew(5, false), halmatest.Askew(5, true)} {
			ruled(spec, letters)
			whole := i < 2 // camps are large enough for chains of two hops
			t.Run(fmt.Sprintf("game=%s,rules=%s,board=%d", spec.ID, letters, i), func(t *testing.T) {
				l, err := newLayout(spec, false)
				if err != nil {
					t.Fatal(err)
				}
				// Sets are seen from the side of the player who waits.
				other := *spec
				other.Home, other.Goal = spec.Goal, spec.Home
				random := rand.New(rand.NewPCG(5, 6))
				impl.TestAll(t, "halma/strong", func(t *testing.T) { compareLanes(t, &other, l, random, whole) })
			})
		}
	}
}

func compareLanes(t *testing.T, spec *halma.TwoArmy, l *layout, random *rand.Rand, whole bool) {
	h := l.kernel.newHand().(*hand1)
	r := h.dense
	if r == nil {
		return
	}
	b := r.b
	h.known = h.spare
	cells := b.toCells
	var ways halmatest.Ways
	lanes, free := l.slicing.lanes, l.n-l.k
	for range map[bool]int{true: 100, false: 20}[whole] {
		row := random.IntN(l.rows)
		if random.IntN(3) == 0 {
			// Most hops are possible over an army that stands in a camp.
			row, _ = r.placeOf(b.home, b.goal)
		}
		r.propagate(row) // prepare the row; no position is new
		r.prepare()
		asked := make([]uint64, len(r.lane))
		density := 1 + random.IntN(3)
		for i := range asked {
			asked[i] = l.slicing.lacks[i]
			for range density {
				asked[i] &= random.Uint64()
			}
		}
		copy(r.lane, asked)
		r.reachLanes()
		for range 60 {
			p := random.IntN(l.partials)
			set := func(lane []uint64) (s sets.Set1) {
				for f := range free {
					s.A |= lane[f*lanes+p>>6] >> (p & 63) & 1 << f
				}
				return s.Deposit(r.ground)
			}
			still := cells(r.army.Or(r.partial[p].Deposit(r.ground)))
			if got, want := cells(set(r.lane)), ways.Before(spec, still, cells(set(asked))); got != want {
				t.Fatalf("row %d, partial army %d: still %x, cells %x: from %x, want %x", row, p, still, cells(set(asked)), got, want)
			}
		}
	}
	if missed := ways.Missed(spec); whole && len(missed) > 0 {
		t.Errorf("lanes: never asked, or against the rules: %v of %+v", missed, ways)
	}
}

// TestDenseAllocates: work on a row allocates nothing.
func TestDenseAllocates(t *testing.T) {
	_, spec := halmatest.Race("halma-4x4p3", "sturtevant")
	l, err := newLayout(spec, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []int{l.cols, 0} {
		h := l.kernel.newHand()
		r := h.scratch()
		r.denseFrom, r.known = from, r.spare
		visit := func() {
			for i := range r.win {
				r.known[i] = 0
				r.win[i], r.newWin[i], r.newLoss[i] = 0x5555, 0x5555, 0xaaaa
			}
			h.propagate(l.rows / 2)
		}
		visit()
		if n := testing.AllocsPerRun(10, visit); n != 0 {
			t.Errorf("from %d: %v allocations", from, n)
		}
	}
}
