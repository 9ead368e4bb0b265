package halma

import (
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma/internal/sets"
)

type cellTable [192]uint8

// cells1, cells2 and cells3 return the cells at the bits of s.
func cells1(s sets.Set1, of *cellTable) (c bitboard.Set128) {
	return gather(c, s.A, (*[64]uint8)(of[:64]))
}

func cells2(s sets.Set2, of *cellTable) (c bitboard.Set128) {
	c = gather(c, s.A, (*[64]uint8)(of[:64]))
	return gather(c, s.B, (*[64]uint8)(of[64:128]))
}

func cells3(s sets.Set3, of *cellTable) (c bitboard.Set128) {
	c = gather(c, s.A, (*[64]uint8)(of[:64]))
	c = gather(c, s.B, (*[64]uint8)(of[64:128]))
	return gather(c, s.C, (*[64]uint8)(of[128:192]))
}

func gather(c bitboard.Set128, word uint64, of *[64]uint8) bitboard.Set128 {
	for ; word != 0; word &= word - 1 {
		cell := of[bits.TrailingZeros64(word)&63]
		bit := uint64(1) << (cell & 63)
		high := -uint64(cell >> 6)
		c.Lo |= bit &^ high
		c.Hi |= bit & high
	}
	return c
}

// appendMoves1, appendMoves2 and appendMoves3 append the moves from a cell to the ends at the
// bits of s, in the order of the bits.
func appendMoves1(buf []game.Move, s sets.Set1, from game.Move, of *cellTable) []game.Move {
	return appendWord(buf, from, s.A, (*[64]uint8)(of[:64]))
}

func appendMoves2(buf []game.Move, s sets.Set2, from game.Move, of *cellTable) []game.Move {
	buf = appendWord(buf, from, s.A, (*[64]uint8)(of[:64]))
	return appendWord(buf, from, s.B, (*[64]uint8)(of[64:128]))
}

func appendMoves3(buf []game.Move, s sets.Set3, from game.Move, of *cellTable) []game.Move {
	buf = appendWord(buf, from, s.A, (*[64]uint8)(of[:64]))
	buf = appendWord(buf, from, s.B, (*[64]uint8)(of[64:128]))
	return appendWord(buf, from, s.C, (*[64]uint8)(of[128:192]))
}

func appendWord(buf []game.Move, from game.Move, word uint64, of *[64]uint8) []game.Move {
	for ; word != 0; word &= word - 1 {
		buf = append(buf, from|game.Move(of[bits.TrailingZeros64(word)&63])<<7)
	}
	return buf
}

// appendSorted1, appendSorted2 and appendSorted3 append in the order of cell numbers. They insert
// each move in its place among the moves from buf[first] on, mostly at the end.
func appendSorted1(buf []game.Move, s sets.Set1, first int, from game.Move, of *cellTable) []game.Move {
	return appendWordSorted(buf, first, from, s.A, (*[64]uint8)(of[:64]))
}

func appendSorted2(buf []game.Move, s sets.Set2, first int, from game.Move, of *cellTable) []game.Move {
	buf = appendWordSorted(buf, first, from, s.A, (*[64]uint8)(of[:64]))
	return appendWordSorted(buf, first, from, s.B, (*[64]uint8)(of[64:128]))
}

func appendSorted3(buf []game.Move, s sets.Set3, first int, from game.Move, of *cellTable) []game.Move {
	buf = appendWordSorted(buf, first, from, s.A, (*[64]uint8)(of[:64]))
	buf = appendWordSorted(buf, first, from, s.B, (*[64]uint8)(of[64:128]))
	return appendWordSorted(buf, first, from, s.C, (*[64]uint8)(of[128:192]))
}

func appendWordSorted(buf []game.Move, first int, from game.Move, word uint64, of *[64]uint8) []game.Move {
	for ; word != 0; word &= word - 1 {
		m := from | game.Move(of[bits.TrailingZeros64(word)&63])<<7
		buf = append(buf, m)
		for i := len(buf) - 1; i > first && buf[i-1] > m; i-- {
			buf[i], buf[i-1] = buf[i-1], m
		}
	}
	return buf
}
