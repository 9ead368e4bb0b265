package strong

import "perfectplay/game/halma/internal/sets"

// The inner loop of the solver. One piece is in the hand, the others of its army
// and the whole other army lie still. Then every position that differs in the cell
// of this piece alone is one bit of a word, and so is every position that its
// turn can lead to. Steps go to neighbours; hops are possible between two empty
// cells on either side of a piece. Both are the same forth and back, since the
// piece itself is not on the board: "can reach a cell of s" is found for all
// cells at once, by moving the set s.

// edges returns the hops between the empty cells beside the pieces still.
func (b *board1) edges(still sets.Set1) (e sets.Edges1) {
	e.Empty = b.cells.AndNot(still)
	e.Over(still, &b.a, &b.landing)
	return e
}

// hop returns the cells that a single hop leads to from a cell of s, a set of
// empty cells.
func (b *board1) hop(e *sets.Edges1, s sets.Set1) sets.Set1 { return e.Hop(&b.a2, s) }

// step returns the cells beside s, and perhaps bits that are no cells.
func (b *board1) step(s sets.Set1) sets.Set1 { return s.Beside(&b.a, &b.landing) }

// stepRuled returns the cells from which a step under the rules of the board leads to a
// cell of s: a part of reachRuled, and perhaps bits that are not empty or no cells.
func (b *board1) stepRuled(s sets.Set1) (near sets.Set1) {
	if b.unrestricted {
		return b.step(s)
	}
	for i, class := range b.class {
		near = near.Or(b.step(s.And(b.allowed[i])).And(class))
	}
	return near
}

// reach returns the cells from which one turn leads to a cell of s other than
// the cell itself, where no rule restricts turns. s must be empty cells.
func (b *board1) reach(e *sets.Edges1, s sets.Set1) sets.Set1 {
	h := b.hop(e, s)
	near := b.step(s).Or(h).And(e.Empty)
	n := h.AndNot(s)
	if n.IsEmpty() {
		return near
	}
	// Cells outside s are reached by the flood. A cell of s is if another cell
	// of s is among the cells that hops connect it to: a direct hop shows that,
	// longer ways are followed one by one.
	second := b.hop(e, n)
	f := s.Or(h)
	for n = second.AndNot(f); !n.IsEmpty(); {
		f = f.Or(n)
		n = b.hop(e, n).AndNot(f)
	}
	near = near.Or(f.AndNot(s))
	if alone := s.And(second).AndNot(near); !alone.IsEmpty() {
		near = near.Or(b.reachAlone(e, s, alone))
	}
	return near
}

// reachAlone returns those cells of alone from which hops lead to another cell
// of s. alone is part of s.
func (b *board1) reachAlone(e *sets.Edges1, s, alone sets.Set1) (near sets.Set1) {
	for !alone.IsEmpty() {
		x := alone.First()
		f := x
		for n := b.hop(e, x); !n.IsEmpty(); n = b.hop(e, n).AndNot(f) {
			f = f.Or(n)
		}
		if f.And(s) != x {
			near = near.Or(f.And(s))
		}
		alone = alone.AndNot(f)
	}
	return near
}

// reachRuled is reach under the rules of the board: from says where the piece
// may stand, s where it would like to go.
func (b *board1) reachRuled(e *sets.Edges1, s sets.Set1) (near sets.Set1) {
	if b.unrestricted {
		return b.reach(e, s)
	}
	for i, class := range b.class {
		if to := s.And(b.allowed[i]); !to.IsEmpty() {
			if b.strict {
				near = near.Or(b.reachStrict(e, to).And(class))
			} else {
				near = near.Or(b.reach(e, to).And(class))
			}
		}
	}
	return near
}

// reachStrict is reach where every single hop must obey the rules, which makes
// ways back differ from ways forth.
func (b *board1) reachStrict(e *sets.Edges1, s sets.Set1) sets.Set1 {
	near := b.step(s).And(e.Empty)
	first := b.hopBack(e, s)
	f := s.Or(first)
	for n := first.AndNot(s); !n.IsEmpty(); {
		n = b.hopBack(e, n).AndNot(f)
		f = f.Or(n)
	}
	near = near.Or(first).Or(f.AndNot(s))
	for alone := s.AndNot(near); !alone.IsEmpty(); alone = alone.DropMin() {
		x := alone.First()
		rest := s.AndNot(x)
		f := rest
		for n := rest; !n.IsEmpty(); {
			n = b.hopBack(e, n).AndNot(f)
			f = f.Or(n)
		}
		near = near.Or(f.And(x))
	}
	return near
}

// hopBack returns the cells from which a single hop that obeys the rules leads
// to a cell of s.
func (b *board1) hopBack(e *sets.Edges1, s sets.Set1) (from sets.Set1) {
	for i, class := range b.hopClass {
		if to := s.And(b.hopAllowed[i]); !to.IsEmpty() {
			from = from.Or(b.hop(e, to).And(class))
		}
	}
	return from
}

// ends returns where one turn leads a piece that stands on a cell of s, other
// than back to where it was, under the rules of the board.
func (b *board1) ends(e *sets.Edges1, s sets.Set1) (to sets.Set1) {
	for i, class := range b.class {
		from := s.And(class)
		if from.IsEmpty() {
			continue
		}
		if !b.strict {
			to = to.Or(b.reach(e, from).And(b.allowed[i]))
			continue
		}
		for ; !from.IsEmpty(); from = from.DropMin() {
			x := from.First()
			seen := x
			for n := x; !n.IsEmpty(); {
				var next sets.Set1
				for j, class := range b.hopClass {
					next = next.Or(b.hop(e, n.And(class)).And(b.hopAllowed[j]))
				}
				n = next.AndNot(seen)
				seen = seen.Or(n)
			}
			to = to.Or(seen.AndNot(x).Or(b.step(x).And(e.Empty)).And(b.allowed[i]))
		}
	}
	return to
}

// mobile says whether the mover has a legal turn.
func (b *board1) mobile(mover, other sets.Set1) bool {
	empty := b.cells.AndNot(mover.Or(other))
	if b.unrestricted && b.step(mover).Meets(empty) && !b.mayReachIllegal(mover, other) {
		return true
	}
	for x := mover; !x.IsEmpty(); x = x.DropMin() {
		piece := x.First()
		rest := mover.AndNot(piece)
		e := b.edges(rest.Or(other))
		for to := e.Empty.And(b.open).AndNot(piece); !to.IsEmpty(); to = to.DropMin() {
			cell := to.First()
			if b.reachRuled(&e, cell).Meets(piece) && !b.illegal(b.turn(other), b.turn(rest.Or(cell))) {
				return true
			}
		}
	}
	return false
}
