package halma

import (
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// set1, set2 and set3 are sets of cells in the padded embedding of one, two and
// three words; a is the lowest word. Shift counts are 1…63.
type (
	set1 struct{ a uint64 }
	set2 struct{ a, b uint64 }
	set3 struct{ a, b, c uint64 }
)

func newSet1(bit uint8) set1 { return set1{1 << (bit & 63)} }

func (s set1) and(t set1) set1    { return set1{s.a & t.a} }
func (s set1) or(t set1) set1     { return set1{s.a | t.a} }
func (s set1) xor(t set1) set1    { return set1{s.a ^ t.a} }
func (s set1) andNot(t set1) set1 { return set1{s.a &^ t.a} }
func (s set1) up(n uint) set1     { return set1{s.a << (n & 63)} }
func (s set1) down(n uint) set1   { return set1{s.a >> (n & 63)} }
func (s set1) isEmpty() bool      { return s.a == 0 }
func (s set1) count() int         { return bits.OnesCount64(s.a) }

// first returns the lowest cell of s alone, or the empty set.
func (s set1) first() set1 { return set1{s.a & -s.a} }

func newSet2(bit uint8) set2 {
	if bit < 64 {
		return set2{a: 1 << (bit & 63)}
	}
	return set2{b: 1 << (bit & 63)}
}

func (s set2) and(t set2) set2    { return set2{s.a & t.a, s.b & t.b} }
func (s set2) or(t set2) set2     { return set2{s.a | t.a, s.b | t.b} }
func (s set2) xor(t set2) set2    { return set2{s.a ^ t.a, s.b ^ t.b} }
func (s set2) andNot(t set2) set2 { return set2{s.a &^ t.a, s.b &^ t.b} }
func (s set2) isEmpty() bool      { return s.a|s.b == 0 }
func (s set2) count() int         { return bits.OnesCount64(s.a) + bits.OnesCount64(s.b) }
func (s set2) up(n uint) set2 {
	return set2{s.a << (n & 63), s.b<<(n&63) | s.a>>(-n&63)}
}
func (s set2) down(n uint) set2 {
	return set2{s.a>>(n&63) | s.b<<(-n&63), s.b >> (n & 63)}
}

func (s set2) first() set2 {
	b := s.b & -s.b
	if s.a != 0 {
		b = 0
	}
	return set2{s.a & -s.a, b}
}

func newSet3(bit uint8) set3 {
	switch bit >> 6 {
	case 0:
		return set3{a: 1 << (bit & 63)}
	case 1:
		return set3{b: 1 << (bit & 63)}
	}
	return set3{c: 1 << (bit & 63)}
}

func (s set3) and(t set3) set3    { return set3{s.a & t.a, s.b & t.b, s.c & t.c} }
func (s set3) or(t set3) set3     { return set3{s.a | t.a, s.b | t.b, s.c | t.c} }
func (s set3) xor(t set3) set3    { return set3{s.a ^ t.a, s.b ^ t.b, s.c ^ t.c} }
func (s set3) andNot(t set3) set3 { return set3{s.a &^ t.a, s.b &^ t.b, s.c &^ t.c} }
func (s set3) isEmpty() bool      { return s.a|s.b|s.c == 0 }
func (s set3) count() int {
	return bits.OnesCount64(s.a) + bits.OnesCount64(s.b) + bits.OnesCount64(s.c)
}
func (s set3) up(n uint) set3 {
	return set3{s.a << (n & 63), s.b<<(n&63) | s.a>>(-n&63), s.c<<(n&63) | s.b>>(-n&63)}
}
func (s set3) down(n uint) set3 {
	return set3{s.a>>(n&63) | s.b<<(-n&63), s.b>>(n&63) | s.c<<(-n&63), s.c >> (n & 63)}
}

func (s set3) first() set3 {
	b, c := s.b&-s.b, s.c&-s.c
	if s.a != 0 {
		b = 0
	}
	if s.a|s.b != 0 {
		c = 0
	}
	return set3{s.a & -s.a, b, c}
}

// cellTable maps the bits of an embedding to cells.
type cellTable [192]uint8

// cells returns the cells at the bits of s.
func (s set1) cells(of *cellTable) (c bitboard.Set128) {
	return gather(c, s.a, (*[64]uint8)(of[:64]))
}

func (s set2) cells(of *cellTable) (c bitboard.Set128) {
	c = gather(c, s.a, (*[64]uint8)(of[:64]))
	return gather(c, s.b, (*[64]uint8)(of[64:128]))
}

func (s set3) cells(of *cellTable) (c bitboard.Set128) {
	c = gather(c, s.a, (*[64]uint8)(of[:64]))
	c = gather(c, s.b, (*[64]uint8)(of[64:128]))
	return gather(c, s.c, (*[64]uint8)(of[128:192]))
}

// gather adds to c the cells at the ones of one word.
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

// appendMoves appends the moves from a cell to the ends at the bits of s, in the
// order of the bits.
func (s set1) appendMoves(buf []game.Move, from game.Move, of *cellTable) []game.Move {
	return appendWord(buf, from, s.a, (*[64]uint8)(of[:64]))
}

func (s set2) appendMoves(buf []game.Move, from game.Move, of *cellTable) []game.Move {
	buf = appendWord(buf, from, s.a, (*[64]uint8)(of[:64]))
	return appendWord(buf, from, s.b, (*[64]uint8)(of[64:128]))
}

func (s set3) appendMoves(buf []game.Move, from game.Move, of *cellTable) []game.Move {
	buf = appendWord(buf, from, s.a, (*[64]uint8)(of[:64]))
	buf = appendWord(buf, from, s.b, (*[64]uint8)(of[64:128]))
	return appendWord(buf, from, s.c, (*[64]uint8)(of[128:192]))
}

// appendWord is appendMoves for one word.
func appendWord(buf []game.Move, from game.Move, word uint64, of *[64]uint8) []game.Move {
	for ; word != 0; word &= word - 1 {
		buf = append(buf, from|game.Move(of[bits.TrailingZeros64(word)&63])<<7)
	}
	return buf
}

// appendSorted is appendMoves in the order of cell numbers: it inserts each move
// where it belongs among those from buf[first] on, mostly at the end. On the
// boards that need it this is a third faster than gathering the ends in a packed
// set first.
func (s set1) appendSorted(buf []game.Move, first int, from game.Move, of *cellTable) []game.Move {
	return appendWordSorted(buf, first, from, s.a, (*[64]uint8)(of[:64]))
}

func (s set2) appendSorted(buf []game.Move, first int, from game.Move, of *cellTable) []game.Move {
	buf = appendWordSorted(buf, first, from, s.a, (*[64]uint8)(of[:64]))
	return appendWordSorted(buf, first, from, s.b, (*[64]uint8)(of[64:128]))
}

func (s set3) appendSorted(buf []game.Move, first int, from game.Move, of *cellTable) []game.Move {
	buf = appendWordSorted(buf, first, from, s.a, (*[64]uint8)(of[:64]))
	buf = appendWordSorted(buf, first, from, s.b, (*[64]uint8)(of[64:128]))
	return appendWordSorted(buf, first, from, s.c, (*[64]uint8)(of[128:192]))
}

// appendWordSorted is appendSorted for one word.
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

// putEach adds the cells of s, which neither set holds, to own and occ: each in
// turn and without the others. It leaves the sets as they were and returns the
// number of cells.
func (s set1) putEach(own, occ *set1) uint64 { return putWord(&own.a, &occ.a, s.a) }

func (s set2) putEach(own, occ *set2) uint64 {
	return putWord(&own.a, &occ.a, s.a) + putWord(&own.b, &occ.b, s.b)
}

func (s set3) putEach(own, occ *set3) uint64 {
	return putWord(&own.a, &occ.a, s.a) + putWord(&own.b, &occ.b, s.b) + putWord(&own.c, &occ.c, s.c)
}

// putWord is putEach for one word.
func putWord(own, occ *uint64, word uint64) (n uint64) {
	o, p := *own, *occ
	for ; word != 0; word &= word - 1 {
		bit := word & -word
		*own, *occ = o|bit, p|bit
		n++
	}
	*own, *occ = o, p
	return n
}
