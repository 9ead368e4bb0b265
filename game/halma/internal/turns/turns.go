// Package turns states each rule of Chinese Checkers once, as sets of cells: where the pieces of
// an army may go, and when it has won. Move generators and solvers use the sets and know no rule
// by name. A new rule takes a field of [Limits] and a line of [New], or a field of [Win] and a
// line of [NewOver].
package turns

//go:generate go run ../../../../internal/genkernel 1,2,3 moves.go over1.go

import "perfectplay/bitboard"

// Limits are the choices that restrict where a piece may go.
type Limits struct {
	// StayInGoal: a piece in the goal may not end a turn outside it.
	StayInGoal bool
	// StayOut: a piece outside its home may not end a turn in it.
	StayOut bool
	// GoalTransit, HomeTransit and ClosedTransit: of a chain only the first and last cell count
	// for StayInGoal, StayOut and closed cells; otherwise every single hop must obey as if it
	// were a whole turn.
	GoalTransit, HomeTransit, ClosedTransit bool
}

// Any reports whether a rule restricts anything but closed cells.
func (r Limits) Any() bool { return r.StayInGoal || r.StayOut }

// Dual returns the rules of the same ways in reverse, with home and goal exchanged.
func (r Limits) Dual() Limits {
	r.StayInGoal, r.StayOut = r.StayOut, r.StayInGoal
	r.GoalTransit, r.HomeTransit = r.HomeTransit, r.GoalTransit
	return r
}

// Turns are the moves that the rules allow an army, on an empty board.
type Turns struct {
	Cells int
	// End[c] are the cells where a turn from cell c may end, Hop[c] the cells where a single hop of
	// a chain from c may land.
	End, Hop []bitboard.Set128
	// Open are the cells where a piece may stand; closed cells can at most be passed.
	Open bitboard.Set128
	// Unrestricted: no rule restricts a turn. Free: no rule restricts a single hop. Together: a
	// chain of allowed hops is allowed as a whole, except that it may not end on closed cells.
	Unrestricted, Free, Together bool
}

// New returns the turns of an army by its home and goal on a board of cells cells, some of them
// closed to it.
func New(cells int, home, goal, closed bitboard.Set128, r Limits) *Turns {
	all := bitboard.First128(cells)
	t := &Turns{Cells: cells, Open: all.AndNot(closed), Unrestricted: true, Free: true}
	t.End, t.Hop = make([]bitboard.Set128, cells), make([]bitboard.Set128, cells)
	for c := range cells {
		end, hop := all, all
		// forbid closes cells to a turn from c, and to a hop unless chains may pass.
		forbid := func(to bitboard.Set128, transit bool) {
			end = end.AndNot(to)
			if !transit {
				hop = hop.AndNot(to)
			}
		}
		forbid(closed, r.ClosedTransit)
		if r.StayInGoal && goal.Has(c) {
			forbid(all.AndNot(goal), r.GoalTransit)
		}
		if r.StayOut && !home.Has(c) {
			forbid(home, r.HomeTransit)
		}
		t.End[c], t.Hop[c] = end, hop
		t.Unrestricted, t.Free = t.Unrestricted && end == all, t.Free && hop == all
	}
	t.Together = t.together()
	return t
}

// together computes Together: from each cell, all targets of chains of allowed hops of any
// length and direction must be allowed as the end of a turn, or closed.
func (t *Turns) together() bool {
	for c := range t.Cells {
		seen, next := bitboard.Cell128(c), bitboard.Cell128(c)
		for !next.IsEmpty() {
			to := bitboard.Set128{}
			for at := range next.Cells() {
				to = to.Or(t.Hop[at])
			}
			next = to.AndNot(seen)
			seen = seen.Or(to)
		}
		if !seen.Without(c).And(t.Open).AndNot(t.End[c]).IsEmpty() {
			return false
		}
	}
	return true
}

// Classes divides the cells by the cells where a turn from them may end.
func (t *Turns) Classes() (list []Class) {
next:
	for c, end := range t.End {
		for i := range list {
			if list[i].End == end {
				list[i].From = list[i].From.With(c)
				continue next
			}
		}
		list = append(list, Class{bitboard.Cell128(c), end})
	}
	return list
}

// Class is the cells From with the same End.
type Class struct{ From, End bitboard.Set128 }
