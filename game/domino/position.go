package domino

import "perfectplay/game"

// The seats of a deal.
const (
	Starter = 0
	Second  = 1
)

// None is the number on the ends before the first tile.
const None int8 = -1

// Position is a deal in play, as a comparable value.
type Position struct {
	Hands       [2]Set // hand of each seat
	Left, Right int8   // 0…6 each, or both None
	Mover       uint8  // seat
}

// End is an end of the row.
type End uint8

// The ends. If both show the same number, tiles go to the right.
const (
	LeftEnd End = iota
	RightEnd
)

// Move is a tile and the end where it goes: 2·tile + end. The first tile of a deal goes to the
// right.
type Move uint8

// Passed stands for a pass in a list of moves: the last eight bits of [game.Pass].
const Passed = Move(game.Pass & 0xff)

// NewMove returns the move of a tile to an end.
func NewMove(t Tile, e End) Move { return Move(t)<<1 | Move(e) }

// Tile is the tile played.
func (m Move) Tile() Tile { return Tile(m >> 1) }

// End is the end where the tile goes.
func (m Move) End() End { return End(m & 1) }

// Playable returns the tiles the seat could play if it were to move.
func (p Position) Playable(seat uint8) Set {
	if p.Left == None {
		if first := (p.Hands[0] | p.Hands[1]) & Doubles; first != 0 {
			return p.Hands[seat] & (1 << first.Max())
		}
		return 0
	}
	return p.Hands[seat] & (withNumber[p.Left&7] | withNumber[p.Right&7])
}

// Over reports whether the deal has ended: a hand is empty or both are stuck.
func (p Position) Over() bool {
	return p.Hands[0] == 0 || p.Hands[1] == 0 || p.Playable(0)|p.Playable(1) == 0
}

// Blocked reports whether the deal has ended with tiles in both hands.
func (p Position) Blocked() bool {
	return p.Hands[0] != 0 && p.Hands[1] != 0 && p.Playable(0)|p.Playable(1) == 0
}

// Score is the score if the deal ended here: the pips left to the second player minus the pips left
// to the starter. A positive score is good for the starter.
func (p Position) Score() int { return p.Hands[Second].Pips() - p.Hands[Starter].Pips() }

// Moves appends the mover's moves to buf: tiles in ascending order, and a tile that fits two
// different ends first to the left. Without a move the mover passes, or the deal is over.
func (p Position) Moves(buf []Move) []Move {
	if p.Hands[0] == 0 || p.Hands[1] == 0 {
		return buf
	}
	for s := p.Playable(p.Mover); s != 0; s = s.DropMin() {
		t := s.Min()
		if p.Left != p.Right && withNumber[p.Left&7].Has(t) {
			buf = append(buf, NewMove(t, LeftEnd))
		}
		if p.Right == None || withNumber[p.Right&7].Has(t) {
			buf = append(buf, NewMove(t, RightEnd))
		}
	}
	return buf
}

// Play returns the position after a legal move or pass.
func (p Position) Play(m Move) Position {
	if m == Passed {
		return p.Pass()
	}
	t := m.Tile()
	p.Hands[p.Mover&1] = p.Hands[p.Mover&1].Without(t)
	switch {
	case p.Left == None:
		p.Left, p.Right = int8(t.Low()), int8(t.High())
	case m.End() == LeftEnd:
		p.Left = int8(t.Other(int(p.Left)))
	default:
		p.Right = int8(t.Other(int(p.Right)))
	}
	p.Mover ^= 1
	return p
}

// Pass returns the position after the mover passed.
func (p Position) Pass() Position {
	p.Mover ^= 1
	return p
}
