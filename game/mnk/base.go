package mnk

import "perfectplay/game"

// base is the common part of the states of every size.
type base struct {
	g   *Game
	n   int  // number of stones
	won bool // the last stone completed a window
}

// Seat is the seat to move.
func (b *base) Seat() int { return b.n & 1 }

// Result is a win for the player of the last stone, a draw on a full board, or
// Ongoing.
func (b *base) Result() game.Result {
	switch {
	case b.won:
		return game.Result(1 - b.n&1)
	case b.n == b.g.cells:
		return game.Drawn
	}
	return game.Ongoing
}

// PliesLeft is the number of empty cells of an undecided game, see game.Ender.
func (b *base) PliesLeft() int {
	if b.won {
		return 0
	}
	return b.g.cells - b.n
}

// inTime returns turns, or NeverWins if the board is full before the seat has made that many turns.
func (b *base) inTime(seat, turns int) int {
	free := b.g.cells - b.n
	if b.n&1 == seat {
		free++
	}
	if turns > free/2 {
		return game.NeverWins
	}
	return turns
}

// MoveString names the cell.
func (b *base) MoveString(m game.Move) string { return b.g.CellName(int(m)) }

// Canonical maps a move to the key's frame.
func (b *base) Canonical(m game.Move, sym uint8) game.Move {
	if m == game.Pass || m == game.NoMove {
		return m
	}
	return game.Move(b.g.sym[sym][m])
}

// Actual maps a move of the key's frame back.
func (b *base) Actual(m game.Move, sym uint8) game.Move { return b.Canonical(m, Inverse(sym)) }
