package strong

import (
	"cmp"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/rank"
)

//go:generate go run ../internal/genkernel board.go moves.go hand.go

// A set of bits that cells stand at, in one, two or three words, a the lowest. Sets
// are values. board.go, moves.go and hand.go are written for one word; go generate
// makes the same for two and three of them.
type (
	set1 struct{ a uint64 }
	set2 struct{ a, b uint64 }
	set3 struct{ a, b, c uint64 }
)

// The number of words of a set.
const (
	words1 = iota + 1
	words2
	words3
)

// only1, only2 and only3 return the set of one bit.
func only1(bit uint8) set1 { return set1{1 << (bit & 63)} }

func only2(bit uint8) set2 {
	if bit < 64 {
		return set2{a: 1 << (bit & 63)}
	}
	return set2{b: 1 << (bit & 63)}
}

func only3(bit uint8) set3 {
	switch bit >> 6 {
	case 0:
		return set3{a: 1 << (bit & 63)}
	case 1:
		return set3{b: 1 << (bit & 63)}
	}
	return set3{c: 1 << (bit & 63)}
}

// load1, load2 and load3 return the set at index i of a list of sets in words.
func load1(words []uint64, i int) set1 { return set1{words[i]} }

func load2(words []uint64, i int) set2 {
	w := words[2*i : 2*i+2]
	return set2{w[0], w[1]}
}

func load3(words []uint64, i int) set3 {
	w := words[3*i : 3*i+3]
	return set3{w[0], w[1], w[2]}
}

// store is the inverse of load.
func (s set1) store(words []uint64, i int) { words[i] = s.a }

func (s set2) store(words []uint64, i int) {
	w := words[2*i : 2*i+2]
	w[0], w[1] = s.a, s.b
}

func (s set3) store(words []uint64, i int) {
	w := words[3*i : 3*i+3]
	w[0], w[1], w[2] = s.a, s.b, s.c
}

func (s set1) and(t set1) set1 { return set1{s.a & t.a} }
func (s set2) and(t set2) set2 { return set2{s.a & t.a, s.b & t.b} }
func (s set3) and(t set3) set3 { return set3{s.a & t.a, s.b & t.b, s.c & t.c} }

func (s set1) or(t set1) set1 { return set1{s.a | t.a} }
func (s set2) or(t set2) set2 { return set2{s.a | t.a, s.b | t.b} }
func (s set3) or(t set3) set3 { return set3{s.a | t.a, s.b | t.b, s.c | t.c} }

func (s set1) andNot(t set1) set1 { return set1{s.a &^ t.a} }
func (s set2) andNot(t set2) set2 { return set2{s.a &^ t.a, s.b &^ t.b} }
func (s set3) andNot(t set3) set3 { return set3{s.a &^ t.a, s.b &^ t.b, s.c &^ t.c} }

func (s set1) isEmpty() bool { return s.a == 0 }
func (s set2) isEmpty() bool { return s.a|s.b == 0 }
func (s set3) isEmpty() bool { return s.a|s.b|s.c == 0 }

// meets reports whether two sets have a bit in common.
func (s set1) meets(t set1) bool { return s.a&t.a != 0 }
func (s set2) meets(t set2) bool { return s.a&t.a|s.b&t.b != 0 }
func (s set3) meets(t set3) bool { return s.a&t.a|s.b&t.b|s.c&t.c != 0 }

// within reports whether all bits of s are in t.
func (s set1) within(t set1) bool { return s.a&^t.a == 0 }
func (s set2) within(t set2) bool { return s.a&^t.a|s.b&^t.b == 0 }
func (s set3) within(t set3) bool { return s.a&^t.a|s.b&^t.b|s.c&^t.c == 0 }

// up and down shift a set by 1 to 63 bits.
func (s set1) up(n uint) set1 { return set1{s.a << (n & 63)} }
func (s set2) up(n uint) set2 { return set2{s.a << (n & 63), s.b<<(n&63) | s.a>>(-n&63)} }
func (s set3) up(n uint) set3 {
	return set3{s.a << (n & 63), s.b<<(n&63) | s.a>>(-n&63), s.c<<(n&63) | s.b>>(-n&63)}
}

func (s set1) down(n uint) set1 { return set1{s.a >> (n & 63)} }
func (s set2) down(n uint) set2 { return set2{s.a>>(n&63) | s.b<<(-n&63), s.b >> (n & 63)} }
func (s set3) down(n uint) set3 {
	return set3{s.a>>(n&63) | s.b<<(-n&63), s.b>>(n&63) | s.c<<(-n&63), s.c >> (n & 63)}
}

// min returns the lowest bit of a set that is not empty.
func (s set1) min() uint8 { return uint8(bits.TrailingZeros64(s.a)) }

func (s set2) min() uint8 {
	if s.a != 0 {
		return uint8(bits.TrailingZeros64(s.a))
	}
	return uint8(64 + bits.TrailingZeros64(s.b))
}

func (s set3) min() uint8 {
	switch {
	case s.a != 0:
		return uint8(bits.TrailingZeros64(s.a))
	case s.b != 0:
		return uint8(64 + bits.TrailingZeros64(s.b))
	}
	return uint8(128 + bits.TrailingZeros64(s.c))
}

// first returns the lowest bit of s alone, or the empty set.
func (s set1) first() set1 { return set1{s.a & -s.a} }

func (s set2) first() set2 {
	if s.a != 0 {
		return set2{a: s.a & -s.a}
	}
	return set2{b: s.b & -s.b}
}

func (s set3) first() set3 {
	switch {
	case s.a != 0:
		return set3{a: s.a & -s.a}
	case s.b != 0:
		return set3{b: s.b & -s.b}
	}
	return set3{c: s.c & -s.c}
}

// dropMin returns s without its lowest bit; the empty set stays empty.
func (s set1) dropMin() set1 { return set1{s.a & (s.a - 1)} }

func (s set2) dropMin() set2 {
	if s.a != 0 {
		return set2{s.a & (s.a - 1), s.b}
	}
	return set2{0, s.b & (s.b - 1)}
}

func (s set3) dropMin() set3 {
	switch {
	case s.a != 0:
		return set3{s.a & (s.a - 1), s.b, s.c}
	case s.b != 0:
		return set3{0, s.b & (s.b - 1), s.c}
	}
	return set3{0, 0, s.c & (s.c - 1)}
}

// above returns the bits of s that are higher than all of t.
func (s set1) above(t set1) set1 { return set1{s.a &^ (1<<bits.Len64(t.a) - 1)} }

func (s set2) above(t set2) set2 {
	if t.b != 0 {
		return set2{0, s.b &^ (1<<bits.Len64(t.b) - 1)}
	}
	return set2{s.a &^ (1<<bits.Len64(t.a) - 1), s.b}
}

func (s set3) above(t set3) set3 {
	switch {
	case t.c != 0:
		return set3{0, 0, s.c &^ (1<<bits.Len64(t.c) - 1)}
	case t.b != 0:
		return set3{0, s.b &^ (1<<bits.Len64(t.b) - 1), s.c}
	}
	return set3{s.a &^ (1<<bits.Len64(t.a) - 1), s.b, s.c}
}

// compare orders sets as numbers.
func (s set1) compare(t set1) int { return cmp.Compare(s.a, t.a) }
func (s set2) compare(t set2) int { return cmp.Or(cmp.Compare(s.b, t.b), cmp.Compare(s.a, t.a)) }
func (s set3) compare(t set3) int {
	return cmp.Or(cmp.Compare(s.c, t.c), cmp.Compare(s.b, t.b), cmp.Compare(s.a, t.a))
}

// rankIn ranks a set of bits of open among the sets of as many of them.
func (s set1) rankIn(open set1, sets *rank.Subsets) uint64 {
	return sets.Rank64(bitboard.Extract64(s.a, open.a))
}

func (s set2) rankIn(open set2, sets *rank.Subsets) uint64 {
	return sets.Rank(bitboard.Extract128(bitboard.Set128{Lo: s.a, Hi: s.b}, bitboard.Set128{Lo: open.a, Hi: open.b}))
}

func (s set3) rankIn(open set3, sets *rank.Subsets) uint64 {
	// Joining words a and b leaves room for c.
	low := bitboard.Extract128(bitboard.Set128{Lo: s.a, Hi: s.b}, bitboard.Set128{Lo: open.a, Hi: open.b})
	n := bits.OnesCount64(open.a) + bits.OnesCount64(open.b)
	all := bitboard.First128(n)
	high := bitboard.Deposit128(bitboard.Set128{Lo: bitboard.Extract64(s.c, open.c)}, bitboard.First128(128).AndNot(all))
	return sets.Rank(low.Or(high))
}

// at returns the set of the bits of open whose places in it, from the lowest, are in
// numbers: what rankIn ranks is numbers of the result.
func (open set1) at(numbers bitboard.Set128) set1 {
	return set1{bitboard.Deposit64(numbers.Lo, open.a)}
}

func (open set2) at(numbers bitboard.Set128) set2 {
	s := bitboard.Deposit128(numbers, bitboard.Set128{Lo: open.a, Hi: open.b})
	return set2{s.Lo, s.Hi}
}

func (open set3) at(numbers bitboard.Set128) set3 {
	low := bitboard.Deposit128(numbers, bitboard.Set128{Lo: open.a, Hi: open.b})
	n := bits.OnesCount64(open.a) + bits.OnesCount64(open.b)
	return set3{low.Lo, low.Hi, bitboard.Deposit64(numbers.Shr(uint(n)).Lo, open.c)}
}

// axes says of each direction which of the three shifts it is, and which direction
// leads back.
var axes = [halma.Dirs]struct {
	shift int
	back  halma.Dir
}{
	halma.Left: {0, halma.Right}, halma.UpLeft: {1, halma.DownRight}, halma.UpRight: {2, halma.DownLeft},
	halma.Right: {0, halma.Left}, halma.DownRight: {1, halma.UpLeft}, halma.DownLeft: {2, halma.UpRight},
}

// A landing says where shifts may lead: up[i] and down[i] are the cells that one step
// by shift i leads to, hopUp[i] and hopDown[i] those that two do. In one word no
// shift leads from an edge to another cell, so that none has to be ruled out.
type (
	landing1 struct{}
	landing2 struct{ ups, downs, hopUps, hopDowns [3]set2 }
	landing3 struct{ ups, downs, hopUps, hopDowns [3]set3 }
)

func (l *landing1) up(_ int, s set1) set1      { return s }
func (l *landing1) down(_ int, s set1) set1    { return s }
func (l *landing1) hopUp(_ int, s set1) set1   { return s }
func (l *landing1) hopDown(_ int, s set1) set1 { return s }

func (l *landing2) up(i int, s set2) set2      { return s.and(l.ups[i]) }
func (l *landing2) down(i int, s set2) set2    { return s.and(l.downs[i]) }
func (l *landing2) hopUp(i int, s set2) set2   { return s.and(l.hopUps[i]) }
func (l *landing2) hopDown(i int, s set2) set2 { return s.and(l.hopDowns[i]) }

func (l *landing3) up(i int, s set3) set3      { return s.and(l.ups[i]) }
func (l *landing3) down(i int, s set3) set3    { return s.and(l.downs[i]) }
func (l *landing3) hopUp(i int, s set3) set3   { return s.and(l.hopUps[i]) }
func (l *landing3) hopDown(i int, s set3) set3 { return s.and(l.hopDowns[i]) }

// add enters that a step by shift i leads to a cell at a bit, up or down, and whether
// two steps do.
func (l *landing1) add(int, bool, uint8, bool) {}

func (l *landing2) add(i int, up bool, bit uint8, twice bool) {
	once, hops := &l.downs[i], &l.hopDowns[i]
	if up {
		once, hops = &l.ups[i], &l.hopUps[i]
	}
	*once = once.or(only2(bit))
	if twice {
		*hops = hops.or(only2(bit))
	}
}

func (l *landing3) add(i int, up bool, bit uint8, twice bool) {
	once, hops := &l.downs[i], &l.hopDowns[i]
	if up {
		once, hops = &l.ups[i], &l.hopUps[i]
	}
	*once = once.or(only3(bit))
	if twice {
		*hops = hops.or(only3(bit))
	}
}
