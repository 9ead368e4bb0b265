package solve

import (
	"perfectplay/game"
	"perfectplay/internal/table"
)

const infinite = 1<<15 - 1

// bounds are the four numbers of plies of a [Fact], without its move and cost.
type bounds struct {
	winOver, winBy, lossOver, lossBy int
}

var unbounded = bounds{0, infinite, 0, infinite}

// Kinds of a payload; no payload is zero.
const (
	kindOpen = 1 + iota
	kindWin
	kindLoss
)

const (
	moveBits = 24
	plyBits  = 15
	firstAt  = moveBits
	secondAt = moveBits + plyBits
	kindAt   = moveBits + 2*plyBits
	moveMask = 1<<moveBits - 1
	plyMask  = 1<<plyBits - 1
	kindMask = 3
)

// pack encodes bounds and a move in the key's frame.
func pack(b bounds, m game.Move) table.Payload {
	kind, first, second := uint64(kindOpen), b.winOver, b.lossOver
	switch {
	case b.winBy < infinite:
		kind, second = kindWin, b.winBy
	case b.lossBy < infinite:
		kind, first, second = kindLoss, b.lossOver, b.lossBy
	}
	return table.Payload{A: uint64(m)&moveMask | uint64(first)<<firstAt | uint64(second)<<secondAt | kind<<kindAt}
}

func unpack(p table.Payload) (b bounds, m game.Move) {
	first, second := int(p.A>>firstAt&plyMask), int(p.A>>secondAt&plyMask)
	switch p.A >> kindAt & kindMask {
	case kindWin:
		b = bounds{first, second, infinite, infinite}
	case kindLoss:
		b = bounds{infinite, infinite, first, second}
	default:
		b = bounds{first, infinite, second, infinite}
	}
	return b, game.Move(p.A & moveMask)
}

func (b bounds) and(c bounds) bounds {
	b.winOver = max(b.winOver, c.winOver)
	b.winBy = min(b.winBy, c.winBy)
	b.lossOver = max(b.lossOver, c.lossOver)
	b.lossBy = min(b.lossBy, c.lossBy)
	return b
}

// within returns b with the knowledge that the game is over after at most left plies.
func (b bounds) within(left int) bounds {
	if b.winOver >= left {
		b.winOver = infinite
	}
	if b.lossOver >= left {
		b.lossOver = infinite
	}
	return b
}

// mergeBounds combines two payloads of one position; the result has the newer move, or the older
// one if there is no newer.
func mergeBounds(old, new table.Payload) table.Payload {
	a, m := unpack(old)
	b, n := unpack(new)
	if n == game.NoMove {
		n = m
	}
	return pack(a.and(b), n)
}

// A score counts the plies left when the game ends, plus one: positive for a win of the side to
// move, negative for a loss, zero for a draw or an open horizon. One ply later both the distance
// and the plies left are one less, so scores and windows pass from parent to child with a change
// of sign alone.

// scoreRange returns the scores that bounds allow with d plies left.
func (b bounds) scoreRange(d int) (lower, upper int) {
	switch {
	case b.winBy <= d:
		lower = d + 1 - b.winBy
	case b.lossOver < d:
		lower = -(d - b.lossOver)
	}
	switch {
	case b.lossBy <= d:
		upper = b.lossBy - d - 1
	case b.winOver < d:
		upper = d - b.winOver
	}
	return lower, upper
}

// learned returns the bounds that a score v with d plies left proves, if the score is at least v
// (atLeast), at most v (atMost), or both. final means that the search met no horizon.
func learned(v, d int, atLeast, atMost, final bool) bounds {
	b, depth := unbounded, d
	if final {
		depth = infinite
	}
	if atLeast {
		switch {
		case v > 0:
			b.winBy, b.lossOver = d+1-v, infinite
		case v == 0:
			b.lossOver = depth
		default:
			b.lossOver = d + v
		}
	}
	if atMost {
		switch {
		case v < 0:
			b.lossBy, b.winOver = d+1+v, infinite
		case v == 0:
			b.winOver = depth
		default:
			b.winOver = d - v
		}
	}
	return b
}
