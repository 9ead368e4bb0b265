package strong

// The kernels on a word in Go: what those in assembly must do.

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
