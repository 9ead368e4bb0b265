package halma

import (
	"fmt"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma/internal/turns"
)

// TwoArmy describes a race of two armies as data, for solvers that work on sets of pieces: the
// board as a graph, the camps, and the choices in which rule sets differ. [Game.TwoArmy]
// describes a game; tests describe boards of any shape.
//
// The description is from the side of the player to move, whose army starts in Home and must
// cross to Goal. After a turn the board is turned by Turn and the armies change places, so that
// it holds for the next player, too.
//
// A turn moves one piece to another cell: one step to an empty neighbour, or a chain of hops,
// each over a piece of either army into the empty cell straight behind it, with the moving piece
// off the board meanwhile. A player who cannot move passes; infinite play is a draw.
type TwoArmy struct {
	// ID and Rules name the game and its rule set in files and messages.
	ID, Rules string
	// Choices lists the choices of a rule set that closes cells to pieces, in case its name
	// should change its meaning.
	Choices       string `json:",omitempty"`
	Cells, Pieces int    // cells of the board, at most 128; pieces of an army
	// Turn takes Home to Goal. Mirror, if not nil, maps each camp to itself.
	Lattice
	// Home, Goal and Closed list the cells of the mover's camp, of the camp that it must reach, and
	// of the cells where no piece may end a turn or stand. Turn and Mirror map Closed to itself.
	Home, Goal, Closed []int

	// Win says when an army has won. If both armies meet the condition, the army that moved last
	// has won.
	turns.Win
	turns.Limits

	// MoverWonIllegal: no turn may lead to a position whose mover already meets its win
	// condition.
	MoverWonIllegal bool
	Blockades       []Blockade // patterns that make a position illegal
	// BlockadeInCamps: blockades count only if the mover has a piece in its home or goal.
	BlockadeInCamps bool

	game *Game // the game described; nil for a description made by hand
}

// Blockade is a pattern of cells: Empty is empty and all cells of Held are held by one army, the
// mover's if ByMover, else the other.
type Blockade struct {
	Empty   int
	Held    []int
	ByMover bool
}

// TwoArmy describes a game from the side of its first seat. It is an error if it has not two
// players.
func (g *Game) TwoArmy() (*TwoArmy, error) {
	if g.seats != 2 {
		return nil, fmt.Errorf("halma: %s: two armies are described, not %d", g.id, g.seats)
	}
	b, r := g.board, g.rules
	t := &TwoArmy{
		game: g,
		ID:   g.id, Rules: g.Rules(), Cells: b.Cells(), Pieces: b.pieces, Lattice: b.lattice,
		Home: cellsOf(g.home[0]), Goal: cellsOf(g.goal[0]), Closed: cellsOf(g.closedTo(0)),
		Win: r.Win, Limits: r.Limits,
		MoverWonIllegal: r.Illegal != NoIllegal,
		BlockadeInCamps: r.Illegal == Sturtevant2019Run,
	}
	if !b.mirror {
		t.Mirror = nil
	}
	if r.restrict() {
		t.Choices = r.choices()
	}
	for _, p := range g.blocks {
		t.Blockades = append(t.Blockades, Blockade{Empty: p.apex, Held: cellsOf(p.edge), ByMover: p.seat == 0})
	}
	return t, t.Check()
}

// Fingerprint is the [game.Fingerprint] of the game described, empty if there is none.
func (t *TwoArmy) Fingerprint() string { return fingerprint(t.game) }

func fingerprint(g *Game) string {
	if g == nil {
		return ""
	}
	return game.Fingerprint(g)
}

// FirstArmy is [Game.TwoArmy], also for a game of one army alone: then solvers must not move the
// second army.
func (g *Game) FirstArmy() (*TwoArmy, error) {
	if g.seats != 1 {
		return g.TwoArmy()
	}
	two, err := New(g.board, 2, g.rules)
	if err != nil {
		return nil, err
	}
	t, err := two.TwoArmy()
	if err != nil {
		return nil, err
	}
	t.ID = g.id
	return t, nil
}

func cellsOf(s bitboard.Set128) []int { return slices.Collect(s.Cells()) }

// Sides returns the armies of a position of a two-player game from the side of the player to
// move: with the second seat to move the board is turned. Solutions and tables use this form.
func Sides(g *Game, s game.State) (mover, other bitboard.Set128) {
	p := s.(Position)
	mover, other = p.Pieces(s.Seat()), p.Pieces(1-s.Seat())
	if s.Seat() == 1 {
		mover, other = g.board.turned(mover), g.board.turned(other)
	}
	return mover, other
}

// FromSides returns a new state of a two-player game, the first seat to move, from armies in the
// form of [Sides]. They must be disjoint, of the game's size, and on cells that are not closed.
func FromSides(g *Game, mover, other bitboard.Set128) game.State {
	p := new(position)
	p.own[0], p.own[1] = mover, other
	return g.kernel.newState(g, p)
}

// Place puts a state of a two-player game at the position of [FromSides] and drops its history.
// It does not allocate.
func Place(g *Game, s game.State, mover, other bitboard.Set128) {
	p := position{}
	p.own[0], p.own[1] = mover, other
	s.(interface{ place(*Game, position) }).place(g, p)
}

func (b *Board) turned(x bitboard.Set128) (y bitboard.Set128) {
	for ; !x.IsEmpty(); x = x.DropMin() {
		y = y.With(int(b.lattice.Turn[x.Min()]))
	}
	return y
}

// Turns returns the moves that the rules allow an army with the given home and goal. With home and
// goal exchanged they are the other player's moves.
func (t *TwoArmy) Turns(home, goal []int) *turns.Turns {
	return turns.New(t.Cells, SetOf(home), SetOf(goal), SetOf(t.Closed), t.Limits)
}

// Over returns the condition by which an army with a home and a goal wins.
func (t *TwoArmy) Over(home, goal []int) turns.Over {
	return turns.NewOver(t.Cells, SetOf(home), SetOf(goal), t.Win)
}

// SetOf returns a list of cells as a set.
func SetOf(cells []int) (s bitboard.Set128) {
	for _, c := range cells {
		s = s.With(c)
	}
	return s
}

// Check returns an error unless the description is consistent.
func (t *TwoArmy) Check() error {
	armies := &Armies{ID: t.ID, Cells: t.Cells, Pieces: t.Pieces, Lattice: t.Lattice,
		Home: [][]int{t.Home, t.Goal}, Goal: [][]int{t.Goal, t.Home}, Closed: [][]int{t.Closed, t.Closed}}
	if err := armies.Check(); err != nil {
		return err
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("halma: two armies %s: "+format, append([]any{t.ID}, args...)...)
	}
	home, goal, closed := SetOf(t.Home), SetOf(t.Goal), SetOf(t.Closed)
	l, err := NewLattice(t.At)
	switch {
	case err != nil:
		return err
	case l.Turn == nil:
		return fail("half a turn does not map the board to itself")
	case !slices.Equal(t.Turn, l.Turn) || t.Mirror != nil && !slices.Equal(t.Mirror, l.Mirror):
		return fail("turn or mirror are not those of the places")
	}
	for c, turned := range t.Turn {
		if home.Has(c) != goal.Has(int(turned)) || closed.Has(c) != closed.Has(int(turned)) {
			return fail("half a turn does not map the camps to each other at cell %d", c)
		}
	}
	for c, to := range t.Mirror {
		if image := int(to); home.Has(c) != home.Has(image) || goal.Has(c) != goal.Has(image) || closed.Has(c) != closed.Has(image) {
			return fail("the mirror does not keep the camps at cell %d", c)
		}
	}
	for _, b := range t.Blockades {
		for _, c := range append([]int{b.Empty}, b.Held...) {
			if c < 0 || c >= t.Cells {
				return fail("blockade on cell %d", c)
			}
		}
	}
	return nil
}
