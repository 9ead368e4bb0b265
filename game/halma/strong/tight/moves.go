package tight

// One piece is in the hand, the others of its army and the whole other army lie
// still. Then every position that differs in the cell of this piece alone is one bit
// of a word, and so is every position that its turn leads to. Steps go to
// neighbours; hops are possible between two empty cells on either side of a piece.
// Both are the same forth and back, since the piece itself is not on the board.

// edges are the hops among the empty cells for one set of pieces lying still: up[i]
// are the cells where a hop by shift a[i] to the left lands, down[i] to the right.
type edges struct {
	empty    uint64
	up, down [3]uint64
}

// edges sets e to the hops between the empty cells beside the pieces still.
func (b *board) edges(e *edges, still uint64) {
	a0, a1, a2 := b.a[0]&63, b.a[1]&63, b.a[2]&63
	empty := b.cells &^ still
	e.empty = empty
	e.up = [3]uint64{still << a0 & empty, still << a1 & empty, still << a2 & empty}
	e.down = [3]uint64{still >> a0 & empty, still >> a1 & empty, still >> a2 & empty}
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

// reach returns the cells from which one turn leads to a cell of s other than the
// cell itself, under the rules of the board: of the cells where a piece may stand. s
// must be such cells, and empty.
func (b *board) reach(e *edges, s uint64) (near uint64) {
	if b.unrestricted {
		return b.reachFree(e, s)
	}
	for i, class := range b.class {
		if to := s & b.allowed[i]; to != 0 {
			if b.strict {
				near |= b.reachStrict(e, to) & class
			} else {
				near |= b.reachFree(e, to) & class
			}
		}
	}
	return near & b.open
}

// reachFree is reach where no rule restricts turns.
func (b *board) reachFree(e *edges, s uint64) uint64 {
	a0, a1, a2 := 2*b.a[0]&63, 2*b.a[1]&63, 2*b.a[2]&63
	u0, u1, u2, d0, d1, d2 := e.up[0], e.up[1], e.up[2], e.down[0], e.down[1], e.down[2]
	// The flood has hop written out: most of the time is spent here.
	h := s<<a0&u0 | s>>a0&d0 | s<<a1&u1 | s>>a1&d1 | s<<a2&u2 | s>>a2&d2
	near := (b.step(s) | h) & e.empty
	n := h &^ s
	if n == 0 {
		return near
	}
	// Cells outside s are reached by the flood. A cell of s is if another cell of s
	// is among the cells that hops connect it to: a direct hop shows that, longer ways
	// are followed one by one.
	back, f := uint64(0), s|h
	for n != 0 {
		h := n<<a0&u0 | n>>a0&d0 | n<<a1&u1 | n>>a1&d1 | n<<a2&u2 | n>>a2&d2
		back |= h
		n = h &^ f
		f |= h
	}
	near |= f &^ s
	for alone := s & back &^ near; alone != 0; {
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

// reachStrict is reachFree where every single hop must obey the rules, which makes
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

// hopBack returns the cells from which a single hop that obeys the rules leads to a
// cell of s.
func (b *board) hopBack(e *edges, s uint64) (from uint64) {
	for i, class := range b.hopClass {
		if to := s & b.hopAllowed[i]; to != 0 {
			from |= b.hop(e, to) & class
		}
	}
	return from
}

// mobile says whether the player whose army is movers has a legal turn against
// other, whose side it is seen from.
func (b *board) mobile(movers, other uint64) bool {
	empty := b.cells &^ (movers | other)
	if b.unrestricted && b.step(movers)&empty != 0 && !b.mayReachIllegal(movers, other) {
		return true
	}
	var e edges
	for x := movers; x != 0; x &= x - 1 {
		piece := x & -x
		b.edges(&e, movers&^piece|other)
		to := e.empty & b.open &^ piece
		if !b.strict {
			// What leads back leads forth.
			to &= b.reachFree(&e, piece) & b.allowedFrom(piece)
		}
		for ; to != 0; to &= to - 1 {
			cell := to & -to
			if (!b.strict || b.reach(&e, cell)&piece != 0) && !b.illegal(other, movers&^piece|cell) {
				return true
			}
		}
	}
	return false
}

// allowedFrom returns where the turn of a piece may end.
func (b *board) allowedFrom(piece uint64) uint64 {
	for i, class := range b.class {
		if class&piece != 0 {
			return b.allowed[i]
		}
	}
	return 0
}

// mayReachIllegal says whether some turn of movers might make a position that is
// illegal for other to be in. A no is certain, a yes is not.
func (b *board) mayReachIllegal(movers, other uint64) bool {
	if b.spec.MoverWonIllegal {
		if !b.spec.Filled {
			return true
		}
		if open := b.goal &^ (movers | other); open&(open-1) == 0 {
			return true
		}
	}
	for _, p := range b.blockades {
		missing := p.held &^ other
		if !p.byMover {
			missing = p.held &^ movers
			missing &= missing - 1 // one more may come with the turn
		}
		if missing == 0 {
			return true
		}
	}
	return false
}
