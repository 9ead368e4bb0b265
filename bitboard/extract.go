package bitboard

import "math/bits"

// Extract64 returns the bits of x that mask selects, moved together at the low
// end in the same order (the pext instruction): bit j of the result is the bit
// of x at the j-th lowest cell of mask.
//
//	x       0 1 1 0 1 0 0 1
//	mask    1 1 0 0 1 0 1 0
//	        0 1     1   0        selected
//	result  0 0 0 0 0 1 1 0
func Extract64(x, mask uint64) uint64 { return extract64(x, mask) }

// Deposit64 spreads the low bits of x over the cells of mask in the same order
// (the pdep instruction): the j-th lowest cell of mask receives bit j of x,
// cells outside mask are 0, and bits of x beyond the size of mask are ignored.
//
//	Deposit64(Extract64(x, m), m) == x & m
//	Extract64(Deposit64(x, m), m) == x & (1<<OnesCount64(m) - 1)
func Deposit64(x, mask uint64) uint64 { return deposit64(x, mask) }

// Extract128 is [Extract64] on sets of 128 cells.
func Extract128(s, mask Set128) Set128 {
	lo, hi := extract128(s.Lo, s.Hi, mask.Lo, mask.Hi)
	return Set128{lo, hi}
}

// Deposit128 is [Deposit64] on sets of 128 cells.
func Deposit128(s, mask Set128) Set128 {
	lo, hi := deposit128(s.Lo, s.Hi, mask.Lo, mask.Hi)
	return Set128{lo, hi}
}

// Extract192 is [Extract64] on sets of 192 cells. With the cells of a board as
// mask it turns the padded form into the packed one.
func Extract192(s, mask Set192) Set192 {
	k := uint(bits.OnesCount64(mask.Lo))
	lo, hi := extract128(s.Mid, s.Hi, mask.Mid, mask.Hi)
	return Set192{extract64(s.Lo, mask.Lo) | lo<<k, lo>>(64-k) | hi<<k, hi >> (64 - k)}
}

// Deposit192 is [Deposit64] on sets of 192 cells. With the cells of a board as
// mask it turns the packed form into the padded one.
func Deposit192(s, mask Set192) Set192 {
	k := uint(bits.OnesCount64(mask.Lo))
	lo, hi := deposit128(s.Lo>>k|s.Mid<<(64-k), s.Mid>>k|s.Hi<<(64-k), mask.Mid, mask.Hi)
	return Set192{deposit64(s.Lo, mask.Lo), lo, hi}
}

// ExtractSlice64 sets dst[i] = Extract64(src[i], mask) for every i < len(src).
// It panics if dst is shorter than src. dst and src may be the same slice;
// otherwise they must not overlap.
func ExtractSlice64(dst, src []uint64, mask uint64) {
	if len(src) == 0 {
		return
	}
	extractSlice64(dst[:len(src)], src, mask)
}

// DepositSlice64 sets dst[i] = Deposit64(src[i], mask), under the conditions of
// [ExtractSlice64].
func DepositSlice64(dst, src []uint64, mask uint64) {
	if len(src) == 0 {
		return
	}
	depositSlice64(dst[:len(src)], src, mask)
}

// ExtractSlice128 sets dst[i] = Extract128(src[i], mask), under the conditions
// of [ExtractSlice64].
func ExtractSlice128(dst, src []Set128, mask Set128) {
	if len(src) == 0 {
		return
	}
	extractSlice128(dst[:len(src)], src, mask)
}

// DepositSlice128 sets dst[i] = Deposit128(src[i], mask), under the conditions
// of [ExtractSlice64].
func DepositSlice128(dst, src []Set128, mask Set128) {
	if len(src) == 0 {
		return
	}
	depositSlice128(dst[:len(src)], src, mask)
}

// What follows is the portable implementation. It carries no build tag: it is
// what every other implementation must agree with.

// extract64Portable walks the cells that are in both x and mask, and counts the
// cells of mask below each. Sets of pieces are sparse, which makes this faster
// than a walk over the mask.
func extract64Portable(x, mask uint64) uint64 {
	var r uint64
	for x &= mask; x != 0; x &= x - 1 {
		below := x&-x - 1
		r |= 1 << (uint(bits.OnesCount64(mask&below)) & 63)
	}
	return r
}

// deposit64Portable walks what there is less of below the mask's highest cell.
// In a dense mask, such as the free cells of a board, that is the gaps: from
// below, each moves all bits of x at or above it one cell up, and when none is
// left above it, nor is any for the gaps that follow. In a sparse mask it is the
// cells, each of which takes one bit of x.
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

func extract128Portable(lo, hi, maskLo, maskHi uint64) (outLo, outHi uint64) {
	k := uint(bits.OnesCount64(maskLo))
	hi = extract64Portable(hi, maskHi)
	return extract64Portable(lo, maskLo) | hi<<k, hi >> (64 - k)
}

func deposit128Portable(lo, hi, maskLo, maskHi uint64) (outLo, outHi uint64) {
	k := uint(bits.OnesCount64(maskLo))
	return deposit64Portable(lo, maskLo), deposit64Portable(lo>>k|hi<<(64-k), maskHi)
}

// The slice forms compile the mask once; see Mask64.

func extractSlice64Portable(dst, src []uint64, mask uint64) {
	m := NewMask64(mask)
	for i, x := range src {
		dst[i] = m.extract(x)
	}
}

func depositSlice64Portable(dst, src []uint64, mask uint64) {
	m := NewMask64(mask)
	for i, x := range src {
		dst[i] = m.deposit(x)
	}
}

func extractSlice128Portable(dst, src []Set128, mask Set128) {
	m := NewMask128(mask)
	for i, s := range src {
		dst[i] = m.extract(s)
	}
}

func depositSlice128Portable(dst, src []Set128, mask Set128) {
	m := NewMask128(mask)
	for i, s := range src {
		dst[i] = m.deposit(s)
	}
}
