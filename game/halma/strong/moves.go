package strong

// The inner loop of the solver. One piece is in the hand, the others of its army
// and the whole other army lie still. Then every position that differs in the cell
// of this piece alone is one bit of a word, and so is every position that its
// turn can lead to. Steps go to neighbours; hops are possible between two empty
// cells on either side of a piece. Both are the same forth and back, since the
// piece itself is not on the board: "can reach a cell of s" is found for all
// cells at once, by moving the set s.

// edges1 are the hops among the empty cells for one set of pieces lying still:
// up[i] are the cells where a hop by shift a[i] upwards lands, down[i] downwards.
type edges1 struct {
	empty    set1
	up, down [3]set1
}

// edges returns the hops between the empty cells beside the pieces still.
func (b *board1) edges(still set1) (e edges1) {
	e.empty = b.cells.andNot(still)
	for i, a := range b.a {
		e.up[i] = b.landing.hopUp(i, still.up(a).and(e.empty))
		e.down[i] = b.landing.hopDown(i, still.down(a).and(e.empty))
	}
	return e
}

// hop returns the cells that a single hop leads to from a cell of s, a set of
// empty cells.
func (b *board1) hop(e *edges1, s set1) set1 {
	left, upLeft, upRight := 2*b.a[0], 2*b.a[1], 2*b.a[2]
	t := s.up(left).and(e.up[0]).or(s.down(left).and(e.down[0]))
	t = t.or(s.up(upLeft).and(e.up[1])).or(s.down(upLeft).and(e.down[1]))
	return t.or(s.up(upRight).and(e.up[2])).or(s.down(upRight).and(e.down[2]))
}

// step returns the cells beside s, and perhaps bits that are no cells.
func (b *board1) step(s set1) set1 {
	left, upLeft, upRight, l := b.a[0], b.a[1], b.a[2], &b.landing
	t := l.up(0, s.up(left)).or(l.down(0, s.down(left)))
	t = t.or(l.up(1, s.up(upLeft))).or(l.down(1, s.down(upLeft)))
	return t.or(l.up(2, s.up(upRight))).or(l.down(2, s.down(upRight)))
}

// reach returns the cells from which one turn leads to a cell of s other than
// the cell itself, where no rule restricts turns. s must be empty cells.
func (b *board1) reach(e *edges1, s set1) set1 {
	h := b.hop(e, s)
	near := b.step(s).or(h).and(e.empty)
	n := h.andNot(s)
	if n.isEmpty() {
		return near
	}
	// Cells outside s are reached by the flood. A cell of s is if another cell
	// of s is among the cells that hops connect it to: a direct hop shows that,
	// longer ways are followed one by one.
	second := b.hop(e, n)
	f := s.or(h)
	for n = second.andNot(f); !n.isEmpty(); {
		f = f.or(n)
		n = b.hop(e, n).andNot(f)
	}
	near = near.or(f.andNot(s))
	if alone := s.and(second).andNot(near); !alone.isEmpty() {
		near = near.or(b.reachAlone(e, s, alone))
	}
	return near
}

// reachAlone returns those cells of alone from which hops lead to another cell
// of s. alone is part of s.
func (b *board1) reachAlone(e *edges1, s, alone set1) (near set1) {
	for !alone.isEmpty() {
		x := alone.first()
		f := x
		for n := b.hop(e, x); !n.isEmpty(); n = b.hop(e, n).andNot(f) {
			f = f.or(n)
		}
		if f.and(s) != x {
			near = near.or(f.and(s))
		}
		alone = alone.andNot(f)
	}
	return near
}

// reachRuled is reach under the rules of the board: from says where the piece
// may stand, s where it would like to go.
func (b *board1) reachRuled(e *edges1, s set1) (near set1) {
	if b.unrestricted {
		return b.reach(e, s)
	}
	for i, class := range b.class {
		if to := s.and(b.allowed[i]); !to.isEmpty() {
			if b.strict {
				near = near.or(b.reachStrict(e, to).and(class))
			} else {
				near = near.or(b.reach(e, to).and(class))
			}
		}
	}
	return near
}

// reachStrict is reach where every single hop must obey the rules, which makes
// ways back differ from ways forth.
func (b *board1) reachStrict(e *edges1, s set1) set1 {
	near := b.step(s).and(e.empty)
	first := b.hopBack(e, s)
	f := s.or(first)
	for n := first.andNot(s); !n.isEmpty(); {
		n = b.hopBack(e, n).andNot(f)
		f = f.or(n)
	}
	near = near.or(first).or(f.andNot(s))
	for alone := s.andNot(near); !alone.isEmpty(); alone = alone.dropMin() {
		x := alone.first()
		rest := s.andNot(x)
		f := rest
		for n := rest; !n.isEmpty(); {
			n = b.hopBack(e, n).andNot(f)
			f = f.or(n)
		}
		near = near.or(f.and(x))
	}
	return near
}

// hopBack returns the cells from which a single hop that obeys the rules leads
// to a cell of s.
func (b *board1) hopBack(e *edges1, s set1) (from set1) {
	for i, class := range b.hopClass {
		if to := s.and(b.hopAllowed[i]); !to.isEmpty() {
			from = from.or(b.hop(e, to).and(class))
		}
	}
	return from
}

// ends returns where one turn leads a piece that stands on a cell of s, other
// than back to where it was, under the rules of the board.
func (b *board1) ends(e *edges1, s set1) (to set1) {
	for i, class := range b.class {
		from := s.and(class)
		if from.isEmpty() {
			continue
		}
		if !b.strict {
			to = to.or(b.reach(e, from).and(b.allowed[i]))
			continue
		}
		for ; !from.isEmpty(); from = from.dropMin() {
			x := from.first()
			seen := x
			for n := x; !n.isEmpty(); {
				var next set1
				for j, class := range b.hopClass {
					next = next.or(b.hop(e, n.and(class)).and(b.hopAllowed[j]))
				}
				n = next.andNot(seen)
				seen = seen.or(n)
			}
			to = to.or(seen.andNot(x).or(b.step(x).and(e.empty)).and(b.allowed[i]))
		}
	}
	return to
}

// mobile says whether the mover has a legal turn.
func (b *board1) mobile(mover, other set1) bool {
	empty := b.cells.andNot(mover.or(other))
	if b.unrestricted && b.step(mover).meets(empty) && !b.mayReachIllegal(mover, other) {
		return true
	}
	for x := mover; !x.isEmpty(); x = x.dropMin() {
		piece := x.first()
		rest := mover.andNot(piece)
		e := b.edges(rest.or(other))
		for to := e.empty.and(b.open).andNot(piece); !to.isEmpty(); to = to.dropMin() {
			cell := to.first()
			if b.reachRuled(&e, cell).meets(piece) && !b.illegal(b.turn(other), b.turn(rest.or(cell))) {
				return true
			}
		}
	}
	return false
}
