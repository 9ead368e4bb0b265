package halma

import (
	"math/bits"

	"perfectplay/game"
)

// makeKeys prepares the exact keys. With two armies, keys turn and mirror the words of cells.
// Otherwise a seat needs words only for the cells where its pieces may rest, which makes them
// shorter.
func (g *Game) makeKeys() {
	b := g.board
	if g.seats == 2 {
		g.code = newCode(b.Cells(), b.pieces)
		for cell := range b.Cells() {
			for sym := range g.keyOf[cell] {
				g.keyOf[cell][sym] = g.code.col[b.perm[sym][cell]]
			}
		}
		if g.words = 1; 2*g.code.bits > 64 {
			g.words = 2
		}
		return
	}
	open := make([][]int, g.seats)
	most := 0
	for seat := range open {
		open[seat] = cellsOf(g.turns[seat].Open)
		most = max(most, len(open[seat]))
	}
	g.code = newCode(most, b.pieces)
	for seat, cells := range open {
		for i, cell := range cells {
			g.wordOf[seat][cell] = g.code.col[i]
		}
	}
	g.words = (g.seats*g.code.bits + bits.Len(uint(g.seats-1)) + 63) / 64
}

// KeyWords is 1 or 2 with two seats, at most 6 with more.
func (c *common) KeyWords() int { return c.g.words }

// Key writes the code words of the seats' sets. With two seats the board is turned so that the
// seat to move is the first, and mirrored if that makes the key smaller and camps allow it.
func (c *common) Key(dst []uint64) (sym uint8) {
	c.sync()
	g := c.g
	if g.seats != 2 {
		c.rawKey(dst, c.seat)
		return 0
	}
	return g.pairKey(dst, &c.code[c.seat&1], &c.code[c.seat&1^1], c.seat)
}

// NextKey is Key after a move.
func (c *common) NextKey(m game.Move, dst []uint64) (sym uint8) {
	c.sync()
	g, seat := c.g, c.seat
	if m == game.Pass {
		m = 0 // a pass counts as a move from a cell to itself
	}
	if g.seats != 2 {
		was := c.code[seat][0]
		c.code[seat][0] ^= g.wordOf[seat][m&127] ^ g.wordOf[seat][m>>7&127]
		c.rawKey(dst, c.after(seat))
		c.code[seat][0] = was
		return 0
	}
	moved := c.code[seat&1]
	a, b := &g.keyOf[m&127], &g.keyOf[m>>7&127]
	for i := range moved {
		moved[i] ^= a[i] ^ b[i]
	}
	return g.pairKey(dst, &c.code[seat&1^1], &moved, seat^1)
}

// pairKey writes the key of a position of two seats. mover and other are the code words, in every
// image, of the seat to move and of the other seat; seat is the seat to move.
func (g *Game) pairKey(dst []uint64, mover, other *[4]uint64, seat int) (sym uint8) {
	if seat != 0 {
		sym = symTurn
	}
	a, b := mover[sym&3], other[sym&3]
	if g.board.mirror {
		m := sym | symMirror
		if ma, mb := mover[m&3], other[m&3]; ma < a || ma == a && mb < b {
			a, b, sym = ma, mb, m
		}
	}
	if g.words == 1 {
		dst[0] = a | b<<(g.code.bits&63)
		return sym
	}
	_ = dst[1]
	dst[0], dst[1] = a, b
	return sym
}

func (c *common) rawKey(dst []uint64, seat int) {
	g := c.g
	dst = dst[:g.words]
	clear(dst)
	at := uint(0)
	for s := range g.seats {
		w := c.code[s][0]
		dst[at>>6] |= w << (at & 63)
		if end := at + uint(g.code.bits); at>>6 != (end-1)>>6 {
			dst[(end-1)>>6] |= w >> (-at & 63)
		}
		at += uint(g.code.bits)
	}
	// The seat to move takes two or three bits.
	if i := at >> 6; int(i) < len(dst) {
		dst[i] |= uint64(seat) << (at & 63)
	}
	if i := at>>6 + 1; at&63 > 61 && int(i) < len(dst) {
		dst[i] |= uint64(seat) >> (-at & 63)
	}
}

// Canonical maps a move of the current position to the key's frame.
func (c *common) Canonical(m game.Move, sym uint8) game.Move {
	if sym == 0 || m == game.Pass || m == game.NoMove {
		return m
	}
	p := c.g.board.perm[sym&3]
	return game.Move(p[m&127]) | game.Move(p[m>>7&127])<<7
}

// Actual maps a move back. Symmetries are their own inverses.
func (c *common) Actual(m game.Move, sym uint8) game.Move { return c.Canonical(m, sym) }
