package halma

import (
	"perfectplay/bitboard"
	"perfectplay/game"
)

const maxPieces = 10

// idle is the round of pieces that cannot hop.
const idle = maxPieces

// NewMove returns the move of a piece from one cell to another: from | to<<7.
func NewMove(from, to int) game.Move { return game.Move(from | to<<7) }

// Cells returns the cells of a move that is neither Pass nor NoMove.
func Cells(m game.Move) (from, to int) { return int(m & 127), int(m >> 7 & 127) }

// Position is implemented by the states of a [Game] and of its [Mailbox].
type Position interface {
	game.State
	// Pieces returns the cells of a seat's pieces.
	Pieces(seat int) bitboard.Set128
}

// common is the part of a state that does not depend on the width of the board: the packed sets,
// and values derived from them during play.
type common struct {
	g       *Game
	self    kernelState
	packed  [maxSeats]bitboard.Set128
	seats   int
	seat    int  // the seat to move
	won     int  // the seat that has won, or −1
	illegal bool // the rules forbid turns to some positions
	history []game.Move
	// code[seat] are the code words of the seat's set in every image after the first synced
	// moves of the history: they are brought up to date only for keys.
	code   [maxSeats][4]uint64
	synced int
	// tally counts the pieces of each seat for the bound on the race. Byte s of taken counts the
	// taken holes of seat s's goal.
	tally [maxSeats]tally
	taken uint64
}

type kernelState interface {
	game.State
	// canMove reports whether a seat would have a legal move if it were to move.
	canMove(seat int) bool
}

// newHistory returns an empty history with room for usual searches, so that making moves does not
// allocate.
func newHistory() []game.Move { return make([]game.Move, 0, 128) }

// place puts a state at a position without a history.
func (c *common) place(g *Game, p position) {
	history := c.history[:0]
	if history == nil {
		history = newHistory()
	}
	*c = common{
		g: g, self: c.self, seats: g.seats, packed: p.own, seat: p.seat, won: g.winner(&p),
		illegal: g.rules.Illegal != NoIllegal, history: history,
	}
	for s := range g.seats {
		for r := p.own[s]; !r.IsEmpty(); r = r.DropMin() {
			if g.seats != 2 {
				c.code[s][0] ^= g.wordOf[s][r.Min()]
			} else {
				for i, w := range g.keyOf[r.Min()] {
					c.code[s][i] ^= w
				}
			}
			c.tally[s] += g.race.count[s][r.Min()]
			c.taken += g.race.taken[r.Min()]
		}
	}
}

func (c *common) after(seat int) int {
	if seat++; seat == c.seats {
		return 0
	}
	return seat
}

// advance adds a move to the history, passes the turn on and returns the seat that moved.
func (c *common) advance(m game.Move) (seat int) {
	seat = c.seat
	c.history = append(c.history, m)
	c.seat = c.after(seat)
	return seat
}

// retreat removes the last move from the history and returns the turn to the seat that made it.
func (c *common) retreat() (m game.Move, seat int) {
	last := len(c.history) - 1
	m = c.history[last]
	c.history = c.history[:last]
	if c.seat--; c.seat < 0 {
		c.seat += c.seats
	}
	return m, c.seat
}

// sync brings the code words up to date.
func (c *common) sync() {
	last := len(c.history)
	if c.synced == last {
		return
	}
	seat := (c.seat - (last-c.synced)%c.seats + c.seats) % c.seats
	for _, m := range c.history[c.synced:] {
		c.moveCode(m, seat)
		seat = c.after(seat)
	}
	c.synced = last
}

// moveCode moves a piece of a seat in its code words, or takes it back.
func (c *common) moveCode(m game.Move, seat int) {
	if m == game.Pass {
		return
	}
	w := &c.code[seat]
	if c.seats != 2 {
		words := &c.g.wordOf[seat]
		w[0] ^= words[m&127] ^ words[m>>7&127]
		return
	}
	a, b := &c.g.keyOf[m&127], &c.g.keyOf[m>>7&127]
	w[0] ^= a[0] ^ b[0]
	w[1] ^= a[1] ^ b[1]
	w[2] ^= a[2] ^ b[2]
	w[3] ^= a[3] ^ b[3]
}

// recount moves a piece of a seat from one cell to another in the counts.
func (c *common) recount(seat int, from, to game.Move) {
	r := &c.g.race
	c.tally[seat] += r.count[seat][to&127] - r.count[seat][from&127]
	c.taken += r.taken[to&127] - r.taken[from&127]
}

func (c *common) Seat() int { return c.seat }

func (c *common) position() *position { return &position{c.seat, c.packed} }

// Pieces returns the cells of a seat's pieces.
func (c *common) Pieces(seat int) bitboard.Set128 { return c.packed[seat] }

// Game returns the game that the state belongs to.
func (c *common) Game() *Game { return c.g }

// othersMove reports whether any seat but the one to move has a legal move. Inlined, this rare
// call would slow lists of moves by 3 %.
//
//go:noinline
func (c *common) othersMove() bool {
	for seat := range c.seats {
		if seat != c.seat && c.self.canMove(seat) {
			return true
		}
	}
	return false
}

// atBlockade reports whether a camp is blocked, or would be if from, its apex, were empty.
func (c *common) atBlockade(from int) bool {
	for _, b := range c.g.blocks {
		if b.edge.AndNot(c.packed[b.seat]).IsEmpty() &&
			(from == b.apex || !c.packed[0].Has(b.apex) && !c.packed[1].Has(b.apex)) {
			return true
		}
	}
	return false
}

// risky reports whether a move of a seat could make an illegal position.
func (c *common) risky(seat int) bool { return c.illegal && c.nearIllegal(seat) }

// nearIllegal reports whether at most one piece is missing in the home of a seat, the opponent's
// goal, or at the edge of a blockade.
func (c *common) nearIllegal(seat int) bool {
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

func atMostOne(s bitboard.Set128) bool { return s.DropMin().IsEmpty() }

// illegalEnds returns the ends of a seat's piece that would make an illegal position.
func (c *common) illegalEnds(seat, from int, ends bitboard.Set128) (bad bitboard.Set128) {
	rest, next, other := c.packed[seat].Without(from), 1-seat, c.packed[1-seat]
	for ; !ends.IsEmpty(); ends = ends.DropMin() {
		own := rest.With(ends.Min())
		if c.g.over[next].Won(other, own.Or(other)) || c.g.blocked(next, other, own) {
			bad = bad.With(ends.Min())
		}
	}
	return bad
}

func (p *position) occupied() (occ bitboard.Set128) {
	for _, own := range p.own {
		occ = occ.Or(own)
	}
	return occ
}
