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
