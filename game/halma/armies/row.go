package armies

import (
	"math/bits"

	"perfectplay/game/halma/internal/sets"
)

type row1 struct {
	*kind
	*sort1
	cells   *cells1
	number  int // number of the kind
	k, span int
	armies  []sets.Set1 // armies of the seats that lie still, by turns from the seat to move
	still   sets.Set1   // union of armies 1…n−2
	blocked sets.Set1   // union of armies 1…n−1
	// Lists of sets in words, by partial army, see kind.lifts. fresh are the cells of the piece in
	// the hand that the last ply answered yes.
	fresh   []uint64
	touched []uint32 // partial armies with cells in fresh
	// yes are cells after turns that answer yes; safe are cells from which every turn leads to yes.
	// Both are by partial army, and valid in this row if their stamp is the row's.
	yes, safe           []uint64
	yesStamp, safeStamp []uint32
	stamp               uint32
}

func (c *cells1) newHand(kind int) hand {
	k := &c.kinds[kind]
	n := k.partials
	return &row1{kind: k, sort1: &c.sort[kind], cells: c, number: kind, k: c.k, span: c.span, armies: make([]sets.Set1, c.n),
		fresh: make([]uint64, n*sets.Words1), yes: make([]uint64, n*sets.Words1), safe: make([]uint64, n*sets.Words1),
		yesStamp: make([]uint32, n), safeStamp: make([]uint32, n)}
}

func (w *row1) lie(ranks []int) bool {
	c := w.cells
	w.still = sets.Set1{}
	for j, r := range ranks {
		army := c.army[(w.number+1+j)%c.n][r]
		if army.Meets(w.still) {
			return false
		}
		w.armies[1+j] = army
		w.still = w.still.Or(army)
	}
	return true
}

func (w *row1) begin(rank int) bool {
	c := w.cells
	last := c.army[(w.number+c.n-1)%c.n][rank]
	if last.Meets(w.still) {
		return false
	}
	w.armies[c.n-1] = last
	w.blocked = w.still.Or(last)
	if w.stamp++; w.stamp == 0 {
		clear(w.yesStamp)
		clear(w.safeStamp)
		w.stamp = 1
	}
	return true
}

func (w *row1) stuck(army int) bool {
	return w.near[army].Within(w.blocked) && !w.mobile(w.army[army], w.blocked)
}

// lift enters the pieces of the armies of a row into fresh.
func (w *row1) lift(fresh []uint64) {
	w.touched = w.touched[:0]
	for j, x := range fresh {
		for ; x != 0; x &= x - 1 {
			at := (j*64 + bits.TrailingZeros64(x)) * w.k
			for _, l := range w.lifts[at : at+w.k] {
				p := l >> 6 / sets.Words1
				if sets.Load1(w.fresh, int(p)).IsEmpty() {
					w.touched = append(w.touched, p)
				}
				w.fresh[l>>6] |= 1 << (l & 63)
			}
		}
	}
}

// pass adds to out the armies of fresh that must pass because they have no legal turn.
func (w *row1) pass(fresh, out []uint64) {
	for j, x := range fresh {
		for x &= w.tight[j]; x != 0; x &= x - 1 {
			if at := j*64 + bits.TrailingZeros64(x); w.stuck(at) {
				out[j] |= x & -x
			}
		}
	}
}

func (w *row1) take(p uint32) sets.Set1 {
	s := sets.Load1(w.fresh, int(p))
	sets.Set1{}.Store(w.fresh, int(p))
	return s
}

func (w *row1) some(fresh, out []uint64) {
	w.pass(fresh, out)
	w.lift(fresh)
	for _, p := range w.touched {
		var e sets.Edges1
		w.moves.Edges(&e, w.partial[p].Or(w.blocked))
		from := w.moves.Reach(&e, w.take(p))
		columns := w.column[int(p)*w.span:]
		for ; !from.IsEmpty(); from = from.DropMin() {
			c := columns[from.Min()]
			out[c>>6] |= 1 << (c & 63)
		}
	}
}

func (w *row1) all(fresh, answers, known, out []uint64) {
	w.pass(fresh, out)
	w.lift(fresh)
	if len(w.touched)*scatterShare > len(w.partial) {
		w.scatter(answers)
	}
	for _, p := range w.touched {
		to, safe := w.take(p), w.safeCells(p, answers)
		if safe.IsEmpty() {
			continue
		}
		var e sets.Edges1
		w.moves.Edges(&e, w.partial[p].Or(w.blocked))
		from := w.moves.Reach(&e, to).And(safe)
		columns := w.column[int(p)*w.span:]
	next:
		for ; !from.IsEmpty(); from = from.DropMin() {
			c := int(columns[from.Min()])
			word, bit := &known[c>>6], uint64(1)<<(c&63)
			if *word&bit != 0 {
				continue
			}
			*word |= bit
			for _, l := range w.lifts[c*w.k : c*w.k+w.k] {
				q := l >> 6 / sets.Words1
				if w.safeStamp[q] != w.stamp {
					w.safeCells(q, answers)
				}
				if w.safe[l>>6]>>(l&63)&1 == 0 {
					continue next
				}
			}
			out[c>>6] |= bit
		}
	}
}

// scatter computes yes for all partial armies at once.
func (w *row1) scatter(answers []uint64) {
	clear(w.yes)
	for i := range w.yesStamp {
		w.yesStamp[i] = w.stamp
	}
	yes, k := w.yes, w.k
	for j, x := range answers {
		for ; x != 0 && k == 3; x &= x - 1 { // the general loop below, unrolled for three pieces
			l := (*[3]uint32)(w.lifts[3*(j*64+bits.TrailingZeros64(x)):])
			yes[l[0]>>6] |= 1 << (l[0] & 63)
			yes[l[1]>>6] |= 1 << (l[1] & 63)
			yes[l[2]>>6] |= 1 << (l[2] & 63)
		}
		for ; x != 0; x &= x - 1 {
			at := (j*64 + bits.TrailingZeros64(x)) * k
			for _, l := range w.lifts[at : at+k] {
				yes[l>>6] |= 1 << (l & 63)
			}
		}
	}
}

func (w *row1) safeCells(p uint32, answers []uint64) sets.Set1 {
	if w.safeStamp[p] == w.stamp {
		return sets.Load1(w.safe, int(p))
	}
	still := w.partial[p].Or(w.blocked)
	may := w.moves.Open.AndNot(still)
	yes := sets.Load1(w.yes, int(p))
	if w.yesStamp[p] != w.stamp {
		yes = sets.Set1{}
		columns := w.column[int(p)*w.span:]
		for x := may; !x.IsEmpty(); x = x.DropMin() {
			if c := columns[x.Min()]; answers[c>>6]>>(c&63)&1 != 0 {
				yes = yes.Or(x.First())
			}
		}
		yes.Store(w.yes, int(p))
		w.yesStamp[p] = w.stamp
	}
	// A step to a cell outside yes shows at once that most cells are not safe.
	to := may.AndNot(yes)
	safe := may.AndNot(to.BesideRuled(&w.moves.A, &w.moves.Back))
	if !safe.IsEmpty() {
		var e sets.Edges1
		w.moves.Edges(&e, still)
		safe = safe.AndNot(w.moves.Reach(&e, to))
	}
	safe.Store(w.safe, int(p))
	w.safeStamp[p] = w.stamp
	return safe
}

func (w *row1) ahead(armies, out []uint64) {
	for j, x := range armies {
		for ; x != 0; x &= x - 1 {
			if at := j*64 + bits.TrailingZeros64(x); w.stuck(at) && w.anyMobile(at) {
				out[j] |= x & -x
			}
		}
	}
	w.lift(armies)
	for _, p := range w.touched {
		to := w.moves.Ends(w.partial[p].Or(w.blocked), w.take(p))
		columns := w.column[int(p)*w.span:]
		for ; !to.IsEmpty(); to = to.DropMin() {
			c := columns[to.Min()]
			out[c>>6] |= 1 << (c & 63)
		}
	}
}

// anyMobile reports whether any seat has a legal turn with the given army of the one to move.
func (w *row1) anyMobile(army int) bool {
	c := w.cells
	w.armies[0] = w.army[army]
	everybody := w.blocked.Or(w.army[army])
	for i, army := range w.armies {
		seat := (w.number + i) % c.n
		if c.sort[seat%c.period].mobile(c.back(seat, army), c.back(seat, everybody.AndNot(army))) {
			return true
		}
	}
	return false
}

// decided adds to dst the armies with which the seat i turns later meets its win condition, whether
// or not other seats meet theirs. If the seat meets it with all armies, decided returns true and
// leaves dst unchanged.
func (w *row1) decided(i int, dst []uint64) (whole bool) {
	over := &w.cells.over[(w.number+i)%w.cells.n]
	if i > 0 && !(w.armies[i].Meets(over.Some) && w.armies[i].Within(over.Inside)) {
		return false
	}
	need := over.Full.AndNot(w.blocked)
	switch {
	case need.IsEmpty() && i > 0:
		return true
	case need.IsEmpty() && !over.Full.IsEmpty():
		return false // pieces of other seats fill the goal, so this army has no piece in it
	case !need.Within(w.moves.Open) || need.Count() > w.k:
		return false
	}
	for j := range dst {
		x := ^uint64(0)
		if i == 0 {
			x = w.inside[j]
		}
		for n := need; !n.IsEmpty(); n = n.DropMin() {
			x &= w.with[n.Min()][j]
		}
		dst[j] |= x
	}
	return false
}

func (w *row1) over(dst []uint64) (whole bool) {
	for i := range w.armies {
		if w.decided(i, dst) {
			return true
		}
	}
	return false
}

func (w *row1) won(wins uint8, dst, unclaimed, scratch []uint64) {
	w.free(unclaimed)
	n := len(w.armies)
	for step := range n {
		i := (step + n - 1) % n
		clear(scratch)
		whole := w.decided(i, scratch)
		for j := range dst {
			x := unclaimed[j]
			if !whole {
				x &= scratch[j]
			}
			unclaimed[j] &^= x
			if wins>>i&1 != 0 {
				dst[j] |= x
			}
		}
	}
}

func (w *row1) free(dst []uint64) {
	for j := range dst {
		dst[j] = ^uint64(0)
	}
	if extra := len(w.army) & 63; extra != 0 {
		dst[len(dst)-1] = 1<<extra - 1
	}
	for x := w.blocked.And(w.moves.Open); !x.IsEmpty(); x = x.DropMin() {
		for j, with := range w.with[x.Min()] {
			dst[j] &^= with
		}
	}
}
