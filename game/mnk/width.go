package mnk

import (
	"perfectplay/bitboard"
	"perfectplay/game"
)

// This file has the differences between boards of at most 64 cells and of 65 to 128.
// internal/genkernel makes everything else for the wide boards.

// Position is a position of a board of at most 128 cells, a [State64] or a [State128].
type Position interface {
	game.State
	game.Keyer
	// At returns the contents of a cell: 0 empty, 1 and 2 the players' stones.
	At(cell int) uint8
	// Stones returns the stones of the two players.
	Stones() (x, o bitboard.Set128)
	// Gain estimates the worth of a stone on a cell, see game.Orderer.
	Gain(m game.Move) int32
}

// Text is the text of the position with these stones, as a state prints it. The board has
// at most 128 cells.
func (g *Game) Text(x, o bitboard.Set128) string {
	s := State128{base: base{g: g}, stone: [2]bitboard.Set128{x, o}}
	return s.String()
}

// The number of cells of sets, and a mask of their numbers.
const (
	cells64  = bitboard.Cells64
	cells128 = bitboard.Cells128
	mask64   = cells64 - 1
	mask128  = cells128 - 1
)

// wide64 and wide128 return a set in the form of the exported methods.
func wide64(s bitboard.Set64) bitboard.Set128   { return bitboard.Set128{Lo: s.Lo} }
func wide128(s bitboard.Set128) bitboard.Set128 { return s }

const (
	keyWords64  = 2
	keyWords128 = 4
)

// putKey64 and putKey128 write the words of a key.
func putKey64(dst []uint64, a, b bitboard.Set64) { dst[0], dst[1] = a.Lo, b.Lo }

func putKey128(dst []uint64, a, b bitboard.Set128) {
	dst[0], dst[1], dst[2], dst[3] = a.Lo, a.Hi, b.Lo, b.Hi
}

// stretch returns the shifts, in bits, that make a window of k cells from one cell: each
// doubles the length, or completes it.
func stretch(k, step uint) (list []uint) {
	for have := uint(1); have < k; {
		by := min(have, k-have)
		list = append(list, by*step)
		have += by
	}
	return list
}
