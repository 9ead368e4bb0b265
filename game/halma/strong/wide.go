package strong

// wide has a bit for each of 256 partial armies.
type wide [4]uint64

// wideWord is the work on 256 partial armies, in lists by cell. to are the cells where the turn may
// end. near are the cells from which a turn leads to a cell of to. A cell is given by its offset in
// a list, in bytes.
type wideWord struct {
	empty, to, near     [64]wide
	flood, alone, first [64]wide
	steps               [6 * 64]wideStep
	// all are the hops of the row, hops the hops that are possible in the current word.
	all, hops           [3 * 64]wideHop
	stepCount, allCount int
}

type wideStep struct{ a, b uint32 }

// wideHop is a hop between a and b over a cell that is not empty, possible in some lanes.
type wideHop struct {
	a, b, over, _ uint32
	lanes         wide
}

const (
	wideBytes = 32
	// neverEmpty is a number that no cell has. It is empty in no lane and stands for the pieces of
	// the row's army.
	neverEmpty = 63
)

// add adds cell a of a hop to list, in the lanes where the hop is possible and from has cell b. It
// says whether list has changed.
func (w *wideWord) add(list *[64]wide, h *wideHop, from *[64]wide) bool {
	a, b, more := &list[h.a/wideBytes], &from[h.b/wideBytes], uint64(0)
	for i, lanes := range h.lanes {
		x := b[i] & lanes &^ a[i]
		more |= x
		a[i] |= x
	}
	return more != 0
}

// meet adds first to near in the lanes where flood has another cell of to.
func (w *wideWord) meet(cells int) {
	var met wide
	for f := range cells {
		for i, flood := range w.flood[f] {
			met[i] |= flood & w.to[f][i] &^ w.first[f][i]
		}
	}
	for f := range cells {
		for i, first := range w.first[f] {
			w.near[f][i] |= first & met[i]
		}
	}
}

// wideKernels are the functions on a word. cells is the number of cells, hops the number of
// possible hops.
type wideKernels struct {
	begin       func(w *wideWord, cells int) (hops int)
	spread      func(w *wideWord, hops int)
	end, settle func(w *wideWord, cells int) bool
	first       func(w *wideWord, cells int)
}

// portable are the kernels in Go. avx2 are in assembly if the machine has words of 256 bits.
var portable = wideKernels{wideBeginPortable, wideSpreadPortable, wideEndPortable, wideSettlePortable, wideFirstPortable}

// wideBegin lists the possible hops. It sets flood to to, near to the cells from which a step or
// one hop leads to a cell of to, and alone to the cells at the ends of possible hops. It returns
// the number of possible hops.
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

// wideSpread adds to flood all cells to which possible hops lead from cells of flood.
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

// wideEnd adds to near the cells of flood outside of to. It leaves in alone the cells of to that
// have hops and are not in near. It says whether alone has any cell.
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

// wideSettle adds to near the cells that flood and to share, in the lanes where there are others
// besides first. It removes the cells of flood from alone, and says whether alone has any cell
// left.
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
