package halma

import (
	"fmt"
	"slices"

	"perfectplay/game/halma/internal/turns"
)

// Armies describes a race of two to six armies as data, for solvers that work on sets of pieces.
// Seats are indices in turn order. Pieces move as in [TwoArmy], with hops over pieces of any army.
// A player who cannot move passes. Infinite play is a draw, and so is a position where nobody can
// move.
type Armies struct {
	// ID and Rules name the game and its rule set in files and messages.
	ID, Rules string
	// Choices lists the choices of a rule set that closes cells to pieces.
	Choices       string `json:",omitempty"`
	Cells, Pieces int    // cells of the board, pieces of each army
	Lattice
	// Home, Goal and Closed list for each seat the cells of its camp, of the camp that it must
	// reach, and of the cells where its pieces may not end a turn or stand.
	Home, Goal, Closed [][]int

	// Win says when an army has won. If several armies meet their condition, the last to move
	// has won, then the first in turn order from the seat to move.
	turns.Win
	turns.Limits

	game *Game // the game described; nil if made by hand
}

// Armies describes a game. It is an error if its rules have illegal positions.
func (g *Game) Armies() (*Armies, error) {
	b, r := g.board, g.rules
	if r.Illegal != NoIllegal {
		return nil, fmt.Errorf("halma: %s: rules %s forbid positions, and several armies are solved without such rules", g.id, r)
	}
	t := &Armies{
		game: g,
		ID:   g.id, Rules: g.Rules(), Cells: b.Cells(), Pieces: b.pieces, Lattice: b.lattice,
		Win: r.Win, Limits: r.Limits,
	}
	if r.restrict() {
		t.Choices = r.choices()
	}
	for seat := range g.seats {
		t.Home, t.Goal = append(t.Home, cellsOf(g.home[seat])), append(t.Goal, cellsOf(g.goal[seat]))
		t.Closed = append(t.Closed, cellsOf(g.closedTo(seat)))
	}
	return t, t.Check()
}

// Fingerprint is the [game.Fingerprint] of the game described, empty without a game.
func (t *Armies) Fingerprint() string { return fingerprint(t.game) }

// Turns returns the moves that the rules allow the pieces of a seat.
func (t *Armies) Turns(seat int) *turns.Turns {
	return turns.New(t.Cells, SetOf(t.Home[seat]), SetOf(t.Goal[seat]), SetOf(t.Closed[seat]), t.Limits)
}

// Over returns the condition by which a seat wins.
func (t *Armies) Over(seat int) turns.Over {
	return turns.NewOver(t.Cells, SetOf(t.Home[seat]), SetOf(t.Goal[seat]), t.Win)
}

// Seats is the number of armies.
func (t *Armies) Seats() int { return len(t.Home) }

// Check returns an error unless the description is consistent.
func (t *Armies) Check() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("halma: armies %s: "+format, append([]any{t.ID}, args...)...)
	}
	n := t.Seats()
	if n < 2 || n > maxSeats || len(t.Goal) != n || len(t.Closed) != n {
		return fail("%d homes, %d goals and %d lists of closed cells: want the same 2 to %d of each", n, len(t.Goal), len(t.Closed), maxSeats)
	}
	if t.Cells < 2 || len(t.At) != t.Cells {
		return fail("%d cells at %d places: want 2 cells or more, each at one", t.Cells, len(t.At))
	}
	if t.Pieces < 1 || n*t.Pieces > t.Cells {
		return fail("%d armies of %d pieces on %d cells", n, t.Pieces, t.Cells)
	}
	l, err := NewLattice(t.At)
	switch {
	case err != nil:
		return fail("%w", err)
	case !slices.Equal(t.Next, l.Next):
		return fail("the neighbours are not those of the places")
	}
	for seat := range n {
		for _, c := range slices.Concat(t.Home[seat], t.Goal[seat], t.Closed[seat]) {
			if c < 0 || c >= t.Cells {
				return fail("seat %d: there is no cell %d", seat, c)
			}
		}
		home, goal, closed := SetOf(t.Home[seat]), SetOf(t.Goal[seat]), SetOf(t.Closed[seat])
		if home.Meets(goal) {
			return fail("seat %d: cell %d is in both camps", seat, home.And(goal).Min())
		}
		if closed.Meets(home.Or(goal)) {
			return fail("seat %d: camp cell %d is closed", seat, closed.And(home.Or(goal)).Min())
		}
		if len(t.Home[seat]) < t.Pieces || len(t.Goal[seat]) < t.Pieces {
			return fail("seat %d: camps of %d and %d cells for %d pieces", seat, len(t.Home[seat]), len(t.Goal[seat]), t.Pieces)
		}
		if t.Cells-len(t.Closed[seat]) < t.Pieces {
			return fail("seat %d: %d pieces on %d open cells", seat, t.Pieces, t.Cells-len(t.Closed[seat]))
		}
	}
	return nil
}
