package tight

import (
	"errors"
	"fmt"
	"math/bits"

	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/turns"
)

// board is a two-army game prepared for work on sets of cells in one word, in
// which a step in each of the six directions is a shift by one of three constants
// that leads from a cell to its neighbour or to a bit that is no cell.
//
// All sets are from the side of the player whose row is worked on. The turns that
// lead into its row are those of the other player, whose home is its goal.
type board struct {
	spec       *halma.TwoArmy
	bit        []uint8 // of a cell
	span       uint    // bits 0…span−1 hold all cells
	a          [3]uint // the three shifts
	cells      uint64  // all cells
	open       uint64  // cells where a piece may stand
	pass       uint64  // cells where one may be within a chain of hops
	home, goal uint64  // of the player whose row it is
	embedding  image   // from cells to bits
	reflection image   // from bits to bits
	// imageBelow[c] are the cells that half a turn and the mirror bring below cell c.
	imageBelow [64]uint64
	blockades  []blockade

	// Of the other player: unrestricted says that no rule restricts where a piece
	// may go. class parts the cells by which rules hold for a piece that starts a turn
	// there, allowed[i] is where a piece from class[i] may end it.
	unrestricted   bool
	class, allowed []uint64
	// forth are the steps, and the hops of a chain, that obey the rules; a chain may pass
	// where a turn may not end. back are the same turned round. strict says that rules
	// forbid single hops, together that chains of hops that obey do so as a whole, but
	// for closed cells.
	forth, back      landings
	strict, together bool
}

// image maps sets by bytes: of each byte, its image.
type image [8][256]uint64

// newImage maps bit c to bit to[c].
func newImage(to []uint8) (m image) {
	for c, bit := range to {
		for b := range 256 {
			if b>>(c&7)&1 != 0 {
				m[c>>3][b] |= 1 << bit
			}
		}
	}
	return m
}

// of returns the image of a set.
func (m *image) of(s uint64) (x uint64) {
	for i := 0; s != 0; i++ {
		x |= m[i&7][s&0xff]
		s >>= 8
	}
	return x
}

// blockade is halma.Blockade as sets.
type blockade struct {
	held, empty uint64
	byMover     bool
}

// ErrTooWide is in the error about a board that does not fit a word.
var ErrTooWide = errors.New("no numbering of the cells fits a word")

// newBoard prepares a game, or says why it cannot be done in one word.
func newBoard(spec *halma.TwoArmy) (*board, error) {
	if err := spec.Check(); err != nil {
		return nil, err
	}
	b := &board{spec: spec}
	e, ok := spec.EmbedWord()
	if !ok {
		return nil, fmt.Errorf("tight: %s: %d cells: %w", spec.ID, spec.Cells, ErrTooWide)
	}
	b.bit, b.span = e.Bit, uint(e.Span)
	for i, d := range [3]halma.Dir{halma.Left, halma.UpLeft, halma.UpRight} {
		b.a[i] = uint(max(e.Shift[d], -e.Shift[d]))
	}
	for c := range spec.Cells {
		b.cells |= 1 << b.bit[c]
	}
	b.open = b.cells &^ b.set(spec.Closed)
	b.home, b.goal = b.set(spec.Home), b.set(spec.Goal)
	var mirror [64]uint8
	for i := range mirror {
		mirror[i] = uint8(i)
	}
	for c := range spec.Cells {
		// An embedding is linear, so half a turn reverses the bits.
		if b.bit[spec.Turn[c]] != uint8(b.span-1)-b.bit[c] {
			return nil, fmt.Errorf("tight: %s: half a turn does not reverse the bits", spec.ID)
		}
		if spec.Mirror != nil {
			mirror[b.bit[c]] = b.bit[spec.Mirror[c]]
		}
	}
	b.embedding, b.reflection = newImage(b.bit), newImage(mirror[:])
	for c := range b.span {
		b.imageBelow[c] = b.turn(b.flip(b.cells & (1<<c - 1)))
	}
	for _, p := range spec.Blockades {
		b.blockades = append(b.blockades, blockade{b.set(p.Held), 1 << b.bit[p.Empty], p.ByMover})
	}
	// The rules of the player who moves into the row: his home is this goal.
	rules := spec.Turns(spec.Goal, spec.Home)
	b.unrestricted, b.strict, b.together = rules.Unrestricted, !rules.Free, rules.Together
	b.pass = b.open
	if spec.ClosedTransit {
		b.pass = b.cells
	}
	for _, c := range rules.Classes() {
		b.class, b.allowed = append(b.class, b.fromCells(c.From.Lo)), append(b.allowed, b.fromCells(c.End.Lo))
	}
	b.setLandings(rules)
	return b, nil
}

// setLandings finds where steps and hops lead that obey the rules. To each cell there is
// but one way by a shift, so rules for two cells become sets of the second.
func (b *board) setLandings(rules *turns.Turns) {
	add := func(ups, downs *[3]uint64, x, y uint8, there, back bool, shifts uint) {
		if x, y = b.bit[x], b.bit[y]; x > y {
			x, y, there, back = y, x, back, there
		}
		for i, a := range b.a {
			if uint(y-x) != shifts*a {
				continue
			}
			if there {
				ups[i] |= 1 << y
			}
			if back {
				downs[i] |= 1 << x
			}
		}
	}
	forth, back := &b.forth, &b.back
	steps, hops := rules.Ways(b.spec.Next)
	for _, s := range steps {
		add(&forth.ups, &forth.downs, s.A, s.B, s.AB, s.BA, 1)
		add(&back.ups, &back.downs, s.A, s.B, s.BA, s.AB, 1)
	}
	for _, h := range hops {
		add(&forth.hopUps, &forth.hopDowns, h.A, h.B, h.AB, h.BA, 2)
		add(&back.hopUps, &back.hopDowns, h.A, h.B, h.BA, h.AB, 2)
	}
}

// set returns a list of cells as a set.
func (b *board) set(cells []int) (s uint64) {
	for _, c := range cells {
		s |= 1 << b.bit[c]
	}
	return s
}

// fromCells returns a set of cells, bit c being cell c, as bits of the board.
func (b *board) fromCells(s uint64) uint64 { return b.embedding.of(s) }

// turn returns a set after half a turn of the board.
func (b *board) turn(s uint64) uint64 { return bits.Reverse64(s) >> (64 - b.span) }

// flip returns a set in the mirror, or unchanged where the game has none.
func (b *board) flip(s uint64) uint64 { return b.reflection.of(s) }

// state is what the rules say about a position without looking ahead.
type state uint8

const (
	ongoing state = iota
	isWon
	isLost
	// isIllegal positions are kept as wins: no turn leads to them, as no turn to a
	// position won for the opponent ever helps.
	isIllegal
)

// state returns what the rules say about a position, from the mover's side.
func (b *board) state(mover, other uint64) state {
	switch {
	case b.illegal(mover, other):
		return isIllegal
	case b.lost(mover, other):
		return isLost
	case b.won(mover, other):
		return isWon
	}
	return ongoing
}

// won says whether the mover meets its win condition.
func (b *board) won(mover, other uint64) bool {
	if !b.spec.Filled {
		return mover&^b.goal == 0
	}
	return b.goal&^(mover|other) == 0 && mover&b.goal != 0
}

// lost says whether the other player does, whose goal is the mover's home.
func (b *board) lost(mover, other uint64) bool {
	if !b.spec.Filled {
		return other&^b.home == 0
	}
	return b.home&^(mover|other) == 0 && other&b.home != 0
}

// illegal says whether no turn may lead to a position.
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

// pattern is a condition on an army s: s & mask == value.
type pattern struct{ mask, value uint64 }

// anything is the pattern that every army meets.
var anything = pattern{}

func contains(set uint64) pattern { return pattern{set, set} }
func within(set uint64) pattern   { return pattern{^set, 0} }

// overIfOther appends patterns such that a position of a mover's army can be over
// or illegal only where the other army meets one of them.
func (b *board) overIfOther(list []pattern, mover uint64) []pattern {
	if b.spec.Filled {
		list = append(list, contains(b.home&^mover), contains(b.goal&^mover))
	} else {
		list = append(list, within(b.home))
		if mover&^b.goal == 0 {
			return append(list, anything)
		}
	}
	return b.blockadeIf(list, mover, true)
}

// overIfMover appends patterns such that a position against the other player's army
// can be over or illegal only where the mover's army meets one of them. All is seen
// from the other player's side: mover is turned, and so will be what is compared.
func (b *board) overIfMover(list []pattern, other uint64) []pattern {
	if b.spec.Filled {
		list = append(list, contains(b.goal&^other), contains(b.home&^other))
	} else {
		list = append(list, within(b.home))
		if other&^b.goal == 0 {
			return append(list, anything)
		}
	}
	from := len(list)
	list = b.blockadeIf(list, b.turn(other), false)
	for i := from; i < len(list); i++ {
		list[i] = contains(b.turn(list[i].value))
	}
	return list
}

// blockadeIf appends patterns for blockades: of one army is known what it holds,
// the mover's if isMover, the other one must meet a pattern.
func (b *board) blockadeIf(list []pattern, army uint64, isMover bool) []pattern {
	for _, p := range b.blockades {
		switch {
		case p.byMover != isMover:
			list = append(list, contains(p.held))
		case p.held&^army == 0:
			list = append(list, anything)
		}
	}
	return list
}

// meets says whether an army meets a pattern of a list.
func meets(list []pattern, army uint64) bool {
	for _, p := range list {
		if army&p.mask == p.value {
			return true
		}
	}
	return false
}
