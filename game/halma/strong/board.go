package strong

import (
	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
	"perfectplay/game/halma/internal/turns"
)

// board1 is a two-army game prepared for work on sets of cells in one word.
// Cells stand at bits chosen so that a step in each of the six directions is a
// shift by one of three constants, up or down, that leads from a cell to its
// neighbour, to a bit that is no cell, or to one that landing rules out.
//
// All sets are from the mover's side.
type board1 struct {
	spec    *halma.TwoArmy
	bit     []uint8 // of a cell
	span    int     // bits 0…span−1 hold all cells
	a, a2   [3]uint // the three shifts, and twice as far
	landing sets.Landing1
	cells   sets.Set1 // all cells
	open    sets.Set1 // cells where a piece may stand
	home    sets.Set1
	goal    sets.Set1
	turned  [64 * sets.Words1]uint8 // where half a turn takes a bit
	mirror  [64 * sets.Words1]uint8 // where the mirror takes a bit; the identity without one

	blockades []blockade1

	// unrestricted says that no rule restricts where a piece may go.
	unrestricted bool
	// class parts the cells by which rules hold for a piece that starts a turn
	// there. allowed[i] is where a piece from class[i]
	// may end it.
	class, allowed []sets.Set1
	// forth are the steps, and the hops of a chain, that obey the rules; a chain may pass
	// where a turn may not end. back are the same turned round. strict says that rules
	// forbid single hops, together that chains of hops that obey do so as a whole, but
	// for closed cells.
	forth, back      sets.Landing1
	strict, together bool
}

// blockade1 is halma.Blockade as sets. turned is held as the player sees it whose
// turn led there.
type blockade1 struct {
	held, empty, turned sets.Set1
	byMover             bool
}

// newBoard1 prepares a game whose cells an embedding places in one word.
func newBoard1(spec *halma.TwoArmy, e *halma.Embedding) *board1 {
	b := &board1{spec: spec, bit: e.Bit, span: e.Span}
	for d, axis := range axes {
		b.a[axis.shift] = uint(max(e.Shift[d], -e.Shift[d]))
		b.a2[axis.shift] = 2 * b.a[axis.shift]
	}
	for c := range spec.Cells {
		b.cells = b.cells.Or(sets.Only1(b.bit[c]))
	}
	b.open = b.cells.AndNot(b.set(spec.Closed))
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
		b.blockades = append(b.blockades, blockade1{held, sets.Only1(b.bit[p.Empty]), b.turn(held), p.ByMover})
	}
	rules := spec.Turns(spec.Home, spec.Goal)
	b.unrestricted, b.strict, b.together = rules.Unrestricted, !rules.Free, rules.Together
	for _, c := range rules.Classes() {
		b.class, b.allowed = append(b.class, b.cellSet(c.From)), append(b.allowed, b.cellSet(c.End))
	}
	b.setLandings(&e.Shift, rules)
	return b
}

// setLandings finds where shifts lead, by steps and by hops, and which of them the rules
// allow.
func (b *board1) setLandings(shift *[halma.Dirs]int, rules *turns.Turns) {
	for c := range b.spec.Cells {
		for d, axis := range axes {
			over := int(b.spec.Next[c][d])
			if over < 0 {
				continue
			}
			i, up := axis.shift, shift[d] > 0
			b.landing.Add(i, up, b.bit[over])
			if rules.End[c].Has(over) {
				b.forth.Add(i, up, b.bit[over])
				b.back.Add(i, !up, b.bit[c])
			}
			to := int(b.spec.Next[over][d])
			if to < 0 {
				continue
			}
			b.landing.AddHop(i, up, b.bit[to])
			if rules.Hop[c].Has(to) {
				b.forth.AddHop(i, up, b.bit[to])
				b.back.AddHop(i, !up, b.bit[c])
			}
		}
	}
}

// cellSet returns a set of cells, bit c being cell c.
func (b *board1) cellSet(cells bitboard.Set128) (s sets.Set1) {
	for c := range cells.Cells() {
		s = s.Or(sets.Only1(b.bit[c]))
	}
	return s
}

// set returns a list of cells as a set.
func (b *board1) set(cells []int) (s sets.Set1) {
	for _, c := range cells {
		s = s.Or(sets.Only1(b.bit[c]))
	}
	return s
}

// turn returns a set after half a turn of the board.
func (b *board1) turn(s sets.Set1) (r sets.Set1) {
	for ; !s.IsEmpty(); s = s.DropMin() {
		r = r.Or(sets.Only1(b.turned[s.Min()]))
	}
	return r
}

// flip returns a set in the mirror, or unchanged where the game has none.
func (b *board1) flip(s sets.Set1) (r sets.Set1) {
	for ; !s.IsEmpty(); s = s.DropMin() {
		r = r.Or(sets.Only1(b.mirror[s.Min()]))
	}
	return r
}

// won says whether an army in its own frame (its goal being b.goal) meets its
// win condition, other being the other army in the same frame.
func (b *board1) won(own, other sets.Set1) bool {
	if !b.spec.Filled {
		return own.Within(b.goal)
	}
	return b.goal.Within(own.Or(other)) && own.Meets(b.goal)
}

// illegal says whether no turn may lead to a position, mover against other.
func (b *board1) illegal(mover, other sets.Set1) bool {
	return b.spec.MoverWonIllegal && b.won(mover, other) || b.blocked(mover, other)
}

// blocked says whether a position matches a blockade that counts.
func (b *board1) blocked(mover, other sets.Set1) bool {
	if len(b.blockades) == 0 || b.spec.BlockadeInCamps && !mover.Meets(b.home.Or(b.goal)) {
		return false
	}
	for _, p := range b.blockades {
		blocker := other
		if p.byMover {
			blocker = mover
		}
		if p.held.Within(blocker) && !mover.Or(other).Meets(p.empty) {
			return true
		}
	}
	return false
}

// holds says whether an army holds all cells of a blockade, of those held by the
// mover or of those held by the other army.
func (b *board1) holds(army sets.Set1, byMover bool) bool {
	for _, p := range b.blockades {
		if p.byMover == byMover && p.held.Within(army) {
			return true
		}
	}
	return false
}

// lost says whether the player who moved last has won: other, whose goal is the
// mover's home.
func (b *board1) lost(mover, other sets.Set1) bool {
	if !b.spec.Filled {
		return other.Within(b.home)
	}
	return b.home.Within(mover.Or(other)) && other.Meets(b.home)
}

// mayReachIllegal says whether some turn of the mover might make an illegal
// position. A no is certain, a yes is not.
func (b *board1) mayReachIllegal(mover, other sets.Set1) bool {
	if b.spec.MoverWonIllegal {
		// The next player's goal must be full after the turn.
		if open := b.home.AndNot(mover.Or(other)); open.DropMin().IsEmpty() {
			return true
		}
	}
	for _, p := range b.blockades {
		missing := p.turned.AndNot(other)
		if !p.byMover {
			missing = p.turned.AndNot(mover).DropMin() // one more may come with the turn
		}
		if missing.IsEmpty() {
			return true
		}
	}
	return false
}

// state returns what the rules say about a position, from the mover's side.
func (b *board1) state(mover, other sets.Set1) rowState {
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
