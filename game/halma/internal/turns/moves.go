package turns

import (
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma/internal/sets"
)

// One piece is in the hand, the others of its army and all other armies lie
// still. Then every position that differs in the cell of this piece alone is one bit
// of a word, and so is every position that its turn leads to. Steps go to
// neighbours; hops are possible between two empty cells on either side of a piece.
// Both are the same forth and back but for the rules, since the piece itself is not
// on the board.

// Moves1 is where a piece of an army in the hand gets to, for all cells of one word at once.
// Cells stand at bits chosen so that a step in each of the six directions is a shift by one
// of three constants, up or down, that leads from a cell to its neighbour, to a bit that is
// no cell, or to one that landing rules out.
type Moves1 struct {
	A, A2 [3]uint   // the three shifts, and twice as far
	Cells sets.Set1 // all cells
	Open  sets.Set1 // cells where a piece may stand
	// Class parts the cells by which rules hold for a piece that starts a turn there,
	// Allowed[i] is where a piece from Class[i] may end it.
	Class, Allowed []sets.Set1
	// Forth are the steps, and the hops of a chain, that obey the rules; a chain may pass
	// where a turn may not end. Back are the same turned round, landing those of no rules.
	Forth, Back, landing sets.Landing1
	// Unrestricted says that no rule restricts where a piece may go, Strict that rules forbid
	// single hops, Together that chains of hops that obey do so as a whole, but for closed
	// cells.
	Unrestricted, Strict, Together bool
}

// Bits1 returns cells, bit c being cell c, as the set of the bits that they stand at.
func Bits1(cells bitboard.Set128, bit []uint8) (s sets.Set1) {
	for c := range cells.Cells() {
		s = s.Or(sets.Only1(bit[c]))
	}
	return s
}

// NewMoves1 prepares the rules for a board: cell c has the neighbours next[c], stands at
// bit[c], and a step in direction d is a shift upwards by shift[d].
func NewMoves1(t *Turns, next [][6]int16, bit []uint8, shift *[6]int) (m Moves1) {
	m.Unrestricted, m.Strict, m.Together = t.Unrestricted, !t.Free, t.Together
	m.Cells, m.Open = Bits1(bitboard.First128(t.Cells), bit), Bits1(t.Open, bit)
	for _, c := range t.Classes() {
		m.Class, m.Allowed = append(m.Class, Bits1(c.From, bit)), append(m.Allowed, Bits1(c.End, bit))
	}
	// To each cell there is but one way by a shift, so rules for two cells become sets of
	// the second.
	shifts := m.A[:0]
	for d, by := range shift {
		up, far := by > 0, uint(max(by, -by))
		i := slices.Index(shifts, far)
		if i < 0 {
			i, shifts = len(shifts), append(shifts, far)
			m.A2[i] = 2 * far
		}
		for c := range t.Cells {
			over := int(next[c][d])
			if over < 0 {
				continue
			}
			m.landing.Add(i, up, bit[over])
			if t.Open.Has(c) && t.End[c].Has(over) {
				m.Forth.Add(i, up, bit[over])
				m.Back.Add(i, !up, bit[c])
			}
			to := int(next[over][d])
			if to < 0 {
				continue
			}
			m.landing.AddHop(i, up, bit[to])
			if t.Hop[c].Has(to) {
				m.Forth.AddHop(i, up, bit[to])
				m.Back.AddHop(i, !up, bit[c])
			}
		}
	}
	return m
}

// Edges sets e to the hops between the empty cells beside the pieces still, turned
// round: they lead from where a hop ends to where it begins.
func (m *Moves1) Edges(e *sets.Edges1, still sets.Set1) { m.edgesRuled(e, still, &m.Back) }

// edgesRuled sets e to the hops that obey rules: forth, or back turned round.
func (m *Moves1) edgesRuled(e *sets.Edges1, still sets.Set1, rules *sets.Landing1) {
	e.Empty = m.Cells.AndNot(still)
	if m.Strict {
		e.OverRuled(still, &m.A, rules)
	} else {
		e.Over(still, &m.A, &m.landing)
	}
}

// hop returns the cells that a single hop leads to from a cell of s, a set of
// empty cells.
func (m *Moves1) hop(e *sets.Edges1, s sets.Set1) sets.Set1 { return e.Hop(&m.A2, s) }

// Reach returns the cells from which one turn leads to a cell of s other than the
// cell itself, under the rules of the board: of the cells where a piece may stand. s
// must be such cells, and empty.
func (m *Moves1) Reach(e *sets.Edges1, s sets.Set1) (near sets.Set1) {
	if m.Unrestricted {
		return m.reachFree(e, s)
	}
	near = s.BesideRuled(&m.A, &m.Back).And(e.Empty)
	if m.Together {
		return near.Or(m.chains(e, s, near, &m.Forth)).And(m.Open)
	}
	var chains, last sets.Set1
	for i, class := range m.Class {
		to := s.And(m.Allowed[i])
		if to != last {
			chains, last = m.chains(e, to, near, &m.Forth), to
		}
		near = near.Or(chains.And(class))
	}
	return near.And(m.Open)
}

// Ends returns where one turn leads a piece that stands on a cell of s beside the pieces
// still, other than back to where it was, under the rules of the board. s must be empty.
func (m *Moves1) Ends(still, s sets.Set1) (near sets.Set1) {
	var e sets.Edges1
	m.edgesRuled(&e, still, &m.Forth)
	near = s.BesideRuled(&m.A, &m.Forth).And(e.Empty)
	if m.Together {
		return near.Or(m.chains(&e, s, near, &m.Back)).And(m.Open)
	}
	for i, class := range m.Class {
		if from := s.And(class); !from.IsEmpty() {
			near = near.Or(m.chains(&e, from, near, &m.Back).And(m.Allowed[i]))
		}
	}
	return near.And(m.Open)
}

// reachFree is Reach where no rule restricts turns.
func (m *Moves1) reachFree(e *sets.Edges1, s sets.Set1) sets.Set1 {
	h := m.hop(e, s)
	near := s.Beside(&m.A, &m.landing).Or(h).And(e.Empty)
	n := h.AndNot(s)
	if n.IsEmpty() {
		return near
	}
	// Cells outside s are reached by the flood. A cell of s is if another cell of s
	// is among the cells that hops connect it to: a direct hop shows that, longer ways
	// are followed one by one.
	f, again := e.Flood(&m.A2, n, s.Or(h))
	near = near.Or(f.AndNot(s))
	if alone := s.And(again).AndNot(near); !alone.IsEmpty() {
		near = near.Or(m.alone(e, s, alone))
	}
	return near
}

// alone returns those cells of alone that hops of e, the same forth and back, lead to
// from another cell of s. alone is part of s.
func (m *Moves1) alone(e *sets.Edges1, s, alone sets.Set1) (near sets.Set1) {
	for !alone.IsEmpty() {
		x := alone.First()
		f := x
		for n := m.hop(e, x); !n.IsEmpty(); n = m.hop(e, n).AndNot(f) {
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
func (m *Moves1) chains(e *sets.Edges1, s, near sets.Set1, turned *sets.Landing1) sets.Set1 {
	h := m.hop(e, s)
	n := h.AndNot(s)
	if n.IsEmpty() {
		return h
	}
	// A cell of s that is entered from outside of s alone may be so from itself alone.
	f, again := e.Flood(&m.A2, n, s.Or(h))
	h = h.Or(f.AndNot(s))
	alone := again.And(s).AndNot(near.Or(h))
	switch {
	case alone.IsEmpty():
		return h
	case m.Strict:
		return h.Or(m.aloneRuled(e, s, alone, turned))
	}
	return h.Or(m.alone(e, s, alone))
}

// aloneRuled is alone where ways back differ from ways forth: turned has the hops of e
// turned round.
func (m *Moves1) aloneRuled(e *sets.Edges1, s, alone sets.Set1, turned *sets.Landing1) (near sets.Set1) {
	var back sets.Edges1
	m.edgesRuled(&back, m.Cells.AndNot(e.Empty), turned)
	for ; !alone.IsEmpty(); alone = alone.DropMin() {
		x := alone.First()
		f, rest := x, s.AndNot(x)
		for n := x; !n.IsEmpty(); {
			if n = m.hop(&back, n).AndNot(f); n.Meets(rest) {
				near = near.Or(x)
				break
			}
			f = f.Or(n)
		}
	}
	return near
}
