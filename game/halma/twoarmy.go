package halma

import "fmt"

// TwoArmy describes a race of two armies as data: the board as a graph, the
// camps, and the choices in which rule sets differ. It is how a solver that
// works on whole sets of pieces learns the rules of a game without importing
// it; what cannot be said here such a solver cannot do.
//
// Everything is told from the side of the player to move, whose army starts in
// Home and must cross to Goal. After a turn the board is turned by Turn and the
// armies change places, so that the description holds for the next player too.
//
// A turn moves one piece: one step to an empty neighbour, or a chain of hops,
// each over a piece of either army into the empty cell straight behind it, the
// moving piece being in the hand meanwhile. A turn that ends where it began is
// none. Who cannot move passes; infinite play is a draw.
type TwoArmy struct {
	// ID and Rules name the game and its rule set in files and messages.
	ID, Rules string
	// Cells is the number of cells, at most 128, and Pieces the size of an army.
	Cells, Pieces int
	// Next holds for each cell its neighbour in each of six directions, or −1.
	// Directions 2a and 2a+1 are opposite. The six directions are those of a
	// triangular lattice: 0, 2 and 4 in some order and sign sum to nothing.
	Next [][6]int16
	// Turn is the half turn of the board, which is its own inverse and takes
	// Home to Goal. Mirror is a symmetry, its own inverse, that maps each camp to
	// itself and commutes with Turn; nil if there is none.
	Turn, Mirror []uint8
	// Home, Goal and Closed list the cells of the mover's camp, of the camp it
	// must reach, and of cells where no piece of either army may end a turn or
	// stand. Closed is mapped to itself by Turn and Mirror.
	Home, Goal, Closed []int

	// Filled: an army has won when its goal is full and it holds at least one of
	// its cells. Otherwise when all its pieces stand in its goal. Where both
	// armies meet their condition, the one that moved last has won.
	Filled bool
	// StayInGoal: a piece in the goal may not end a turn outside it.
	StayInGoal bool
	// StayOut: a piece outside its home may not end a turn in it.
	StayOut bool
	// NoTransit: every single hop must obey StayInGoal, StayOut and Closed as if
	// it were a whole turn; without it only the first and last cell of a chain
	// count.
	NoTransit bool

	// MoverWonIllegal: a position whose mover meets its win condition already is
	// illegal: no turn may lead to it.
	MoverWonIllegal bool
	// Blockades are patterns that make a position illegal.
	Blockades []Blockade
	// BlockadeInCamps: blockades count only where the mover has a piece in its
	// home or goal.
	BlockadeInCamps bool
}

// Blockade is a pattern of cells: Empty is empty and all cells of Held are held
// by one army, the mover's if ByMover, else the other.
type Blockade struct {
	Empty   int
	Held    []int
	ByMover bool
}

// Check returns an error unless the description keeps the promises above.
func (t *TwoArmy) Check() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("halma: two armies %s: %s", t.ID, fmt.Sprintf(format, args...))
	}
	if t.Cells < 2 || t.Cells > 128 || len(t.Next) != t.Cells {
		return fail("%d cells with %d neighbour lists: want 2 to 128, one each", t.Cells, len(t.Next))
	}
	if t.Pieces < 1 || 2*t.Pieces > t.Cells {
		return fail("%d pieces a side on %d cells", t.Pieces, t.Cells)
	}
	for c, next := range t.Next {
		for d, n := range next {
			if n < -1 || int(n) >= t.Cells {
				return fail("neighbour %d of cell %d is %d", d, c, n)
			}
			if n >= 0 && int(t.Next[n][d^1]) != c {
				return fail("cell %d leads to %d in direction %d, but not back", c, n, d)
			}
		}
	}
	if err := t.checkSymmetry("turn", t.Turn, true); err != nil {
		return err
	}
	if t.Mirror != nil {
		if err := t.checkSymmetry("mirror", t.Mirror, false); err != nil {
			return err
		}
		for c := range t.Cells {
			if t.Turn[t.Mirror[c]] != t.Mirror[t.Turn[c]] {
				return fail("turn and mirror do not commute on cell %d", c)
			}
		}
	}
	for _, b := range t.Blockades {
		for _, c := range append([]int{b.Empty}, b.Held...) {
			if c < 0 || c >= t.Cells {
				return fail("blockade on cell %d", c)
			}
		}
	}
	if len(t.Goal) < t.Pieces {
		return fail("a goal of %d cells for %d pieces", len(t.Goal), t.Pieces)
	}
	return nil
}

// checkSymmetry checks that p is an involution that keeps neighbours, and camps
// as a turn (they change places) or a mirror (they stay) does.
func (t *TwoArmy) checkSymmetry(name string, p []uint8, swaps bool) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("halma: two armies %s: %s: %s", t.ID, name, fmt.Sprintf(format, args...))
	}
	if len(p) != t.Cells {
		return fail("maps %d of %d cells", len(p), t.Cells)
	}
	for c, to := range p {
		if int(to) >= t.Cells || int(p[to]) != c {
			return fail("is not its own inverse on cell %d", c)
		}
	}
	for c := range t.Cells {
		near := map[int16]bool{}
		for _, n := range t.Next[p[c]] {
			near[n] = true
		}
		for _, n := range t.Next[c] {
			if n >= 0 && !near[int16(p[n])] {
				return fail("neighbours %d and %d do not stay neighbours", c, n)
			}
		}
	}
	home, goal := zone(t.Home, t.Cells), zone(t.Goal, t.Cells)
	closed := zone(t.Closed, t.Cells)
	for c := range t.Cells {
		toHome, toGoal := home[p[c]], goal[p[c]]
		if swaps {
			toHome, toGoal = toGoal, toHome
		}
		if home[c] != toHome || goal[c] != toGoal || closed[c] != closed[p[c]] {
			return fail("does not map the camps as it must at cell %d", c)
		}
		if home[c] && goal[c] {
			return fail("cell %d is in both camps", c)
		}
		if closed[c] && (home[c] || goal[c]) {
			return fail("camp cell %d is closed", c)
		}
	}
	return nil
}

// zone returns the membership of a list of cells.
func zone(cells []int, n int) []bool {
	in := make([]bool, n)
	for _, c := range cells {
		in[c] = true
	}
	return in
}
