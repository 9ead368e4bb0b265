package strong

// Four words of lanes at once, for 256 partial armies, if all hops lead both ways.

type wide [4]uint64

// wideWord is laneWord with wide lanes. A cell is given by its offset in the lists, in bytes.
type wideWord struct {
	empty, to, near     [64]wide
	flood, alone, first [64]wide
	steps               [6 * 64]wideStep
	all, hops           [3 * 64]wideHop // of the row, and the possible ones of these
	stepCount, allCount int
}

type wideStep struct{ a, b uint32 }

// wideHop is a hop between a and b over a cell that is not empty, in some lanes.
type wideHop struct {
	a, b, over, _ uint32
	lanes         wide
}

const (
	wideBytes = 32
	// neverEmpty is an unused cell and stands for the pieces of the row's army.
	neverEmpty = 63
)

// mayWiden says whether all hops lead both ways, and chains may end wherever they may pass.
func mayWiden(b *board1) bool { return useWide && b.Together && !b.Strict }

// prepareWide lists the row's steps and hops for wide words, if they fit.
func (r *dense) prepareWide() bool {
	if !mayWiden(r.b) || r.cells >= neverEmpty || len(r.hops) > 3*64 || len(r.steps) > 6*64 {
		return false
	}
	if r.wide == nil {
		r.wide = new(wideWord)
	}
	w := r.wide
	w.stepCount, w.allCount = len(r.steps), len(r.hops)
	for i, l := range r.steps {
		w.steps[i] = wideStep{uint32(l.a) * wideBytes, uint32(l.b) * wideBytes}
	}
	for i, l := range r.hops {
		over := l.over
		if over == fixed {
			over = neverEmpty
		}
		w.all[i] = wideHop{a: uint32(l.a) * wideBytes, b: uint32(l.b) * wideBytes, over: uint32(over) * wideBytes}
	}
	return true
}

func (r *dense) reachWide() {
	s, w, free := r.slicing, r.wide, r.n-r.k
	for f := free; f < r.cells; f++ {
		w.empty[f], w.to[f] = wide{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}, wide{}
	}
	w.empty[neverEmpty] = wide{}
	for j := 0; j < s.lanes; j += 4 {
		n, any := min(4, s.lanes-j), uint64(0)
		for f := range free {
			at := f*s.lanes + j
			empty, to := &w.empty[f], &w.to[f]
			if n == 4 {
				*empty, *to = wide(s.lacks[at:at+4]), wide(r.lane[at:at+4])
			} else {
				*empty, *to = wide{}, wide{}
				copy(empty[:], s.lacks[at:at+n])
				copy(to[:], r.lane[at:at+n])
			}
			any |= to[0] | to[1] | to[2] | to[3]
		}
		if any == 0 {
			continue
		}
		w.reach(r.cells)
		for f := range free {
			copy(r.lane[f*s.lanes+j:f*s.lanes+j+n], w.near[f][:])
		}
	}
}

// reach finds near, as board.chains does.
func (w *wideWord) reach(cells int) {
	hops := wideBegin(w, cells)
	wideSpread(w, hops)
	for left := wideEnd(w, cells); left; {
		wideFirst(w, cells)
		wideSpread(w, hops)
		left = wideSettle(w, cells)
	}
}

// The portable kernels. cells is the number of cells that they work on, from the first on.

// wideBegin lists the possible hops. It sets flood to to, near to the cells from which a step or
// one hop leads there, and alone to the cells of hops. It returns the number of hops.
func wideBeginPortable(w *wideWord, cells int) (hops int) {
	for f := range cells {
		w.near[f], w.flood[f], w.alone[f] = wide{}, w.to[f], wide{}
	}
	for _, s := range w.steps[:w.stepCount] {
		a, b := s.a/wideBytes, s.b/wideBytes
		for i := range w.near[a] {
			w.near[a][i] |= w.to[b][i] & w.empty[a][i]
		}
	}
	for _, h := range w.all[:w.allCount] {
		a, b, over := h.a/wideBytes, h.b/wideBytes, h.over/wideBytes
		any := uint64(0)
		for i := range h.lanes {
			x := w.empty[a][i] & w.empty[b][i] &^ w.empty[over][i]
			h.lanes[i] = x
			any |= x
			w.near[a][i] |= w.to[b][i] & x
			w.near[b][i] |= w.to[a][i] & x
			w.alone[a][i] |= x
			w.alone[b][i] |= x
		}
		if any != 0 {
			w.hops[hops] = h
			hops++
		}
	}
	return hops
}

// wideSpread adds to flood the cells that hops lead to from it.
func wideSpreadPortable(w *wideWord, hops int) {
	for changed := uint64(1); changed != 0; {
		changed = 0
		for _, h := range w.hops[:hops] {
			a, b := &w.flood[h.a/wideBytes], &w.flood[h.b/wideBytes]
			for i, lanes := range h.lanes {
				both := (a[i] | b[i]) & lanes
				changed |= both &^ (a[i] & b[i])
				a[i] |= both
				b[i] |= both
			}
		}
	}
}

// wideEnd adds the flood outside to to near. It leaves in alone the cells of to that are not near
// and have hops, and says whether there are any.
func wideEndPortable(w *wideWord, cells int) bool {
	any := uint64(0)
	for f := range cells {
		for i, to := range w.to[f] {
			w.near[f][i] |= w.flood[f][i] &^ to
			w.alone[f][i] &= to &^ w.near[f][i]
			any |= w.alone[f][i]
		}
	}
	return any != 0
}

// wideFirst moves the first cell of each lane from alone to flood and first.
func wideFirstPortable(w *wideWord, cells int) {
	var taken wide
	for f := range cells {
		for i, alone := range w.alone[f] {
			first := alone &^ taken[i]
			w.alone[f][i] = alone &^ first
			taken[i] |= first
			w.flood[f][i], w.first[f][i] = first, first
		}
	}
}

// wideSettle adds the flooded cells of to to near in lanes with more of them than first. It removes
// the flood from alone, and says whether alone has any left.
func wideSettlePortable(w *wideWord, cells int) bool {
	var met wide
	for f := range cells {
		for i, flood := range w.flood[f] {
			met[i] |= flood & w.to[f][i] &^ w.first[f][i]
		}
	}
	any := uint64(0)
	for f := range cells {
		for i, flood := range w.flood[f] {
			w.near[f][i] |= flood & w.to[f][i] & met[i]
			w.alone[f][i] &^= flood
			any |= w.alone[f][i]
		}
	}
	return any != 0
}
