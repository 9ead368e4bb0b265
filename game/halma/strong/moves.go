package strong

import "perfectplay/game/halma/internal/sets"

// The inner loop of the solver. One piece is in the hand, the others of its army
// and the whole other army lie still. Then every position that differs in the cell
// of this piece alone is one bit of a word, and so is every position that its
// turn can lead to. Steps go to neighbours; hops are possible between two empty
// cells on either side of a piece. Both are the same forth and back but for the rules,
// since the piece itself is not on the board: "can reach a cell of s" is found for all
// cells at once, by moving the set s the other way.

// edges returns the hops between the empty cells beside the pieces still.
func (b *board1) edges(still sets.Set1) (e sets.Edges1) {
	e.Empty = b.cells.AndNot(still)
	e.Over(still, &b.a, &b.landing)
	return e
}

// edgesRuled returns those that obey rules: forth, or back turned round.
func (b *board1) edgesRuled(still sets.Set1, rules *sets.Landing1) (e sets.Edges1) {
	e.Empty = b.cells.AndNot(still)
	e.OverRuled(still, &b.a, rules)
	return e
}

// hop returns the cells that a single hop leads to from a cell of s, a set of
// empty cells.
func (b *board1) hop(e *sets.Edges1, s sets.Set1) sets.Set1 { return e.Hop(&b.a2, s) }

// step returns the cells beside s, and perhaps bits that are no cells.
func (b *board1) step(s sets.Set1) sets.Set1 { return s.Beside(&b.a, &b.landing) }

// stepRuled returns the cells from which a step under the rules of the board leads to a
// cell of s: a part of reachRuled, and perhaps bits that are not empty or no cells.
func (b *board1) stepRuled(s sets.Set1) sets.Set1 {
	if b.unrestricted {
		return b.step(s)
	}
	return s.BesideRuled(&b.a, &b.back)
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
	f, again := e.Flood(&b.a2, n, s.Or(h))
	near = near.Or(f.AndNot(s))
	if alone := s.And(again).AndNot(near); !alone.IsEmpty() {
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
// may stand, s where it would like to go, beside the pieces still.
func (b *board1) reachRuled(still, s sets.Set1) sets.Set1 {
	if b.unrestricted {
		e := b.edges(still)
		return b.reach(&e, s)
	}
	e := b.edgesRuled(still, &b.back)
	near := s.BesideRuled(&b.a, &b.back).And(e.Empty)
	if b.together {
		return near.Or(b.chains(&e, s, near, &b.forth))
	}
	var chains, last sets.Set1
	for i, class := range b.class {
		to := s.And(b.allowed[i])
		if to != last {
			chains, last = b.chains(&e, to, near, &b.forth), to
		}
		near = near.Or(chains.And(class))
	}
	return near
}

// endsRuled returns where one turn leads a piece that stands on a cell of s, other
// than back to where it was, under the rules of the board. s must be empty cells.
func (b *board1) endsRuled(still, s sets.Set1) sets.Set1 {
	if b.unrestricted {
		e := b.edges(still)
		return b.reach(&e, s)
	}
	e := b.edgesRuled(still, &b.forth)
	near := s.BesideRuled(&b.a, &b.forth).And(e.Empty)
	if b.together {
		return near.Or(b.chains(&e, s, near, &b.back)).And(b.open)
	}
	for i, class := range b.class {
		if from := s.And(class); !from.IsEmpty() {
			near = near.Or(b.chains(&e, from, near, &b.back).And(b.allowed[i]))
		}
	}
	return near.And(b.open)
}

// chains returns the cells outside s that hops of e lead to from a cell of s, and
// those of s, but perhaps for some that are near, that they lead to from another cell of
// s. turned has the same hops turned round.
func (b *board1) chains(e *sets.Edges1, s, near sets.Set1, turned *sets.Landing1) sets.Set1 {
	h := b.hop(e, s)
	n := h.AndNot(s)
	if n.IsEmpty() {
		return h
	}
	// A cell of s that is entered from outside of s alone may be so from itself alone.
	f, again := e.Flood(&b.a2, n, s.Or(h))
	h = h.Or(f.AndNot(s))
	alone := again.And(s).AndNot(near.Or(h))
	switch {
	case alone.IsEmpty():
		return h
	case b.strict:
		return h.Or(b.aloneRuled(e, s, alone, turned))
	}
	return h.Or(b.reachAlone(e, s, alone))
}

// aloneRuled returns those cells of alone that hops lead to from another cell of s.
// alone is part of s, turned has the hops of e turned round.
func (b *board1) aloneRuled(e *sets.Edges1, s, alone sets.Set1, turned *sets.Landing1) (near sets.Set1) {
	back := b.edgesRuled(b.cells.AndNot(e.Empty), turned)
	for ; !alone.IsEmpty(); alone = alone.DropMin() {
		x := alone.First()
		f, rest := x, s.AndNot(x)
		for n := x; !n.IsEmpty(); {
			if n = b.hop(&back, n).AndNot(f); n.Meets(rest) {
				near = near.Or(x)
				break
			}
			f = f.Or(n)
		}
	}
	return near
}

// mobile says whether the mover has a legal turn.
func (b *board1) mobile(mover, other sets.Set1) bool {
	everybody := mover.Or(other)
	if mover.BesideRuled(&b.a, &b.forth).AndNot(everybody).Meets(b.open) && !b.mayReachIllegal(mover, other) {
		return true
	}
	for x := mover; !x.IsEmpty(); x = x.DropMin() {
		piece := x.First()
		for to := b.endsRuled(everybody.AndNot(piece), piece); !to.IsEmpty(); to = to.DropMin() {
			if !b.illegal(b.turn(other), b.turn(mover.AndNot(piece).Or(to.First()))) {
				return true
			}
		}
	}
	return false
}
