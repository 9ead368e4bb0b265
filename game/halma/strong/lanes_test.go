package strong

import (
	"math/rand/v2"
	"testing"
)

// wideKernels are the functions on a word.
type wideKernels struct {
	begin       func(w *wideWord, cells int) (hops int)
	spread      func(w *wideWord, hops int)
	end, settle func(w *wideWord, cells int) bool
	first       func(w *wideWord, cells int)
}

var (
	portable = wideKernels{wideBeginPortable, wideSpreadPortable, wideEndPortable, wideSettlePortable, wideFirstPortable}
	avx2     = wideKernels{wideBegin, wideSpread, wideEnd, wideSettle, wideFirst}
)

// TestKernels compares the kernels in assembly with those in Go.
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
				w.allCount = 0 // no hops: a hop must join two different cells
				break
			}
		}
		same := func(what string, by func(k *wideKernels, w *wideWord) int) {
			t.Helper()
			x := *w
			n := by(&portable, &x)
			if got := by(&avx2, w); got != n {
				t.Fatalf("round %d, %d cells: %s returns %d, want %d", round, cells, what, got, n)
			}
			for i := range w.all {
				w.hops[i].over, x.hops[i].over = 0, 0 // kernels do not use over of a possible hop
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
		same("begin", func(k *wideKernels, w *wideWord) int { hops = k.begin(w, cells); return hops })
		spread := func(k *wideKernels, w *wideWord) int { k.spread(w, hops); return 0 }
		same("spread", spread)
		same("end", func(k *wideKernels, w *wideWord) int { return number(k.end(w, cells)) })
		same("first", func(k *wideKernels, w *wideWord) int { k.first(w, cells); return 0 })
		same("spread", spread)
		same("settle", func(k *wideKernels, w *wideWord) int { return number(k.settle(w, cells)) })
	}
}
