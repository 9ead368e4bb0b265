package strong

import (
	"math/bits"

	"perfectplay/game/halma/internal/sets"
	"perfectplay/game/halma/internal/turns"
)

type hand1 struct {
	row
	*kernel1
	army   sets.Set1 // army of the row's player, who is to move in the row
	ground sets.Set1 // cells that the row's columns are numbered among
	// A position of the row is over or illegal only if its column's army meets a pattern of over.
	// overFree are the patterns that fit beside the row's army, in numbers of cells.
	over, overFree []turns.Pattern1
	left           sets.Set1 // numbers of the cells open to a piece in the hand
}

func (r *hand1) scratch() *row { return &r.row }

func (r *hand1) before(columns []uint32, to []place) []place { return r.placesBefore(columns, to) }

func (r *hand1) face(i int) {
	r.army = r.mover[i]
	r.ground = r.groundOf(r.army)
}

func (r *hand1) findOver() {
	r.overFree = r.overFree[:0]
	for _, p := range r.over {
		if p.Value.Within(r.ground.AndNot(r.army)) && p.Value.Count() <= r.k {
			r.overFree = append(r.overFree, turns.Pattern1{Mask: p.Mask.Or(r.army).Extract(r.ground), Value: p.Value.Extract(r.ground)})
		}
	}
}

func (r *hand1) propagate(i int) {
	r.face(i)
	r.opened, r.looked = false, 0
	r.findUnsure()
	r.wins, r.losses = r.wins[:0], r.losses[:0]
	r.pass(r.newLoss, &r.wins)
	if r.anew {
		r.pass(r.win, &r.losses)
	} else {
		r.pass(r.newWin, &r.losses)
	}
	if r.visit++; r.visit == 0 {
		clear(r.stamp)
		r.visit = 1
	}
	losses, wins := r.isDense(r.newLoss), r.isDense(r.newWin)
	if losses || wins {
		r.dense.prepare()
	}
	if losses {
		r.dense.losses()
		r.looked += uint64(r.partials / denseLooks)
	} else {
		r.propagateLosses()
		r.looked += uint64(len(r.touched))
	}
	if r.anew {
		r.allWins()
		r.looked += uint64(r.partials / denseLooks)
	} else if wins {
		r.dense.wins()
		r.looked += uint64(r.partials / denseLooks)
	} else {
		r.propagateWins()
		r.looked += uint64(len(r.touched))
	}
	if len(r.wins)+len(r.losses) > 0 {
		r.turnTo(i)
	}
}

func (r *hand1) turnTo(i int) {
	r.face(i)
	if r.backward != nil {
		r.backward.prepare(i)
		return
	}
	own, image := r.columnOfRow(i)
	r.turned = [2]uint32{uint32(own), uint32(image)}
}

// pass finds the given columns whose army had no turn and passed. It lists them in passed, and
// marks the positions before the pass as known.
func (r *hand1) pass(columns []uint64, passed *[]uint32) {
	for i, x := range columns {
		for x &= r.unsure[i]; x != 0; x &= x - 1 {
			if c := i<<6 | bits.TrailingZeros64(x); r.known[i]&x&-x == 0 && !r.mobile(c) {
				r.known[i] |= x & -x
				*passed = append(*passed, uint32(c))
			}
		}
	}
}

// touch lists the partial armies of the new columns, and enters the cell of the missing piece of
// each into fresh.
func (r *hand1) touch(columns []uint64) {
	fresh, lifts, k := r.fresh, r.lifts, r.k
	for i, x := range columns {
		for ; x != 0; x &= x - 1 {
			c := i<<6 | bits.TrailingZeros64(x)
			for _, lift := range lifts[c*k : c*k+k] {
				fresh[lift>>6] |= 1 << (lift & 63)
			}
		}
	}
	r.touched = r.touched[:0]
	for p := range r.partial {
		if !sets.Load1(fresh, p).IsEmpty() {
			r.touched = append(r.touched, uint32(p))
		}
	}
}

// findUnsure finds the columns whose army may have no legal turn: those without a piece on a roomy
// cell, from which the army has a step to a cell that is not exposed.
func (r *hand1) findUnsure() {
	clear(r.unsure)
	b := r.b
	roomy := b.roomy.AndNot(r.army)
	// Only cells beside the row's army can have fewer steps than on the empty board.
	for x := r.army.BesideRuled(&b.A, &b.Back).And(roomy); !x.IsEmpty(); x = x.DropMin() {
		if cell := x.First(); cell.BesideRuled(&b.A, &b.Forth).AndNot(r.army.Or(b.exposed)).Count() < r.k {
			roomy = roomy.AndNot(cell)
		}
	}
	if len(b.blockades) > 0 || b.spec.MoverWonIllegal && b.wins.Won(r.army, r.army) {
		roomy = sets.Set1{} // any step may make the position illegal
	}
	cells := b.Open.AndNot(r.army.Or(roomy)).Extract(r.ground)
	if 2*cells.Count() <= r.n-r.k {
		r.markWithin(cells, 0, 0)
		return
	}
	r.match(r.unsure, turns.Pattern1{Mask: r.ground.Extract(r.ground).AndNot(cells)})
}

// markWithin adds to unsure the columns whose pieces from the i-th on stand on the given cells;
// rank is the sum of the terms of the pieces before.
func (r *hand1) markWithin(cells sets.Set1, i int, rank uint32) {
	if i == r.k {
		c := r.columnAt(uint64(rank))
		r.unsure[c>>6] |= 1 << (c & 63)
		return
	}
	for left := cells.Count(); left >= r.k-i; left-- {
		f := cells.Min()
		cells = cells.DropMin()
		r.markWithin(cells, i+1, rank+r.term[i*64*sets.Words1+int(f)])
	}
}

// mobile says whether the army of a column has a legal turn in a position that is not over.
func (r *hand1) mobile(c int) bool {
	return r.b.mobile(r.set[c].Deposit(r.ground), r.army)
}

func (r *hand1) overBefore(i int, columns []uint64) {
	r.face(i)
	r.over = r.b.overIfMover(r.over[:0], r.army)
	r.meeting()
	turned := r.b.turn(r.army)
	for i, x := range r.ending {
		for ; x != 0; x &= x - 1 {
			c := i<<6 | bits.TrailingZeros64(x)
			if r.b.state(r.b.turn(r.set[c].Deposit(r.ground)), turned) != ongoing {
				columns[i] |= x & -x
			}
		}
	}
}

func (r *hand1) cellsOf(p int) sets.Set1 {
	if r.square {
		return r.partial[p]
	}
	return r.partial[p].Deposit(r.ground)
}

// put turns numbers of cells for the piece in the hand into cells; number does the inverse. In a
// square layout numbers are bits of the board.
func (r *hand1) put(numbers, cells sets.Set1) sets.Set1 {
	if r.square {
		return numbers
	}
	return numbers.Deposit(cells)
}

func (r *hand1) number(on, cells sets.Set1) sets.Set1 {
	if r.square {
		return on
	}
	return on.Extract(cells)
}

// propagateLosses finds the positions from which some turn leads to a new loss.
func (r *hand1) propagateLosses() {
	r.touch(r.newLoss)
	b := r.b
	clear(r.found)
	var e sets.Edges1
	for _, p := range r.touched {
		partial := r.cellsOf(int(p))
		b.Edges(&e, r.army.Or(partial))
		cells := r.ground.AndNot(partial)
		near := b.Reach(&e, r.put(r.takeFresh(int(p)), cells))
		r.mark(int(p), r.number(near, cells))
	}
	r.winFound()
}

// mark adds to found the columns of a partial army with the piece in the hand on given cells. If
// columns are ranks, the columns with that piece below all others are neighbours.
func (r *hand1) mark(p int, cells sets.Set1) {
	columns, found := r.column[p*r.m:p*r.m+r.m], r.found
	if !r.square {
		low := cells.Below(r.partial[p].Min())
		cells = cells.AndNot(low)
		for i, x := range low.Words() {
			if x != 0 {
				orAt(found, int(columns[0])+64*i, x)
			}
		}
	}
	for i, x := range cells.Words() {
		for ; x != 0; x &= x - 1 {
			c := columns[i<<6|bits.TrailingZeros64(x)]
			found[c>>6] |= 1 << (c & 63)
		}
	}
}

func (r *hand1) takeFresh(p int) sets.Set1 {
	fresh := sets.Load1(r.fresh, p)
	sets.Set1{}.Store(r.fresh, p)
	return fresh
}

func (r *hand1) winFound() {
	for i, x := range r.found {
		if x &^= r.known[i]; x == 0 {
			continue
		}
		r.known[i] |= x
		for ; x != 0; x &= x - 1 {
			r.wins = append(r.wins, uint32(i<<6|bits.TrailingZeros64(x)))
		}
	}
}

// propagateWins finds the positions from which all turns lead to wins, and some to a new win.
func (r *hand1) propagateWins() {
	r.touch(r.newWin)
	if len(r.touched) == 0 {
		return
	}
	r.scatter(len(r.touched))
	clear(r.found)
	var e sets.Edges1
	for _, p := range r.touched {
		fresh := r.takeFresh(int(p))
		if safe, cells := r.findSafe(&e, int(p)); !safe.IsEmpty() {
			r.mark(int(p), r.number(safe.And(r.b.Reach(&e, r.put(fresh, cells))), cells))
		}
	}
	for i, x := range r.found {
		for x &^= r.known[i]; x != 0; x &= x - 1 {
			if c := i<<6 | bits.TrailingZeros64(x); r.allSafe(c) {
				r.known[i] |= x & -x
				r.losses = append(r.losses, uint32(c))
			}
		}
	}
}

// allWins is propagateWins for a row whose wins are all new.
func (r *hand1) allWins() {
	r.findAllSafe()
	// Each army is met once, with its highest piece in the hand.
	columns, m, known, safe, lifts, k := r.column, r.m, r.known, r.safe, r.lifts, r.k
	for _, p := range r.touched {
		columns := columns[int(p)*m : int(p+1)*m]
		for x := sets.Load1(safe, int(p)).Above(r.partial[p]); !x.IsEmpty(); x = x.DropMin() {
			c := columns[x.Min()]
			if known[c>>6]>>(c&63)&1 == 0 && hold(safe, lifts[int(c)*k:int(c)*k+k]) &&
				(r.unsure[c>>6]>>(c&63)&1 == 0 || r.mobile(int(c))) {
				known[c>>6] |= 1 << (c & 63)
				r.losses = append(r.losses, c)
			}
		}
	}
}

// findAllSafe is findSafe for all partial armies of a square layout. touched are the partial armies
// with a safe cell above their pieces.
func (r *hand1) findAllSafe() {
	r.scatter(r.partials)
	b, army := r.b, r.army
	var e sets.Edges1
	r.touched = r.touched[:0]
	for p, partial := range r.partial {
		still := army.Or(partial)
		empty := b.Open.AndNot(still)
		other := r.notWon(p).And(empty)
		safe := empty.AndNot(other.BesideRuled(&b.A, &b.Back))
		if partial.Meets(army) {
			safe = sets.Set1{}
		}
		if !safe.IsEmpty() {
			b.Edges(&e, still)
			if safe = safe.AndNot(b.Reach(&e, other)); !safe.Above(partial).IsEmpty() {
				r.touched = append(r.touched, uint32(p))
			}
		}
		safe.Store(r.safe, p)
	}
}

// scatter fills in notWins for all partial armies. It does nothing if notWon is less work without
// notWins, for the given number of partial armies. It writes the wins or the other columns,
// whichever are fewer.
func (r *hand1) scatter(partials int) {
	wins := 0
	for _, x := range r.win {
		wins += bits.OnesCount64(x)
	}
	few := min(wins, r.cols-wins)
	if r.scattered = few*r.k+r.handWords/4 < partials*r.m; !r.scattered {
		return
	}
	clear(r.notWins)
	flip := uint64(0) // 0 to write the wins, all bits 1 to write the other columns
	if few < wins {
		flip = ^flip
	}
	notWins, lifts, k := r.notWins, r.lifts, r.k
	for i, x := range r.win {
		x = (x ^ flip) & r.columnMask(i)
		for ; x != 0 && k == 3; x &= x - 1 { // the general loop below, unrolled for three pieces
			l := (*[3]uint32)(lifts[3*(i<<6|bits.TrailingZeros64(x)):])
			notWins[l[0]>>6] ^= 1 << (l[0] & 63)
			notWins[l[1]>>6] ^= 1 << (l[1] & 63)
			notWins[l[2]>>6] ^= 1 << (l[2] & 63)
		}
		for ; x != 0; x &= x - 1 {
			c := i<<6 | bits.TrailingZeros64(x)
			for _, lift := range lifts[c*k : c*k+k] {
				notWins[lift>>6] ^= 1 << (lift & 63)
			}
		}
	}
	r.inverted = flip == 0
}

// notWon returns the cells where the piece in the hand makes a column that is not won, as numbers
// beside a partial army. Cells of the row's army may be among the result.
func (r *hand1) notWon(p int) (x sets.Set1) {
	if r.scattered {
		if x = sets.Load1(r.notWins, p); r.inverted {
			x = r.left.AndNot(x)
		}
		return x
	}
	columns := r.column[p*r.m : p*r.m+r.m]
	if !r.opened {
		r.findOpen()
	}
	open := r.open
	for j := len(columns) - 1; j >= 0; j-- {
		x = x.Push(open[columns[j]])
	}
	return x
}

// allSafe says whether all turns of the army of a column lead to wins.
func (r *hand1) allSafe(c int) bool {
	stamp, safe, visit := r.stamp, r.safe, r.visit
	for _, lift := range r.lifts[c*r.k : c*r.k+r.k] {
		if p := int(lift >> 6 / sets.Words1); stamp[p] != visit {
			var e sets.Edges1
			r.findSafe(&e, p)
		}
		if safe[lift>>6]>>(lift&63)&1 == 0 {
			return false
		}
	}
	return true
}

// findSafe returns the safe cells of a partial army, and the cells among which the piece in the
// hand is numbered. If there is a safe cell, e are the edges beside the partial army.
func (r *hand1) findSafe(e *sets.Edges1, p int) (safe, cells sets.Set1) {
	b, partial := r.b, r.cellsOf(p)
	cells = r.ground.AndNot(partial)
	empty := cells.AndNot(r.army)
	other := r.put(r.notWon(p), cells).And(empty)
	// Most cells are not safe because of a step to a cell that does not win.
	safe = empty.AndNot(other.BesideRuled(&b.A, &b.Back))
	if !safe.IsEmpty() {
		b.Edges(e, r.army.Or(partial))
		safe = safe.AndNot(b.Reach(e, other))
	}
	r.number(safe, cells).Store(r.safe, p)
	r.stamp[p] = r.visit
	return safe, cells
}

func (r *hand1) terminal(i int, do func(col int, state state)) {
	r.face(i)
	mover := r.army
	r.over = r.b.overIfOther(r.over[:0], mover)
	r.meeting()
	for i, x := range r.ending {
		for ; x != 0; x &= x - 1 {
			c := i<<6 | bits.TrailingZeros64(x)
			if state := r.b.state(mover, r.set[c].Deposit(r.ground)); state != ongoing {
				do(c, state)
			}
		}
	}
}

// meeting sets ending to the columns whose army meets a pattern of over.
func (r *hand1) meeting() {
	r.findOver()
	clear(r.ending)
	for _, p := range r.overFree {
		if p.Value.Count() == r.k { // only one army matches: the cells of Value
			c := r.columnAt(p.Value.Rank(r.others))
			r.ending[c>>6] |= 1 << (c & 63)
			continue
		}
		r.match(r.ending, p)
	}
}

func (r *hand1) match(columns []uint64, p turns.Pattern1) {
	// The armies of a word share their higher pieces. So the highest cells, tried first, empty x
	// soonest.
	with, without := r.offsets(0, p.Value), r.offsets(1, p.Mask.AndNot(p.Value))
	for i := range columns {
		x := r.columnMask(i)
		for j := len(with) - 1; j >= 0 && x != 0; j-- {
			x &= r.has[with[j]+i]
		}
		for j := len(without) - 1; j >= 0 && x != 0; j-- {
			x &^= r.has[without[j]+i]
		}
		columns[i] |= x
	}
}

// offsets returns the index of the first word of each given cell in has. The result is in buffer i,
// 0 or 1.
func (r *hand1) offsets(i int, cells sets.Set1) []int {
	list := r.cellsAt[i][:0]
	for ; !cells.IsEmpty(); cells = cells.DropMin() {
		list = append(list, int(cells.Min())*r.words)
	}
	r.cellsAt[i] = list
	return list
}

func (r *hand1) expand(i int, from, found []uint64) {
	b := r.b
	clear(r.spare)
	r.overBefore(i, r.spare)
	for i, x := range from {
		r.spare[i] = x &^ r.spare[i]
		for x = r.spare[i]; x != 0; x &= x - 1 {
			if !r.mobile(i<<6 | bits.TrailingZeros64(x)) {
				found[i] |= x & -x // this army has no turn and passes
				r.spare[i] &^= x & -x
			}
		}
	}
	r.touch(r.spare)
	for _, p := range r.touched {
		p := int(p)
		partial := r.cellsOf(p)
		still, cells := r.army.Or(partial), r.ground.AndNot(partial)
		columns := r.column[p*r.m : p*r.m+r.m]
		for x := r.number(b.Ends(still, r.put(r.takeFresh(p), cells)), cells); !x.IsEmpty(); x = x.DropMin() {
			c := columns[x.Min()]
			if !r.mayBeIllegal || !b.illegal(r.army, r.set[c].Deposit(r.ground)) {
				found[c>>6] |= 1 << (c & 63)
			}
		}
	}
	r.turnTo(i)
}
