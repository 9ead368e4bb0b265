package armies

import "math/bits"

// row is the inner loop. With the pieces of all others lying still, the armies of
// the seat to move are the bits of a row, and so are the armies after its turn:
// which of them are answered yes follows from the answers of the next seat. It is
// the scratch space of one goroutine for one kind of seat.
type row struct {
	*kind
	k, span int
	// By partial army, the cells of the piece in the hand: after a turn to a cell
	// of fresh the answer became yes a ply ago.
	fresh   []uint64
	touched []uint32
	// By partial army: after a turn to a cell of yes the answer is yes, and from a
	// cell of safe every turn leads there. Each is of this row where its stamp is
	// the row's.
	yes, safe           []uint64
	yesStamp, safeStamp []uint32
	stamp               uint32
	blocked             uint64
}

func newRow(b *board, k *kind) *row {
	n := len(k.partial)
	return &row{kind: k, k: b.k, span: b.span,
		fresh: make([]uint64, n), yes: make([]uint64, n), safe: make([]uint64, n),
		yesStamp: make([]uint32, n), safeStamp: make([]uint32, n)}
}

// begin goes to the row of the pieces blocked.
func (w *row) begin(blocked uint64) {
	w.blocked = blocked
	if w.stamp++; w.stamp == 0 {
		clear(w.yesStamp)
		clear(w.safeStamp)
		w.stamp = 1
	}
}

// stuck reports whether an army has no legal turn. Most show a free step.
func (w *row) stuck(army int) bool {
	return w.near[army]&^w.blocked == 0 && !w.moves.mobile(w.army[army], w.blocked)
}

// lift marks in fresh where the armies of a row stand, piece by piece.
func (w *row) lift(fresh []uint64) {
	w.touched = w.touched[:0]
	for j, x := range fresh {
		for ; x != 0; x &= x - 1 {
			at := (j*64 + bits.TrailingZeros64(x)) * w.k
			for _, l := range w.lifts[at : at+w.k] {
				p := l >> 6
				if w.fresh[p] == 0 {
					w.touched = append(w.touched, p)
				}
				w.fresh[p] |= 1 << (l & 63)
			}
		}
	}
}

// pass does for each army of a row that has no legal turn.
func (w *row) pass(fresh, out []uint64) {
	for j, x := range fresh {
		for x &= w.tight[j]; x != 0; x &= x - 1 {
			if at := j*64 + bits.TrailingZeros64(x); w.stuck(at) {
				out[j] |= x & -x
			}
		}
	}
}

// some enters into out the armies with a turn, or the pass, to one of fresh.
func (w *row) some(fresh, out []uint64) {
	w.pass(fresh, out)
	w.lift(fresh)
	for _, p := range w.touched {
		e := w.moves.edges(w.partial[p] | w.blocked)
		from := w.moves.before(&e, w.fresh[p])
		w.fresh[p] = 0
		columns := w.column[int(p)*w.span:]
		for ; from != 0; from &= from - 1 {
			c := columns[bits.TrailingZeros64(from)]
			out[c>>6] |= 1 << (c & 63)
		}
	}
}

// all enters into out the armies, other than those known, all of whose turns, or
// the pass, lead to one of answers, and one of them to one of fresh, which is part
// of answers. It uses up known.
func (w *row) all(fresh, answers, known, out []uint64) {
	w.pass(fresh, out)
	w.lift(fresh)
	if len(w.touched)*scatterShare > len(w.partial) {
		w.scatter(answers)
	}
	for _, p := range w.touched {
		e := w.moves.edges(w.partial[p] | w.blocked)
		from := w.moves.before(&e, w.fresh[p])
		w.fresh[p] = 0
		if from &= w.safeCells(p, &e, answers); from == 0 {
			continue
		}
		columns := w.column[int(p)*w.span:]
	next:
		for ; from != 0; from &= from - 1 {
			c := int(columns[bits.TrailingZeros64(from)])
			word, bit := &known[c>>6], uint64(1)<<(c&63)
			if *word&bit != 0 {
				continue
			}
			*word |= bit
			for _, l := range w.lifts[c*w.k : c*w.k+w.k] {
				q := l >> 6
				safe := w.safe[q]
				if w.safeStamp[q] != w.stamp {
					e := w.moves.edges(w.partial[q] | w.blocked)
					safe = w.safeCells(q, &e, answers)
				}
				if safe>>(l&63)&1 == 0 {
					continue next
				}
			}
			out[c>>6] |= bit
		}
	}
}

// scatterShare is the share of partial armies, one in so many, from which on it
// pays to find the cells of yes for all at once.
const scatterShare = 4

// scatter finds yes for all partial armies.
func (w *row) scatter(answers []uint64) {
	clear(w.yes)
	for i := range w.yesStamp {
		w.yesStamp[i] = w.stamp
	}
	yes, k := w.yes, w.k
	if k == 3 {
		for j, x := range answers {
			for ; x != 0; x &= x - 1 {
				l := (*[3]uint32)(w.lifts[3*(j*64+bits.TrailingZeros64(x)):])
				yes[l[0]>>6] |= 1 << (l[0] & 63)
				yes[l[1]>>6] |= 1 << (l[1] & 63)
				yes[l[2]>>6] |= 1 << (l[2] & 63)
			}
		}
		return
	}
	each(answers, func(c int) {
		for _, l := range w.lifts[c*k : c*k+k] {
			yes[l>>6] |= 1 << (l & 63)
		}
	})
}

// safeCells returns safe of a partial army with the edges e.
func (w *row) safeCells(p uint32, e *edges, answers []uint64) uint64 {
	if w.safeStamp[p] == w.stamp {
		return w.safe[p]
	}
	may := e.empty & w.moves.open
	if w.yesStamp[p] != w.stamp {
		yes := uint64(0)
		columns := w.column[int(p)*w.span:]
		for x := may; x != 0; x &= x - 1 {
			c := columns[bits.TrailingZeros64(x)]
			yes |= answers[c>>6] >> (c & 63) & 1 * (x & -x)
		}
		w.yes[p], w.yesStamp[p] = yes, w.stamp
	}
	w.safe[p] = may &^ w.moves.before(e, may&^w.yes[p])
	w.safeStamp[p] = w.stamp
	return w.safe[p]
}
