package turns

import (
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma/internal/sets"
)

// One piece of an army is in the hand, all other pieces lie still. All positions that differ
// only in the cell of this piece are bits of one set, and so are all positions after its turn.
// Steps go to neighbours; hops go from an empty cell to the empty cell behind a piece. Without
// rules both can be reversed, since the moving piece is not on the board.

// Moves1 finds the turns of a piece in the hand, for all cells of one word at once. Cells stand
// at bits such that a step in any of the six directions is a shift by one of three constants, up
// or down. The shift leads from a cell to its neighbour, to a bit without a cell, or to a cell
// where no piece may land.
type Moves1 struct {
	A, A2 [3]uint   // the three shifts, and twice these
	Cells sets.Set1 // all cells
	Open  sets.Set1 // cells where a piece may stand
	// Class divides the cells by the rules for a piece that starts a turn there; Allowed[i] are
	// the cells where a turn from Class[i] may end.
	Class, Allowed []sets.Set1
	// Forth are the steps, and the hops of a chain, that obey the rules; a chain may pass cells
	// where a turn may not end. Back are their reversals, and landing are the steps and
	// hops on a board without rules.
	Forth, Back, landing sets.Landing1
	// See [Turns]; Strict means not Free.
	Unrestricted, Strict, Together bool
}

// Bits1 returns cells as the set of their bits, cell c at bit[c].
func Bits1(cells bitboard.Set128, bit []uint8) (s sets.Set1) {
	for c := range cells.Cells() {
		s = s.Or(sets.Only1(bit[c]))
	}
	return s
}

// NewMoves1 prepares the rules for a board: cell c has the neighbours next[c], stands at bit[c],
// and a step in direction d is a shift upwards by shift[d].
func NewMoves1(t *Turns, next [][6]int16, bit []uint8, shift *[6]int) (m Moves1) {
	m.Unrestricted, m.Strict, m.Together = t.Unrestricted, !t.Free, t.Together
	m.Cells, m.Open = Bits1(bitboard.First128(t.Cells), bit), Bits1(t.Open, bit)
	for _, c := range t.Classes() {
		m.Class, m.Allowed = append(m.Class, Bits1(c.From, bit)), append(m.Allowed, Bits1(c.End, bit))
	}
	// A shift leads from each cell to only one, so rules for two cells become sets of the
	// second.
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

// Edges sets e to the reversed hops between the empty cells beside the pieces still.
func (m *Moves1) Edges(e *sets.Edges1, still sets.Set1) { m.edgesRuled(e, still, &m.Back) }

// edgesRuled sets e to the hops that obey rules: Forth or Back.
func (m *Moves1) edgesRuled(e *sets.Edges1, still sets.Set1, rules *sets.Landing1) {
	e.Empty = m.Cells.AndNot(still)
	if m.Strict {
		e.OverRuled(still, &m.A, rules)
	} else {
		e.Over(still, &m.A, &m.landing)
	}
}

func (m *Moves1) hop(e *sets.Edges1, s sets.Set1) sets.Set1 { return e.Hop(&m.A2, s) }

// Reach returns the cells from which one legal turn leads to a different cell of s. s must be
// empty cells where a piece may stand.
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

// Ends returns the cells to which one legal turn leads a piece from a different cell of s, with
// the pieces of still around it. s must be empty.
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

// reachFree is Reach without rules that restrict turns.
func (m *Moves1) reachFree(e *sets.Edges1, s sets.Set1) sets.Set1 {
	h := m.hop(e, s)
	near := s.Beside(&m.A, &m.landing).Or(h).And(e.Empty)
	n := h.AndNot(s)
	if n.IsEmpty() {
		return near
	}
	// The flood reaches cells outside s. A cell of s counts if hops connect it to another cell
	// of s: direct hops show that, longer ways are followed one by one.
	f, again := e.Flood(&m.A2, n, s.Or(h))
	near = near.Or(f.AndNot(s))
	if alone := s.And(again).AndNot(near); !alone.IsEmpty() {
		near = near.Or(m.alone(e, s, alone))
	}
	return near
}

// alone returns the cells of alone, a part of s, that reversible hops of e connect to another
// cell of s.
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

// chains returns two kinds of cells: cells outside s to which hops of e lead from a cell of s, and
// cells of s to which hops lead from another cell of s. It may leave out cells of s that are in
// near. turned has the hops of e reversed.
func (m *Moves1) chains(e *sets.Edges1, s, near sets.Set1, turned *sets.Landing1) sets.Set1 {
	h := m.hop(e, s)
	n := h.AndNot(s)
	if n.IsEmpty() {
		return h
	}
	// A cell of s that is entered from outside s may only be connected to itself.
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

// aloneRuled is alone for hops that rules make irreversible: turned has the hops of e reversed.
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
