package strong

import (
	"math/rand/v2"
	"testing"
)

// TestKernels compares the kernels with the portable ones.
func TestKernels(t *testing.T) {
	if !useWide {
		t.Skip("this processor or build has no words of 256 bits")
	}
	random := rand.New(rand.NewPCG(7, 8))
	fill := func(list []wide, density int) {
		for f := range list {
			for i := range list[f] {
				x := ^uint64(0)
				for range density {
					x &= random.Uint64()
				}
				list[f][i] = x
			}
		}
	}
	for round := range 3000 {
		cells := 1 + random.IntN(62)
		w := new(wideWord)
		for _, list := range []*[64]wide{&w.empty, &w.to, &w.near, &w.flood, &w.alone, &w.first} {
			fill(list[:], random.IntN(6))
		}
		w.empty[neverEmpty] = wide{}
		w.stepCount, w.allCount = random.IntN(len(w.steps)+1), random.IntN(len(w.all)+1)
		cell := func() uint32 { return uint32(random.IntN(cells)) * wideBytes }
		for i := range w.steps[:w.stepCount] {
			w.steps[i] = wideStep{cell(), cell()}
		}
		for i := range w.all[:w.allCount] {
			h := wideHop{a: cell(), b: cell(), over: cell()}
			for h.a == h.b && cells > 1 {
				h.b = cell()
			}
			if random.IntN(3) == 0 {
				h.over = neverEmpty * wideBytes
			}
			w.all[i] = h
		}
		for i := range w.allCount {
			if w.all[i].a == w.all[i].b {
				w.allCount = 0 // a single cell
				break
			}
		}
		same := func(what string, by, twin func(w *wideWord) int) {
			t.Helper()
			x := *w
			n := twin(&x)
			if got := by(w); got != n {
				t.Fatalf("round %d, %d cells: %s returns %d, want %d", round, cells, what, got, n)
			}
			for i := range w.all {
				w.hops[i].over, x.hops[i].over = 0, 0 // not used
			}
			if *w != x {
				t.Fatalf("round %d, %d cells: %s makes another word", round, cells, what)
			}
		}
		number := func(b bool) int {
			if b {
				return 1
			}
			return 0
		}
		hops := 0
		same("begin", func(w *wideWord) int { hops = wideBegin(w, cells); return hops }, func(w *wideWord) int { return wideBeginPortable(w, cells) })
		spread := func(w *wideWord) int { wideSpread(w, hops); return 0 }
		spreadTwin := func(w *wideWord) int { wideSpreadPortable(w, hops); return 0 }
		same("spread", spread, spreadTwin)
		same("end", func(w *wideWord) int { return number(wideEnd(w, cells)) }, func(w *wideWord) int { return number(wideEndPortable(w, cells)) })
		same("first", func(w *wideWord) int { wideFirst(w, cells); return 0 }, func(w *wideWord) int { wideFirstPortable(w, cells); return 0 })
		same("spread", spread, spreadTwin)
		same("settle", func(w *wideWord) int { return number(wideSettle(w, cells)) }, func(w *wideWord) int { return number(wideSettlePortable(w, cells)) })
	}
}

// TestKernelsAllocate: the kernels allocate nothing.
func TestKernelsAllocate(t *testing.T) {
	w := new(wideWord)
	if n := testing.AllocsPerRun(10, func() { w.reach(20) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
