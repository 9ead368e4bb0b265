package armies

import "perfectplay/game/halma"

// moves says where one piece in the hand gets to, for all cells of a word at
// once, as the board lies before its owner. The other pieces of its army and all
// other armies lie still. Cells stand at bits chosen so that a step is a shift by
// one of three constants that leads to a neighbour or to a bit that is no cell.
type moves struct {
	a           [3]uint // the shifts, upwards
	cells, open uint64  // all cells; those where a piece of the army may end a turn
	// up[i] and down[i] are the cells from which a single hop by two shifts a[i]
	// obeys the rules that chains must obey hop by hop.
	up, down [3]uint64
	classes  []class
	// together says that hops which obey hop by hop obey as a whole, but for
	// closed cells: then all classes are flooded at once.
	together bool
}

// class is cells to which the same rules apply: from a cell of from a turn may
// end in to.
type class struct{ from, to uint64 }

// newMoves prepares the rules for a seat.
func newMoves(b *board, seat int) moves {
	t := b.spec
	home, goal := b.set(t.Home[seat]), b.set(t.Goal[seat])
	m := moves{a: b.a, cells: b.cells, open: b.cells &^ b.set(t.Closed[seat])}
	m.together = !(t.StayInGoal && t.GoalTransit) && !(t.StayOut && t.HomeTransit)
	for i, from := range [3]uint64{home, goal, b.cells &^ (home | goal)} {
		to := m.open
		if t.StayInGoal && i == 1 {
			to &= goal
		}
		if t.StayOut && i != 0 {
			to &^= home
		}
		m.add(class{from, to})
	}
	hop := func(from, to int) bool {
		f, d := uint64(1)<<b.bit[from], uint64(1)<<b.bit[to]
		return (t.GoalTransit || !t.StayInGoal || f&goal == 0 || d&goal != 0) &&
			(t.HomeTransit || !t.StayOut || f&home != 0 || d&home == 0) &&
			(t.ClosedTransit || d&m.open != 0)
	}
	for from := range t.Cells {
		for d := range halma.Dir(halma.Dirs) {
			over := t.Next[from][d]
			if over < 0 || t.Next[over][d] < 0 || !hop(from, int(t.Next[over][d])) {
				continue
			}
			for i, a := range b.a {
				switch int(a) {
				case int(b.bit[over]) - int(b.bit[from]):
					m.up[i] |= 1 << b.bit[from]
				case int(b.bit[from]) - int(b.bit[over]):
					m.down[i] |= 1 << b.bit[from]
				}
			}
		}
	}
	return m
}

// add adds a class, to an earlier one where that has the same rules.
func (m *moves) add(c class) {
	for i := range m.classes {
		if m.classes[i].to == c.to {
			m.classes[i].from |= c.from
			return
		}
	}
	m.classes = append(m.classes, c)
}

// edges are the hops that are possible over the pieces that lie still: up[i] are
// the cells from which a hop by two shifts a[i] is, if it lands on an empty cell.
type edges struct {
	empty    uint64
	up, down [3]uint64
}

// edges returns the hops over the pieces still.
func (m *moves) edges(still uint64) (e edges) {
	e.empty = m.cells &^ still
	for i, a := range m.a {
		e.up[i] = still >> (a & 63) & m.up[i] & e.empty
		e.down[i] = still << (a & 63) & m.down[i] & e.empty
	}
	return e
}

// hop returns the cells from which a single hop leads to s, a set of empty cells.
func (m *moves) hop(e *edges, s uint64) uint64 {
	a0, a1, a2 := 2*m.a[0]&63, 2*m.a[1]&63, 2*m.a[2]&63
	return s>>a0&e.up[0] | s<<a0&e.down[0] |
		s>>a1&e.up[1] | s<<a1&e.down[1] |
		s>>a2&e.up[2] | s<<a2&e.down[2]
}

// step returns the cells beside s, and perhaps bits that are no cells.
func (m *moves) step(s uint64) uint64 {
	a0, a1, a2 := m.a[0]&63, m.a[1]&63, m.a[2]&63
	return s<<a0 | s>>a0 | s<<a1 | s>>a1 | s<<a2 | s>>a2
}

// before returns the cells from which one turn of the piece in the hand leads to
// a cell of s other than the cell itself. s must be empty cells that are open.
func (m *moves) before(e *edges, s uint64) (from uint64) {
	if m.together {
		for _, c := range m.classes {
			from |= m.step(s&c.to) & c.from
		}
		return m.chains(e, s, from&e.empty) & m.open
	}
	for _, c := range m.classes {
		if to := s & c.to; to != 0 {
			from |= m.chains(e, to, m.step(to)&e.empty) & c.from
		}
	}
	return from & m.open
}

// chains adds to near the cells from which a chain of hops leads to a cell of s
// other than the cell itself.
func (m *moves) chains(e *edges, s, near uint64) uint64 {
	h := m.hop(e, s)
	near |= h
	n := h &^ s
	if n == 0 {
		return near
	}
	// Cells outside s are reached by the flood. A cell of s whose first hop leaves
	// s has to arrive at another cell of s than itself.
	f := s | h
	seen := n
	back := m.hop(e, n)
	for n = back &^ f; n != 0; {
		f |= n
		seen |= n
		h = m.hop(e, n)
		back |= h
		n = h &^ f
	}
	near |= seen
	for alone := back & s &^ near; alone != 0; alone &= alone - 1 {
		x := alone & -alone
		f := s &^ x
		for n := f; n != 0; {
			n = m.hop(e, n) &^ f
			f |= n
		}
		near |= f & x
	}
	return near
}

// mobile reports whether an army has a legal turn, blocked being the pieces of
// all others.
func (m *moves) mobile(army, blocked uint64) bool {
	for x := army; x != 0; x &= x - 1 {
		piece := x & -x
		e := m.edges(army&^piece | blocked)
		if m.before(&e, e.empty&m.open&^piece)&piece != 0 {
			return true
		}
	}
	return false
}

// steps returns the cells where a step of some piece of an army may end if they
// are empty: where one is, the army can move.
func (m *moves) steps(army uint64) (to uint64) {
	for x := army; x != 0; x &= x - 1 {
		for _, c := range m.classes {
			if piece := x & -x; piece&c.from != 0 {
				to |= m.step(piece) & c.to
			}
		}
	}
	return to & m.cells &^ army
}
