package strong

import (
	"fmt"
	"math/bits"

	"perfectplay/game/halma"
)

// board is a two-army game prepared for work on sets of cells in one word.
// Cells stand at bits chosen so that a step in each of the six directions is a
// shift by one of three constants, left or right, that leads from a cell to its
// neighbour or to a bit that is no cell: nothing wraps around.
//
// All sets are from the mover's side.
type board struct {
	spec   *halma.TwoArmy
	bit    []uint8 // of a cell
	span   int     // bits 0…span−1 hold all cells
	a      [3]uint // the three shifts
	cells  uint64  // all cells
	open   uint64  // cells where a piece may stand
	home   uint64
	goal   uint64
	turned [64]uint8 // where half a turn takes a bit
	mirror [64]uint8 // where the mirror takes a bit; the identity without one

	blockades []blockade

	// unrestricted says that no rule restricts where a piece may go.
	unrestricted bool
	// class parts the cells by which rules hold for a piece that starts a turn
	// there: home, goal and the others. allowed[i] is where a piece from class[i]
	// may end it.
	class, allowed [3]uint64
	// hopClass and hopAllowed say the same of each single hop of a chain, which
	// may pass where it may not end. strict says that they rule out any.
	hopClass, hopAllowed [3]uint64
	strict               bool
}

// blockade is halma.Blockade as sets. turned is held as the player sees it whose
// turn led there.
type blockade struct {
	held, empty, turned uint64
	byMover             bool
}

// errTooWide is part of the error about boards that do not fit a word.
const errTooWide = "no numbering of the cells fits a word"

// newBoard prepares a game, or says why it cannot be done in one word.
func newBoard(spec *halma.TwoArmy) (*board, error) {
	if err := spec.Check(); err != nil {
		return nil, err
	}
	b := &board{spec: spec}
	e, ok := spec.EmbedWord()
	if !ok {
		return nil, fmt.Errorf("strong: %s: %d cells: %s", spec.ID, spec.Cells, errTooWide)
	}
	b.bit, b.span = e.Bit, e.Span
	for i, d := range [3]halma.Dir{halma.Left, halma.UpLeft, halma.UpRight} {
		b.a[i] = uint(max(e.Shift[d], -e.Shift[d]))
	}
	b.cells = b.set(nil)
	for c := range spec.Cells {
		b.cells |= 1 << b.bit[c]
	}
	b.open = b.cells &^ b.set(spec.Closed)
	b.home, b.goal = b.set(spec.Home), b.set(spec.Goal)
	for i := range b.turned {
		b.turned[i], b.mirror[i] = uint8(i), uint8(i)
	}
	for c := range spec.Cells {
		b.turned[b.bit[c]] = b.bit[spec.Turn[c]]
		if spec.Mirror != nil {
			b.mirror[b.bit[c]] = b.bit[spec.Mirror[c]]
		}
	}
	for _, p := range spec.Blockades {
		held := b.set(p.Held)
		b.blockades = append(b.blockades, blockade{held, 1 << b.bit[p.Empty], b.turn(held), p.ByMover})
	}
	b.unrestricted = !spec.StayInGoal && !spec.StayOut && len(spec.Closed) == 0
	b.class = [3]uint64{b.home, b.goal, b.open &^ (b.home | b.goal)}
	for i := range b.class {
		to := b.open
		if spec.StayInGoal && i == 1 {
			to &= b.goal
		}
		if spec.StayOut && i != 0 {
			to &^= b.home
		}
		b.allowed[i] = to
	}
	pass := b.cells
	if !spec.ClosedTransit {
		pass = b.open
	}
	b.hopClass = [3]uint64{b.home, b.goal, pass &^ (b.home | b.goal)}
	for i := range b.hopClass {
		to := pass
		if spec.StayInGoal && !spec.GoalTransit && i == 1 {
			to &= b.goal
		}
		if spec.StayOut && !spec.HomeTransit && i != 0 {
			to &^= b.home
		}
		b.hopAllowed[i] = to
		b.strict = b.strict || to != b.cells
	}
	return b, nil
}

// set returns a list of cells as a set.
func (b *board) set(cells []int) (s uint64) {
	for _, c := range cells {
		s |= 1 << b.bit[c]
	}
	return s
}

// turn returns a set after half a turn of the board.
func (b *board) turn(s uint64) (r uint64) {
	for ; s != 0; s &= s - 1 {
		r |= 1 << b.turned[bits.TrailingZeros64(s)]
	}
	return r
}

// flip returns a set in the mirror, or unchanged where the game has none.
func (b *board) flip(s uint64) (r uint64) {
	for ; s != 0; s &= s - 1 {
		r |= 1 << b.mirror[bits.TrailingZeros64(s)]
	}
	return r
}

// won says whether an army in its own frame (its goal being b.goal) meets its
// win condition, other being the other army in the same frame.
func (b *board) won(own, other uint64) bool {
	if !b.spec.Filled {
		return own&^b.goal == 0
	}
	return b.goal&^(own|other) == 0 && own&b.goal != 0
}

// illegal says whether no turn may lead to a position, mover against other.
func (b *board) illegal(mover, other uint64) bool {
	return b.spec.MoverWonIllegal && b.won(mover, other) || b.blocked(mover, other)
}

// blocked says whether a position matches a blockade that counts.
func (b *board) blocked(mover, other uint64) bool {
	if len(b.blockades) == 0 || b.spec.BlockadeInCamps && mover&(b.home|b.goal) == 0 {
		return false
	}
	for _, p := range b.blockades {
		blocker := other
		if p.byMover {
			blocker = mover
		}
		if p.held&^blocker == 0 && (mover|other)&p.empty == 0 {
			return true
		}
	}
	return false
}

// holds says whether an army holds all cells of a blockade, of those held by the
// mover or of those held by the other army.
func (b *board) holds(army uint64, byMover bool) bool {
	for _, p := range b.blockades {
		if p.byMover == byMover && p.held&^army == 0 {
			return true
		}
	}
	return false
}

// lost says whether the player who moved last has won: other, whose goal is the
// mover's home.
func (b *board) lost(mover, other uint64) bool {
	if !b.spec.Filled {
		return other&^b.home == 0
	}
	return b.home&^(mover|other) == 0 && other&b.home != 0
}

// mayReachIllegal says whether some turn of the mover might make an illegal
// position. A no is certain, a yes is not.
func (b *board) mayReachIllegal(mover, other uint64) bool {
	if b.spec.MoverWonIllegal {
		// The next player's goal must be full after the turn.
		if open := b.home &^ (mover | other); open&(open-1) == 0 {
			return true
		}
	}
	for _, p := range b.blockades {
		missing := p.turned &^ other
		if !p.byMover {
			missing = p.turned &^ mover
			missing &= missing - 1 // one more may come with the turn
		}
		if missing == 0 {
			return true
		}
	}
	return false
}
