package halma

import (
	"perfectplay/bitboard"
	"perfectplay/game"
)

// maxPieces is the largest number of pieces of a seat.
const maxPieces = 10

// idle is the round of pieces that cannot hop.
const idle = maxPieces

// Moves are encoded as from | to<<7 in cell numbers.

// NewMove returns the move of a piece from one cell to another.
func NewMove(from, to int) game.Move { return game.Move(from | to<<7) }

// Cells returns the cells of a move that is neither Pass nor NoMove.
func Cells(m game.Move) (from, to int) { return int(m & 127), int(m >> 7 & 127) }

// common is the part of a state that does not depend on the width of the board:
// the packed sets, which are the position's identity, and what is derived from
// them on the way.
type common struct {
	g       *Game
	packed  [maxSeats]bitboard.Set128
	seats   uint
	seat    int8 // to move
	won     int8 // the seat that has won, or −1
	history []game.Move
	// code[seat] are the code words of the seat's set in every image, as they
	// were after the first synced moves of the history: whoever asks for no key
	// does not pay for it.
	code   [maxSeats][4]uint64
	synced int
}

// newHistory has room for the deepest usual searches, so that making moves
// allocates nothing.
func newHistory() []game.Move { return make([]game.Move, 0, 128) }

func newCommon(g *Game, p *position) common {
	c := common{g: g, seats: uint(g.seats), packed: p.own, seat: int8(p.seat), won: int8(g.winner(p)), history: newHistory()}
	for s := range g.seats {
		for r := p.own[s]; !r.IsEmpty(); r = r.DropMin() {
			for i, w := range g.keyOf[r.Min()] {
				c.code[s][i] ^= w
			}
		}
	}
	return c
}

// sync brings the code words up to date.
func (c *common) sync() {
	last := len(c.history)
	if c.synced == last {
		return
	}
	seat := (int(c.seat) - (last-c.synced)%c.g.seats + c.g.seats) % c.g.seats
	for _, m := range c.history[c.synced:] {
		c.moveCode(m, seat)
		if seat++; seat == c.g.seats {
			seat = 0
		}
	}
	c.synced = last
}

// unsync takes back the last synced move, which has just left the history.
func (c *common) unsync(m game.Move) {
	seat := int(c.seat) - 1
	if seat < 0 {
		seat = c.g.seats - 1
	}
	c.moveCode(m, seat)
	c.synced--
}

// moveCode moves a piece of a seat in its code words, or takes it back.
func (c *common) moveCode(m game.Move, seat int) {
	if m == game.Pass {
		return
	}
	w, a, b := &c.code[seat], &c.g.keyOf[m&127], &c.g.keyOf[m>>7&127]
	w[0] ^= a[0] ^ b[0]
	if c.g.images > 1 {
		w[1] ^= a[1] ^ b[1]
		w[2] ^= a[2] ^ b[2]
		w[3] ^= a[3] ^ b[3]
	}
}

// Seat is the seat to move.
func (c *common) Seat() int { return int(c.seat) }

// position returns the position as data.
func (c *common) position() position { return position{int(c.seat), c.packed} }

// Pieces returns the cells of a seat's pieces.
func (c *common) Pieces(seat int) bitboard.Set128 { return c.packed[seat] }

// Game returns the game that the state belongs to.
func (c *common) Game() *Game { return c.g }

// decide returns the seat that has won after seat mover moved a piece into the
// goal of seat w, or −1.
func (c *common) decide(mover, w int) int8 {
	goal := c.g.goal[w]
	if c.g.rules.Win == AllHome {
		if w == mover && c.packed[w].AndNot(goal).IsEmpty() {
			return int8(w)
		}
		return -1
	}
	if c.packed[w].And(goal).IsEmpty() {
		return -1
	}
	for _, own := range c.packed[:c.g.seats] {
		goal = goal.AndNot(own)
	}
	if goal.IsEmpty() {
		return int8(w)
	}
	return -1
}

// atBlockade reports whether a camp is blocked as it stands, or from is an apex
// that a blockade would need empty.
func (c *common) atBlockade(from int) bool {
	for _, b := range c.g.blocks {
		if b.edge.AndNot(c.packed[b.seat]).IsEmpty() &&
			(from == b.apex || !c.packed[0].Has(b.apex) && !c.packed[1].Has(b.apex)) {
			return true
		}
	}
	return false
}

// risky reports whether a move of a seat could make an illegal position at all:
// its home, the opponent's goal, lacks at most one piece, or the edge of a
// blockade does.
func (c *common) risky(seat int) bool {
	occ := c.packed[0].Or(c.packed[1])
	if atMostOne(c.g.home[seat].AndNot(occ)) {
		return true
	}
	for _, b := range c.g.blocks {
		if atMostOne(b.edge.AndNot(c.packed[b.seat])) {
			return true
		}
	}
	return false
}

// atMostOne reports whether a set has one cell or none.
func atMostOne(s bitboard.Set128) bool { return s.DropMin().IsEmpty() }

// illegalAfter reports whether a seat's move would make an illegal position. It
// is for two seats.
func (c *common) illegalAfter(seat, from, to int) bool {
	own := c.packed[seat].Xor(c.g.bit[from]).Xor(c.g.bit[to])
	next, other := 1-seat, c.packed[1-seat]
	return c.g.hasWon(next, other, own.Or(other)) || c.g.blocked(next, other, own)
}

// occupied returns all pieces.
func (p *position) occupied() (occ bitboard.Set128) {
	for _, own := range p.own {
		occ = occ.Or(own)
	}
	return occ
}
