package strong

import "perfectplay/game/halma/internal/sets"

// One piece is in the hand, the others of its army and the whole other army lie
// still. Then every position that differs in the cell of this piece alone is one bit
// of a word, and so is every position that its turn leads to. Steps go to
// neighbours; hops are possible between two empty cells on either side of a piece.
// Both are the same forth and back but for the rules, since the piece itself is not
// on the board.

// edges sets e to the hops between the empty cells beside the pieces still, turned
// round: they lead from where a hop ends to where it begins.
func (b *board1) edges(e *sets.Edges1, still sets.Set1) { b.edgesRuled(e, still, &b.back) }

// edgesRuled sets e to the hops that obey rules: forth, or back turned round.
func (b *board1) edgesRuled(e *sets.Edges1, still sets.Set1, rules *sets.Landing1) {
	e.Empty = b.cells.AndNot(still)
	if b.strict {
		e.OverRuled(still, &b.a, rules)
	} else {
		e.Over(still, &b.a, &b.landing)
	}
}

// hop returns the cells that a single hop leads to from a cell of s, a set of
// empty cells.
func (b *board1) hop(e *sets.Edges1, s sets.Set1) sets.Set1 { return e.Hop(&b.a2, s) }

// reach returns the cells from which one turn leads to a cell of s other than the
// cell itself, under the rules of the board: of the cells where a piece may stand. s
// must be such cells, and empty.
func (b *board1) reach(e *sets.Edges1, s sets.Set1) (near sets.Set1) {
	if b.unrestricted {
		return b.reachFree(e, s)
	}
	near = s.BesideRuled(&b.a, &b.back).And(e.Empty)
	if b.together {
		return near.Or(b.chains(e, s, near, &b.forth)).And(b.open)
	}
	var chains, last sets.Set1
	for i, class := range b.class {
		to := s.And(b.allowed[i])
		if to != last {
			chains, last = b.chains(e, to, near, &b.forth), to
		}
		near = near.Or(chains.And(class))
	}
	return near.And(b.open)
}

// ends returns where one turn leads a piece that stands on a cell of s beside the pieces
// still, other than back to where it was, under the rules of the board. s must be empty.
func (b *board1) ends(still, s sets.Set1) (near sets.Set1) {
	var e sets.Edges1
	b.edgesRuled(&e, still, &b.forth)
	near = s.BesideRuled(&b.a, &b.forth).And(e.Empty)
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

// reachFree is reach where no rule restricts turns.
func (b *board1) reachFree(e *sets.Edges1, s sets.Set1) sets.Set1 {
	h := b.hop(e, s)
	near := s.Beside(&b.a, &b.landing).Or(h).And(e.Empty)
	n := h.AndNot(s)
	if n.IsEmpty() {
		return near
	}
	// Cells outside s are reached by the flood. A cell of s is if another cell of s
	// is among the cells that hops connect it to: a direct hop shows that, longer ways
	// are followed one by one.
	f, again := e.Flood(&b.a2, n, s.Or(h))
	near = near.Or(f.AndNot(s))
	if alone := s.And(again).AndNot(near); !alone.IsEmpty() {
		near = near.Or(b.alone(e, s, alone))
	}
	return near
}

// alone returns those cells of alone that hops of e, the same forth and back, lead to
// from another cell of s. alone is part of s.
func (b *board1) alone(e *sets.Edges1, s, alone sets.Set1) (near sets.Set1) {
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
	return h.Or(b.alone(e, s, alone))
}

// aloneRuled is alone where ways back differ from ways forth: turned has the hops of e
// turned round.
func (b *board1) aloneRuled(e *sets.Edges1, s, alone sets.Set1, turned *sets.Landing1) (near sets.Set1) {
	var back sets.Edges1
	b.edgesRuled(&back, b.cells.AndNot(e.Empty), turned)
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

// mobile says whether the player whose army is movers has a legal turn against
// other, whose side it is seen from. The position must not be over.
func (b *board1) mobile(movers, other sets.Set1) bool {
	everybody := movers.Or(other)
	// Whoever leaves another goal unfilled by a step elsewhere has not filled it.
	if !movers.BesideRuled(&b.a, &b.forth).AndNot(everybody.Or(b.exposed)).IsEmpty() && !b.mayReachIllegal(movers, other) {
		return true
	}
	for x := movers; !x.IsEmpty(); x = x.DropMin() {
		piece := x.First()
		for to := b.ends(everybody.AndNot(piece), piece); !to.IsEmpty(); to = to.DropMin() {
			if !b.illegal(other, movers.AndNot(piece).Or(to.First())) {
				return true
			}
		}
	}
	return false
}

// mayReachIllegal says whether some step of movers to a cell that is not exposed might make
// a position that is illegal for other to be in. A no is certain, a yes is not.
func (b *board1) mayReachIllegal(movers, other sets.Set1) bool {
	if b.spec.MoverWonIllegal && !b.spec.Filled && other.Within(b.goal) {
		return true
	}
	for _, p := range b.blockades {
		missing := p.held.AndNot(other)
		if !p.byMover {
			missing = p.held.AndNot(movers).DropMin() // one more may come with the turn
		}
		if missing.IsEmpty() {
			return true
		}
	}
	return false
}
