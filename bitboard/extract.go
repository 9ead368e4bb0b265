package bitboard

import "math/bits"

// Extract64 returns the bits of x that mask selects, moved together at the low end in the same
// order (the pext instruction).
//
//	x       0 1 1 0 1 0 0 1
//	mask    1 1 0 0 1 0 1 0
//	        0 1     1   0        selected
//	result  0 0 0 0 0 1 1 0
func Extract64(x, mask uint64) uint64 { return extract64(x, mask) }

// Deposit64 spreads the low bits of x over the cells of mask in the same order (the pdep
// instruction). Other cells are 0, and bits of x beyond the size of mask are ignored.
//
//	Deposit64(Extract64(x, m), m) == x & m
//	Extract64(Deposit64(x, m), m) == x & (1<<OnesCount64(m) - 1)
func Deposit64(x, mask uint64) uint64 { return deposit64(x, mask) }

// Extract128 is [Extract64] for sets.
func Extract128(x, mask Set128) Set128 { return extract128(x, mask) }

// Deposit128 is [Deposit64] for sets.
func Deposit128(x, mask Set128) Set128 { return deposit128(x, mask) }

// ExtractWords is [Extract64] for sets of many words, word 0 having the lowest cells. It writes
// as many words as the cells of mask fill, and changes at most one more. It panics if x has
// fewer words than mask, or dst not at least one more.
func ExtractWords(dst, x, mask []uint64) {
	if len(dst) <= len(mask) || len(x) < len(mask) {
		panic("bitboard: ExtractWords: too few words")
	}
	extractWords(dst, x, mask)
}

// DepositWords adds to dst the result of [Deposit64] on sets of many words. It panics if dst has
// fewer words than mask, or x not at least one more.
func DepositWords(dst, x, mask []uint64) {
	if len(dst) < len(mask) || len(x) <= len(mask) {
		panic("bitboard: DepositWords: too few words")
	}
	depositWords(dst, x, mask)
}

// The portable implementation carries no build tag: every other implementation must agree with
// it.

// extract64Portable walks the cells of x in mask: sets of pieces are sparse.
func extract64Portable(x, mask uint64) uint64 {
	var r uint64
	for x &= mask; x != 0; x &= x - 1 {
		below := x&-x - 1
		r |= 1 << (uint(bits.OnesCount64(mask&below)) & 63)
	}
	return r
}

// deposit64Portable walks the gaps or the cells below the mask's highest cell, whichever are
// fewer. Each gap, from below, moves all bits of x at or above it one cell up. Each cell takes
// one bit of x.
func deposit64Portable(x, mask uint64) uint64 {
	if 2*bits.OnesCount64(mask) > bits.Len64(mask) {
		for gaps := ^mask; gaps != 0; gaps &= gaps - 1 {
			above := x & (gaps | -gaps)
			if above == 0 {
				break
			}
			x += above
		}
		return x
	}
	var r uint64
	for ; x != 0 && mask != 0; mask &= mask - 1 {
		r |= mask & -mask & -(x & 1)
		x >>= 1
	}
	return r
}

func extract128Portable(x, mask Set128) Set128 {
	n := uint(bits.OnesCount64(mask.Lo))
	hi := extract64Portable(x.Hi, mask.Hi)
	return Set128{extract64Portable(x.Lo, mask.Lo) | hi<<n, hi >> (64 - n)}
}

func deposit128Portable(x, mask Set128) Set128 {
	n := uint(bits.OnesCount64(mask.Lo))
	return Set128{deposit64Portable(x.Lo, mask.Lo), deposit64Portable(x.Lo>>n|x.Hi<<(64-n), mask.Hi)}
}

// extractWordsPortable skips words of x without a cell, of which its callers have many.
func extractWordsPortable(dst, x, mask []uint64) {
	dst[0] = 0
	n := uint(0)
	for i, m := range mask {
		y := uint64(0)
		if x[i] != 0 {
			y = extract64Portable(x[i], m)
		}
		to, shift := n>>6, n&63
		dst[to] |= y << shift
		n += uint(bits.OnesCount64(m))
		if n>>6 != to {
			dst[to+1] = y >> 1 >> (shift ^ 63)
		}
	}
}

func depositWordsPortable(dst, x, mask []uint64) {
	n := uint(0)
	for i, m := range mask {
		at, shift := n>>6, n&63
		if y := x[at]>>shift | x[at+1]<<1<<(shift^63); y != 0 {
			dst[i] |= deposit64Portable(y, m)
		}
		n += uint(bits.OnesCount64(m))
	}
}
