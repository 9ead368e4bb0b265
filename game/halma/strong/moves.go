package strong

// The inner loop of the solver. One piece is in the hand, the others of its army
// and the whole other army lie still. Then every position that differs in the cell
// of this piece alone is one bit of a word, and so is every position that its
// turn can lead to. Steps go to neighbours; hops are possible between two empty
// cells on either side of a piece. Both are the same forth and back, since the
// piece itself is not on the board: "can reach a cell of s" is found for all
// cells at once, by moving the set s.

// edges are the hops among the empty cells for one set of pieces lying still:
// up[i] are the cells where a hop by shift a[i] to the left lands, down[i] to the
// right.
type edges struct {
	empty    uint64
	up, down [3]uint64
}

// edges returns the hops between the empty cells beside the pieces still.
func (b *board) edges(still uint64) (e edges) {
	e.empty = b.cells &^ still
	for i, a := range b.a {
		e.up[i] = still << (a & 63) & e.empty
		e.down[i] = still >> (a & 63) & e.empty
	}
	return e
}

// hop returns the cells that a single hop leads to from a cell of s, a set of
// empty cells.
func (b *board) hop(e *edges, s uint64) uint64 {
	a0, a1, a2 := 2*b.a[0]&63, 2*b.a[1]&63, 2*b.a[2]&63
	return s<<a0&e.up[0] | s>>a0&e.down[0] |
		s<<a1&e.up[1] | s>>a1&e.down[1] |
		s<<a2&e.up[2] | s>>a2&e.down[2]
}

// step returns the cells beside s, and perhaps bits that are no cells.
func (b *board) step(s uint64) uint64 {
	a0, a1, a2 := b.a[0]&63, b.a[1]&63, b.a[2]&63
	return s<<a0 | s>>a0 | s<<a1 | s>>a1 | s<<a2 | s>>a2
}

// reach returns the cells from which one turn leads to a cell of s other than
// the cell itself, where no rule restricts turns. s must be empty cells.
func (b *board) reach(e *edges, s uint64) uint64 {
	h := b.hop(e, s)
	near := (b.step(s) | h) & e.empty
	n := h &^ s
	if n == 0 {
		return near
	}
	// Cells outside s are reached by the flood. A cell of s is if another cell
	// of s is among the cells that hops connect it to: a direct hop shows that,
	// longer ways are followed one by one.
	second := b.hop(e, n)
	f := s | h
	for n = second &^ f; n != 0; {
		f |= n
		n = b.hop(e, n) &^ f
	}
	near |= f &^ s
	if alone := s & second &^ near; alone != 0 {
		near |= b.reachAlone(e, s, alone)
	}
	return near
}

// reachAlone returns those cells of alone from which hops lead to another cell
// of s. alone is part of s.
func (b *board) reachAlone(e *edges, s, alone uint64) (near uint64) {
	for alone != 0 {
		x := alone & -alone
		f := x
		for n := b.hop(e, x); n != 0; n = b.hop(e, n) &^ f {
			f |= n
		}
		if f&s != x {
			near |= f & s
		}
		alone &^= f
	}
	return near
}

// reachRuled is reach under the rules of the board: from says where the piece
// may stand, s where it would like to go.
func (b *board) reachRuled(e *edges, s uint64) (near uint64) {
	if b.unrestricted {
		return b.reach(e, s)
	}
	for i, class := range b.class {
		if to := s & b.allowed[i]; to != 0 {
			if b.strict {
				near |= b.reachStrict(e, to) & class
			} else {
				near |= b.reach(e, to) & class
			}
		}
	}
	return near
}

// reachStrict is reach where every single hop must obey the rules, which makes
// ways back differ from ways forth.
func (b *board) reachStrict(e *edges, s uint64) uint64 {
	near := b.step(s) & e.empty
	first := b.hopBack(e, s)
	f := s | first
	for n := first &^ s; n != 0; {
		n = b.hopBack(e, n) &^ f
		f |= n
	}
	near |= first | f&^s
	for alone := s &^ near; alone != 0; alone &= alone - 1 {
		x := alone & -alone
		rest := s &^ x
		f := rest
		for n := rest; n != 0; {
			n = b.hopBack(e, n) &^ f
			f |= n
		}
		near |= f & x
	}
	return near
}

// hopBack returns the cells from which a single hop that obeys the rules leads
// to a cell of s.
func (b *board) hopBack(e *edges, s uint64) (from uint64) {
	for i, class := range b.hopClass {
		if to := s & b.hopAllowed[i]; to != 0 {
			from |= b.hop(e, to) & class
		}
	}
	return from
}
