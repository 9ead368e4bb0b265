package armies

import (
	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
)

// moves1 says where one piece in the hand gets to, for all cells of one word at
// once, as the board lies before its owner. The other pieces of its army and all
// other armies lie still. Cells stand at bits chosen so that a step is a shift by
// one of three constants that leads to a neighbour, to a bit that is no cell, or to
// one that landing rules out.
type moves1 struct {
	a, a2     [3]uint // the shifts, upwards, and twice as far
	landing   sets.Landing1
	all, open sets.Set1 // all cells; those where a piece of the army may end a turn
	// up[i] and down[i] are the cells from which a single hop by two shifts a[i]
	// obeys the rules that chains must obey hop by hop.
	up, down [3]sets.Set1
	classes  []class1
	// together says that hops which obey hop by hop obey as a whole, but for
	// closed cells: then all classes are flooded at once.
	together bool
}

// class1 is cells to which the same rules apply: from a cell of from a turn may
// end in to.
type class1 struct{ from, to sets.Set1 }

// newMoves1 prepares the rules for a seat.
func newMoves1(c *cells1, e *halma.Embedding, seat int) moves1 {
	t := c.spec
	rules := t.Turns(seat)
	m := moves1{all: c.all, open: c.cellSet(rules.Open), together: rules.Together}
	for _, class := range rules.Classes() {
		m.classes = append(m.classes, class1{c.cellSet(class.From), c.cellSet(class.End)})
	}
	for i, axis := range [3][2]halma.Dir{{halma.Left, halma.Right}, {halma.UpLeft, halma.DownRight}, {halma.UpRight, halma.DownLeft}} {
		m.a[i] = uint(max(e.Shift[axis[0]], -e.Shift[axis[0]]))
		m.a2[i] = 2 * m.a[i]
		for _, d := range axis {
			for from, next := range t.Next {
				over := next[d]
				if over < 0 {
					continue
				}
				m.landing.Add(i, e.Shift[d] > 0, c.bit[over])
				to := t.Next[over][d]
				if to < 0 || !rules.Hop[from].Has(int(to)) {
					continue
				}
				if e.Shift[d] > 0 {
					m.up[i] = m.up[i].Or(sets.Only1(c.bit[from]))
				} else {
					m.down[i] = m.down[i].Or(sets.Only1(c.bit[from]))
				}
			}
		}
	}
	return m
}

// edges returns the hops over the pieces still, turned round: they lead from where a
// hop ends to where it begins.
func (m *moves1) edges(still sets.Set1) (e sets.Edges1) {
	e.Empty = m.all.AndNot(still)
	for i, a := range m.a {
		e.Up[i] = still.Up(a).And(m.down[i]).And(e.Empty)
		e.Down[i] = still.Down(a).And(m.up[i]).And(e.Empty)
	}
	return e
}

// hop returns the cells from which a single hop leads to s, a set of empty cells.
func (m *moves1) hop(e *sets.Edges1, s sets.Set1) sets.Set1 { return e.Hop(&m.a2, s) }

// step returns the cells beside s, and perhaps bits that are no cells.
func (m *moves1) step(s sets.Set1) sets.Set1 { return s.Beside(&m.a, &m.landing) }

// beside returns the cells from which one step under the rules leads to a cell of s: a
// part of before, and perhaps cells that are not empty.
func (m *moves1) beside(s sets.Set1) (from sets.Set1) {
	for _, c := range m.classes {
		from = from.Or(m.step(s.And(c.to)).And(c.from))
	}
	return from
}

// before returns the cells from which one turn of the piece in the hand leads to
// a cell of s other than the cell itself. s must be empty cells that are open.
func (m *moves1) before(e *sets.Edges1, s sets.Set1) (from sets.Set1) {
	if m.together {
		return m.chains(e, s, m.beside(s).And(e.Empty)).And(m.open)
	}
	for _, c := range m.classes {
		if to := s.And(c.to); !to.IsEmpty() {
			from = from.Or(m.chains(e, to, m.step(to).And(e.Empty)).And(c.from))
		}
	}
	return from.And(m.open)
}

// after returns the cells that one turn of the piece in the hand leads to from a
// cell of s other than the cell itself. It is before with all hops turned round.
func (m *moves1) after(e *sets.Edges1, s sets.Set1) (to sets.Set1) {
	forth := sets.Edges1{Empty: e.Empty}
	for i, a2 := range m.a2 {
		forth.Up[i] = e.Down[i].Up(a2).And(e.Empty)
		forth.Down[i] = e.Up[i].Down(a2).And(e.Empty)
	}
	if m.together {
		for _, c := range m.classes {
			to = to.Or(m.step(s.And(c.from)).And(c.to))
		}
		return m.chains(&forth, s, to.And(e.Empty)).And(m.open)
	}
	for _, c := range m.classes {
		if from := s.And(c.from); !from.IsEmpty() {
			to = to.Or(m.chains(&forth, from, m.step(from).And(e.Empty)).And(c.to))
		}
	}
	return to.And(m.open)
}

// chains adds to near the cells from which a chain of hops leads to a cell of s
// other than the cell itself.
func (m *moves1) chains(e *sets.Edges1, s, near sets.Set1) sets.Set1 {
	h := m.hop(e, s)
	near = near.Or(h)
	n := h.AndNot(s)
	if n.IsEmpty() {
		return near
	}
	// Cells outside s are reached by the flood. A cell of s whose first hop leaves
	// s has to arrive at another cell of s than itself.
	f := s.Or(h)
	seen := n
	back := m.hop(e, n)
	for n = back.AndNot(f); !n.IsEmpty(); {
		f = f.Or(n)
		seen = seen.Or(n)
		h = m.hop(e, n)
		back = back.Or(h)
		n = h.AndNot(f)
	}
	near = near.Or(seen)
	for alone := back.And(s).AndNot(near); !alone.IsEmpty(); alone = alone.DropMin() {
		x := alone.First()
		f := s.AndNot(x)
		for n := f; !n.IsEmpty(); {
			n = m.hop(e, n).AndNot(f)
			f = f.Or(n)
		}
		near = near.Or(f.And(x))
	}
	return near
}

// mobile reports whether an army has a legal turn, blocked being the pieces of
// all others.
func (m *moves1) mobile(army, blocked sets.Set1) bool {
	for x := army; !x.IsEmpty(); x = x.DropMin() {
		piece := x.First()
		e := m.edges(army.AndNot(piece).Or(blocked))
		if m.before(&e, e.Empty.And(m.open).AndNot(piece)).Meets(piece) {
			return true
		}
	}
	return false
}

// steps returns the cells where a step of some piece of an army may end if they
// are empty: where one is, the army can move.
func (m *moves1) steps(army sets.Set1) (to sets.Set1) {
	for x := army; !x.IsEmpty(); x = x.DropMin() {
		for _, c := range m.classes {
			if piece := x.First(); piece.Meets(c.from) {
				to = to.Or(m.step(piece).And(c.to))
			}
		}
	}
	return to.And(m.all).AndNot(army)
}
