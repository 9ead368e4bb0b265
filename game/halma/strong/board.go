package strong

import (
	"fmt"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
	"perfectplay/game/halma/internal/turns"
)

// board1 is a game with cells at bits of one word. A step in any of six directions is a shift by
// one of three constants, up or down. It leads to the neighbour, or to a bit without a cell, or
// to a cell closed to pieces.
//
// Sets are seen from the side of the row's player. The turns into a row are turns of the other
// player, whose home is this player's goal.
type board1 struct {
	turns.Moves1 // moves of the other player
	spec         *halma.TwoArmy
	bit          []uint8                 // bit of each cell
	steps        [64 * sets.Words1]uint8 // by bit: steps to the tip of the goal
	span         uint                    // bits 0…span−1 hold all cells
	pass         sets.Set1               // cells that a chain of hops may pass
	home, goal   sets.Set1               // camps of the row's player
	// wins is the win condition of the row's player, loses that of the other player.
	wins, loses turns.Over1
	embedding   [2]image1 // [0] maps cells to bits, [1] to the bits of their mirror images
	reflection  image1    // bits to the bits of their mirror images
	// imageBelow[c] are the cells that half a turn and the mirror move below bit c.
	imageBelow [64 * sets.Words1]sets.Set1
	blockades  []blockade1

	// exposed are the cells to which a step of the other player may make the position illegal. An
	// army has k pieces. On an empty board, steps from a roomy cell lead to at least k other cells.
	exposed, roomy sets.Set1
}

// image1 maps a set of bits to its image. For each byte of the set it has the images of all 256
// values.
type image1 [8 * sets.Words1][256]sets.Set1

// set makes bit to[c] the image of bit c.
func (m *image1) set(to []uint8) {
	for c, bit := range to {
		for b := range 256 {
			if b>>(c&7)&1 != 0 {
				m[c>>3][b] = m[c>>3][b].Or(sets.Only1(bit))
			}
		}
	}
}

func (m *image1) of(s sets.Set1) (x sets.Set1) {
	for i := range m {
		x = x.Or(m[i][s.Byte(i)])
	}
	return x
}

type blockade1 struct {
	held, empty sets.Set1
	byMover     bool
}

func newBoard1(spec *halma.TwoArmy, e *halma.Embedding) (*board1, error) {
	b := &board1{spec: spec, bit: e.Bit, span: uint(e.Span)}
	b.Moves1 = turns.NewMoves1(spec.Turns(spec.Goal, spec.Home), spec.Next, e.Bit, &e.Shift)
	b.home, b.goal = b.set(spec.Home), b.set(spec.Goal)
	b.wins = turns.NewOver1(spec.Over(spec.Home, spec.Goal), e.Bit)
	b.loses = turns.NewOver1(spec.Over(spec.Goal, spec.Home), e.Bit)
	var mirror [64 * sets.Words1]uint8
	for i := range mirror {
		mirror[i] = uint8(i)
	}
	for c := range spec.Cells {
		// An embedding is linear, so half a turn reverses the bits.
		if b.bit[spec.Turn[c]] != uint8(b.span-1)-b.bit[c] {
			return nil, fmt.Errorf("strong: %s: half a turn does not reverse the bits", spec.ID)
		}
		if spec.Mirror != nil {
			mirror[b.bit[c]] = b.bit[spec.Mirror[c]]
		}
	}
	mirrored := make([]uint8, spec.Cells)
	for c, bit := range b.bit {
		mirrored[c] = mirror[bit]
	}
	b.embedding[0].set(b.bit)
	b.embedding[1].set(mirrored)
	b.reflection.set(mirror[:])
	for c := range uint8(b.span) {
		b.imageBelow[c] = b.turn(b.flip(b.Cells.Below(c)))
	}
	for _, p := range spec.Blockades {
		b.blockades = append(b.blockades, blockade1{b.set(p.Held), sets.Only1(b.bit[p.Empty]), p.ByMover})
	}
	b.findSteps()
	b.pass = b.Open
	if spec.ClosedTransit {
		b.pass = b.Cells
	}
	if spec.MoverWonIllegal {
		b.exposed = b.wins.Full
	}
	for x := b.Open; !x.IsEmpty(); x = x.DropMin() {
		if x.First().BesideRuled(&b.A, &b.Forth).AndNot(b.exposed).Count() >= spec.Pieces {
			b.roomy = b.roomy.Or(x.First())
		}
	}
	return b, nil
}

func (b *board1) set(cells []int) (s sets.Set1) {
	for _, c := range cells {
		s = s.Or(sets.Only1(b.bit[c]))
	}
	return s
}

// fromCells turns a set of cells into a set of bits. With flip it returns the set's mirror image.
func (b *board1) fromCells(s bitboard.Set128, flip bool) (x sets.Set1) {
	m := &b.embedding[0]
	if flip {
		m = &b.embedding[1]
	}
	for i, word := range [2]uint64{s.Lo, s.Hi} {
		for j := 8 * i; word != 0 && j < len(m); j++ {
			x = x.Or(m[j][word&0xff])
			word >>= 8
		}
	}
	return x
}

func (b *board1) toCells(s sets.Set1) (x bitboard.Set128) {
	for c, bit := range b.bit {
		if s.Meets(sets.Only1(bit)) {
			x = x.With(c)
		}
	}
	return x
}

// turn turns the board by half a turn.
func (b *board1) turn(s sets.Set1) sets.Set1 { return s.Reversed(b.span) }

// flip returns the mirror image of a set. In a game without a mirror it returns the set.
func (b *board1) flip(s sets.Set1) sets.Set1 {
	if b.spec.Mirror == nil {
		return s
	}
	return b.reflection.of(s)
}

// state tells by the rules, without looking ahead, whether a position is over.
func (b *board1) state(mover, other sets.Set1) state {
	taken := mover.Or(other)
	switch {
	case b.illegal(mover, other):
		return isIllegal
	case b.loses.Won(other, taken):
		return isLost
	case b.wins.Won(mover, taken):
		return isWon
	}
	return ongoing
}

// illegal says whether the rules forbid all turns to a position.
func (b *board1) illegal(mover, other sets.Set1) bool {
	return b.spec.MoverWonIllegal && b.wins.Won(mover, mover.Or(other)) || b.blocked(mover, other)
}

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

// contains1 returns the pattern of all armies that hold the cells of a set.
func contains1(set sets.Set1) turns.Pattern1 { return turns.Pattern1{Mask: set, Value: set} }

// ifOver appends patterns for the other player's army. If that army meets none of these patterns,
// the game is not over. Both armies are seen from the side of the given army.
func (b *board1) ifOver(list []turns.Pattern1, army sets.Set1) []turns.Pattern1 {
	list = append(list, b.loses.Own(b.spec.Pieces, b.Cells, army))
	if p, ok := b.wins.Other(army); ok {
		list = append(list, p)
	}
	return list
}

// overIfOther appends patterns for the other army. If that army meets none of these patterns, a
// position with the given mover's army is neither over nor illegal.
func (b *board1) overIfOther(list []turns.Pattern1, mover sets.Set1) []turns.Pattern1 {
	return b.blockadeIf(b.ifOver(list, mover), mover, true)
}

// overIfMover appends patterns for the mover's army, turned to the other player's side. If that
// army meets none of these patterns, a position with the given other army is neither over nor
// illegal.
func (b *board1) overIfMover(list []turns.Pattern1, other sets.Set1) []turns.Pattern1 {
	list = b.ifOver(list, other)
	from := len(list)
	list = b.blockadeIf(list, b.turn(other), false)
	for i := from; i < len(list); i++ {
		list[i] = contains1(b.turn(list[i].Value))
	}
	return list
}

// blockadeIf appends patterns for the army that is not given. If that army meets none of these
// patterns, the position has no blockade.
func (b *board1) blockadeIf(list []turns.Pattern1, army sets.Set1, isMover bool) []turns.Pattern1 {
	for _, p := range b.blockades {
		switch {
		case p.byMover != isMover:
			list = append(list, contains1(p.held))
		case p.held.Within(army):
			list = append(list, turns.Pattern1{}) // a pattern that any army matches
		}
	}
	return list
}

// mobile says whether the army movers has a legal turn in a position that is not over. Both
// armies are seen from other's side.
func (b *board1) mobile(movers, other sets.Set1) bool {
	everybody := movers.Or(other)
	if !movers.BesideRuled(&b.A, &b.Forth).AndNot(everybody.Or(b.exposed)).IsEmpty() && !b.mayReachIllegal(movers, other) {
		return true
	}
	for x := movers; !x.IsEmpty(); x = x.DropMin() {
		piece := x.First()
		for to := b.Ends(everybody.AndNot(piece), piece); !to.IsEmpty(); to = to.DropMin() {
			if !b.illegal(other, movers.AndNot(piece).Or(to.First())) {
				return true
			}
		}
	}
	return false
}

// mayReachIllegal says whether a step of movers to an exposed cell may make a position illegal. It
// may return true although there is no such step.
func (b *board1) mayReachIllegal(movers, other sets.Set1) bool {
	if b.spec.MoverWonIllegal && b.wins.Won(other, movers.Or(other)) {
		return true
	}
	for _, p := range b.blockades {
		missing := p.held.AndNot(other)
		if !p.byMover {
			// A turn may bring one more piece to the pattern.
			missing = p.held.AndNot(movers).DropMin()
		}
		if missing.IsEmpty() {
			return true
		}
	}
	return false
}

// findSteps finds the number of steps from each cell to the tip of the goal.
func (b *board1) findSteps() {
	seen := b.set(b.spec.Goal[:1])
	for left := b.Cells.AndNot(seen); ; left = left.AndNot(seen) {
		for x := left; !x.IsEmpty(); x = x.DropMin() {
			b.steps[x.Min()]++
		}
		next := seen.Beside(&b.A, &b.Forth).And(left)
		if next.IsEmpty() {
			return
		}
		seen = next
	}
}

// late returns a number by which to order armies: it grows with the number of steps from the last
// piece to the tip of the goal, then with the number from the next to last piece, and so on.
func (b *board1) late(army sets.Set1) (n uint64) {
	for ; !army.IsEmpty(); army = army.DropMin() {
		n += 1 << min(3*b.steps[army.Min()], 60) // 3 bits count up to seven pieces
	}
	return n
}
