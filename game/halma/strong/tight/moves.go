package tight

// One piece is in the hand, the others of its army and the whole other army lie
// still. Then every position that differs in the cell of this piece alone is one bit
// of a word, and so is every position that its turn leads to. Steps go to
// neighbours; hops are possible between two empty cells on either side of a piece.
// Both are the same forth and back but for the rules, since the piece itself is not
// on the board.

// landings are the cells where steps and hops may lead: ups[i] those that a step by
// shift a[i] to the left leads to, downs[i] one to the right; hopUps[i] and hopDowns[i]
// those that a hop does.
type landings struct{ ups, downs, hopUps, hopDowns [3]uint64 }

// edges are the hops among the empty cells for one set of pieces lying still: up[i]
// are the cells where a hop by shift a[i] to the left lands, down[i] to the right.
type edges struct {
	empty    uint64
	up, down [3]uint64
}

// edges sets e to the hops between the empty cells beside the pieces still, turned
// round: they lead from where a hop ends to where it begins.
func (b *board) edges(e *edges, still uint64) { b.edgesRuled(e, still, &b.back) }

// edgesRuled sets e to the hops that obey rules: forth, or back turned round.
func (b *board) edgesRuled(e *edges, still uint64, rules *landings) {
	a0, a1, a2 := b.a[0]&63, b.a[1]&63, b.a[2]&63
	empty := b.cells &^ still
	e.empty = empty
	e.up = [3]uint64{still << a0 & empty, still << a1 & empty, still << a2 & empty}
	e.down = [3]uint64{still >> a0 & empty, still >> a1 & empty, still >> a2 & empty}
	if b.strict {
		for i := range 3 {
			e.up[i] &= rules.hopUps[i]
			e.down[i] &= rules.hopDowns[i]
		}
	}
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

// stepRuled returns the cells that steps which obey rules lead to from a cell of s:
// forth, or back turned round.
func (b *board) stepRuled(s uint64, rules *landings) uint64 {
	a0, a1, a2 := b.a[0]&63, b.a[1]&63, b.a[2]&63
	return s<<a0&rules.ups[0] | s>>a0&rules.downs[0] |
		s<<a1&rules.ups[1] | s>>a1&rules.downs[1] |
		s<<a2&rules.ups[2] | s>>a2&rules.downs[2]
}

// reach returns the cells from which one turn leads to a cell of s other than the
// cell itself, under the rules of the board: of the cells where a piece may stand. s
// must be such cells, and empty.
func (b *board) reach(e *edges, s uint64) (near uint64) {
	if b.unrestricted {
		return b.reachFree(e, s)
	}
	near = b.stepRuled(s, &b.back) & e.empty
	if b.together {
		return (near | b.chains(e, s, near, &b.forth)) & b.open
	}
	chains, last := uint64(0), uint64(0)
	for i, class := range b.class {
		to := s & b.allowed[i]
		if to != last {
			chains, last = b.chains(e, to, near, &b.forth), to
		}
		near |= chains & class
	}
	return near & b.open
}

// ends returns where one turn leads a piece beside the pieces still, other than back
// to where it is, under the rules of the board.
func (b *board) ends(still, piece uint64) uint64 {
	var e edges
	b.edgesRuled(&e, still, &b.forth)
	f := piece
	for n := piece; n != 0; {
		n = b.hop(&e, n) &^ f
		f |= n
	}
	return b.stepRuled(piece, &b.forth)&e.empty | f&^piece&b.allowedFrom(piece)
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
	if alone := s & back &^ near; alone != 0 {
		near |= b.alone(e, s, alone)
	}
	return near
}

// alone returns those cells of alone that hops of e, the same forth and back, lead to
// from another cell of s. alone is part of s.
func (b *board) alone(e *edges, s, alone uint64) (near uint64) {
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

// chains returns the cells outside s that hops of e lead to from a cell of s, and
// those of s, but perhaps for some that are near, that they lead to from another cell of
// s. turned has the same hops turned round.
func (b *board) chains(e *edges, s, near uint64, turned *landings) uint64 {
	h := b.hop(e, s)
	n := h &^ s
	if n == 0 {
		return h
	}
	f, back := s|h, uint64(0)
	for n != 0 {
		h := b.hop(e, n)
		back |= h
		n = h &^ f
		f |= h
	}
	h |= f &^ s
	alone := s & back &^ (near | h)
	switch {
	case alone == 0:
		return h
	case b.strict:
		return h | b.aloneRuled(e, s, alone, turned)
	}
	return h | b.alone(e, s, alone)
}

// aloneRuled is alone where ways back differ from ways forth: turned has the hops of e
// turned round.
func (b *board) aloneRuled(e *edges, s, alone uint64, turned *landings) (near uint64) {
	var back edges
	b.edgesRuled(&back, b.cells&^e.empty, turned)
	for ; alone != 0; alone &= alone - 1 {
		x := alone & -alone
		f, rest := x, s&^x
		for n := x; n != 0; {
			if n = b.hop(&back, n) &^ f; n&rest != 0 {
				near |= x
				break
			}
			f |= n
		}
	}
	return near
}

// mobile says whether the player whose army is movers has a legal turn against
// other, whose side it is seen from.
func (b *board) mobile(movers, other uint64) bool {
	everybody := movers | other
	if b.stepRuled(movers, &b.forth)&^everybody != 0 && !b.mayReachIllegal(movers, other) {
		return true
	}
	for x := movers; x != 0; x &= x - 1 {
		piece := x & -x
		for to := b.ends(everybody&^piece, piece); to != 0; to &= to - 1 {
			if !b.illegal(other, movers&^piece|to&-to) {
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
