package strong

import (
	"cmp"
	"math/bits"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
	"perfectplay/rank"
)

// kernel1 is the kernel for boards whose cells stand in one word.
type kernel1 struct {
	*layout
	b       *board1
	army    []sets.Set1 // of a column; empty in the gap
	turned  []sets.Set1 // the same, seen from the other side; all cells in the gap
	blocker []bool      // by column: as the other army it can make a blockade
	partial []sets.Set1 // armies without one piece: see layout.lifts
	// away[bit·words+i] are the columns of word i whose army, seen from the other side, has no
	// piece on a bit.
	away []uint64
}

// newKernel1 numbers the armies of a layout that has none yet.
func newKernel1(l *layout, e *halma.Embedding) error {
	b := newBoard1(l.spec, e)
	k := &kernel1{layout: l, b: b}
	l.kernel, l.span = k, b.span
	fewer, err := rank.NewSubsets(l.subsets.N(), l.k-1)
	if err != nil {
		return err
	}
	var single, paired []sets.Set1
	for i := range l.subsets.Size() {
		s := b.open.At(l.subsets.Unrank(i))
		switch c := s.Compare(b.flip(s)); {
		case c == 0:
			single = append(single, s)
		case c < 0:
			paired = append(paired, s)
		}
	}
	way := b.stepsToGoal()
	byWay := func(s, t sets.Set1) int { return cmp.Or(cmp.Compare(way(s), way(t)), s.Compare(t)) }
	slices.SortFunc(paired, byWay)
	slices.SortFunc(single, byWay)
	l.count(len(paired), len(single), int(fewer.Size())*sets.Words1)
	k.army = make([]sets.Set1, l.cols)
	copy(k.army, paired)
	copy(k.army[l.pairs:], single)
	for c, s := range paired {
		k.army[l.gap+c] = b.flip(s)
	}
	k.partial = make([]sets.Set1, fewer.Size())
	for i := range k.partial {
		k.partial[i] = b.open.At(fewer.Unrank(uint64(i)))
	}
	k.away = make([]uint64, b.span*l.words)
	k.turned, k.blocker = make([]sets.Set1, l.cols), make([]bool, l.cols)
	for c, s := range k.army {
		k.turned[c] = b.cells
		if l.inGap(c) {
			continue
		}
		k.turned[c] = b.turn(s)
		k.blocker[c] = b.holds(k.turned[c], false)
		for x := b.cells.AndNot(k.turned[c]); !x.IsEmpty(); x = x.DropMin() {
			k.away[int(x.Min())*l.words+c>>6] |= 1 << (c & 63)
		}
		l.order[s.RankIn(b.open, l.subsets)] = uint32(c)
		i := 0
		for x := s; !x.IsEmpty(); x = x.DropMin() {
			r := int(s.AndNot(x.First()).RankIn(b.open, fewer))
			l.lifts.of(c)[i] = uint32(r*64*sets.Words1) + uint32(x.Min())
			l.column[r*b.span+int(x.Min())] = uint32(c)
			i++
		}
	}
	// Cells are ranked by the order of their bits, those where no piece may stand
	// after the others.
	own, seen := make(bitboard.Perm, l.spec.Cells), make(bitboard.Perm, l.spec.Cells)
	number, n := [64 * sets.Words1]uint8{}, uint8(0)
	for _, cells := range [2]sets.Set1{b.open, b.cells.AndNot(b.open)} {
		for ; !cells.IsEmpty(); cells = cells.DropMin() {
			number[cells.Min()] = n
			n++
		}
	}
	for c, bit := range b.bit {
		own[c], seen[c] = number[bit], number[b.turned[bit]]
	}
	return l.setCells(own, seen)
}

// stepsToGoal returns a function that says how many steps an army is away from its
// goal's far end, all pieces together.
func (b *board1) stepsToGoal() func(army sets.Set1) int {
	away := func(from sets.Set1) (steps [64 * sets.Words1]int, last sets.Set1) {
		seen := from
		for n := 1; ; n++ {
			next := b.step(from).And(b.cells).AndNot(seen)
			if next.IsEmpty() {
				return steps, from
			}
			for x := next; !x.IsEmpty(); x = x.DropMin() {
				steps[x.Min()] = n
			}
			seen = seen.Or(next)
			from = next
		}
	}
	fromHome, _ := away(b.home)
	tip, most := b.goal, -1
	for x := b.goal; !x.IsEmpty(); x = x.DropMin() {
		if n := fromHome[x.Min()]; n > most {
			tip, most = x.First(), n
		}
	}
	steps, _ := away(tip)
	return func(army sets.Set1) (n int) {
		for ; !army.IsEmpty(); army = army.DropMin() {
			n += steps[army.Min()]
		}
		return n
	}
}

// place returns row and column of a position from its mover's side.
func (k *kernel1) place(mover, other sets.Set1) (row, col int) {
	return k.placeOf(k.columnOf(mover), k.columnOf(k.b.turn(other)))
}

// columnOf returns the column of an army.
func (k *kernel1) columnOf(s sets.Set1) int { return int(k.order[s.RankIn(k.b.open, k.subsets)]) }

func (k *kernel1) startPlace() (row, col int) { return k.place(k.b.home, k.b.goal) }

func (k *kernel1) ways() []int32 {
	ways, way := make([]int32, k.cols), k.b.stepsToGoal()
	for c, s := range k.army {
		ways[c] = int32(way(s))
	}
	return ways
}

func (k *kernel1) overlap(row, col int) bool { return k.army[row].Meets(k.turned[col]) }

func (k *kernel1) positions(row int, columns []uint64) {
	for i := range columns {
		columns[i] = ^uint64(0)
	}
	for x := k.army[row]; !x.IsEmpty(); x = x.DropMin() {
		at := int(x.Min()) * k.words
		for i, away := range k.away[at : at+k.words] {
			columns[i] &= away
		}
	}
}

func (k *kernel1) illegal(row, col int) bool { return k.b.illegal(k.army[row], k.turned[col]) }

func (k *kernel1) state(row, col int) rowState { return k.b.state(k.army[row], k.turned[col]) }

func (k *kernel1) terminal(row int, do func(col int, state rowState)) {
	b, mover := k.b, k.army[row]
	cols := k.cols
	if row >= k.pairs {
		cols = k.reps
	}
	// A position can be over only if the other army covers what the mover's
	// leaves open of a camp, and illegal besides only if one of them holds what
	// makes a blockade.
	home, goal := b.home.AndNot(mover), b.goal.AndNot(mover)
	whole := b.holds(mover, true)
	if !b.spec.Filled {
		home, goal = b.home, sets.Set1{}
		whole = whole || mover.Within(b.goal) || len(b.spec.Home) > k.k
		if !mover.Within(b.goal) {
			goal = b.cells
		}
	}
	for col, other := range k.turned[:cols] {
		if !whole && !home.Within(other) && !goal.Within(other) && !k.blocker[col] || mover.Meets(other) {
			continue
		}
		if state := b.state(mover, other); state != ongoing {
			do(col, state)
		}
	}
}

func (k *kernel1) follow(row, col int, next func(row, col int)) {
	b, mover, other := k.b, k.army[row], k.turned[col]
	any := false
	to := func(after sets.Set1) {
		if !b.illegal(b.turn(other), b.turn(after)) {
			any = true
			next(k.place(b.turn(other), b.turn(after)))
		}
	}
	for x := mover; !x.IsEmpty(); x = x.DropMin() {
		rest := mover.AndNot(x.First())
		for ends := b.endsRuled(rest.Or(other), x.First()); !ends.IsEmpty(); ends = ends.DropMin() {
			to(rest.Or(ends.First()))
		}
	}
	if !any {
		to(mover)
	}
}

func (k *kernel1) decideWins(w *worker, row int) {
	b, other := k.b, k.turned[row]
	reached := w.reached
	for i, x := range w.touched {
		w.touched[i] = 0
		for ; x != 0; x &= x - 1 {
			r := (i<<6 | bits.TrailingZeros64(x)) / sets.Words1
			lost := sets.Load1(w.lost, r)
			if lost.IsEmpty() {
				continue // another of its words was touched before
			}
			sets.Set1{}.Store(w.lost, r)
			near := b.reachRuled(k.partial[r].Or(other), lost).And(b.open)
			columns := k.column[r*b.span : (r+1)*b.span]
			for ; !near.IsEmpty(); near = near.DropMin() {
				c := columns[near.Min()]
				reached[c>>6] |= 1 << (c & 63)
			}
		}
	}
}

func (k *kernel1) decideLosses(w *worker, row int, bit uint64) {
	b, other := k.b, k.turned[row]
	// In variables, since fields are read again after each write to a slice.
	open, won, safe, candidates := b.open, w.won, w.safe, w.candidates[:0]
	for r, partial := range k.partial {
		// Most are not safe by a step already, which is known without any hop.
		may := open.AndNot(partial.Or(other))
		to := may.AndNot(sets.Load1(won, r))
		if partial.Meets(other) || may.Within(b.stepRuled(to)) {
			sets.Set1{}.Store(safe, r)
			continue
		}
		from := may.AndNot(b.reachRuled(partial.Or(other), to))
		from.Store(safe, r)
		if !from.IsEmpty() {
			candidates = append(candidates, uint32(r))
		}
	}
	w.candidates = candidates
	lifts, known, losses := k.lifts, w.known, w.losses
	for _, r := range candidates {
		// Each army once: with its highest piece in the hand.
		partial := k.partial[r]
		columns := k.column[int(r)*b.span : int(r+1)*b.span]
	next:
		for from := sets.Load1(safe, int(r)).Above(partial); !from.IsEmpty(); from = from.DropMin() {
			c := columns[from.Min()]
			if known[c]&bit != 0 {
				continue
			}
			for _, lift := range lifts.of(int(c)) {
				if safe[lift>>6]>>(lift&63)&1 == 0 {
					continue next
				}
			}
			if b.mobile(partial.Or(from.First()), other) {
				known[c] |= bit
				losses[c] |= bit
			} else {
				w.addMustPass(row, c)
			}
		}
	}
}

func (k *kernel1) expand(f *forward, row int, columns []uint32) {
	b, other := k.b, k.turned[row]
	f.touched = f.touched[:0]
	for _, c := range columns {
		army := k.army[c]
		if b.state(army, other) != ongoing {
			continue
		}
		if !b.mobile(army, other) {
			f.enter(row, int(c)) // a pass
			continue
		}
		for _, lift := range k.lifts.of(int(c)) {
			if f.from[lift>>6] == 0 {
				f.touched = append(f.touched, lift>>6)
			}
			f.from[lift>>6] |= 1 << (lift & 63)
		}
	}
	illegal := b.spec.MoverWonIllegal || len(b.spec.Blockades) > 0
	for _, i := range f.touched {
		r := int(i) / sets.Words1
		from := sets.Load1(f.from, r)
		if from.IsEmpty() {
			continue // another of its words was touched before
		}
		sets.Set1{}.Store(f.from, r)
		columns := k.column[r*b.span : (r+1)*b.span]
		for to := b.endsRuled(k.partial[r].Or(other), from); !to.IsEmpty(); to = to.DropMin() {
			c := int(columns[to.Min()])
			if illegal && b.illegal(k.army[row], k.turned[c]) {
				continue
			}
			f.enter(row, c)
		}
	}
}
