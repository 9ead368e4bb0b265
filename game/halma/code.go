package halma

import "math/bits"

// Exact keys from error-correcting codes.
//
// A key must be small, cheap to update when a piece moves, and different for different
// positions. Like a Zobrist key, ours is the exclusive or of one word for each occupied cell, so
// a moved piece changes two terms. Let these words be the columns of the parity-check matrix of
// a code of minimum distance above 2p. Two different sets of at most p cells with the same key
// would differ by a code word of at most 2p ones, which does not exist. So keys are exact. A BCH
// code over GF(2^m) needs at most m bits a piece: 63 bits for 10 pieces on up to 127 cells, 42
// for 6, 18 for 3 pieces on up to 63 cells.

// code holds one word for each cell; the exclusive or of the words of any p cells identifies
// them among all sets of p cells.
type code struct {
	bits int
	col  []uint64
}

type field struct {
	m   int
	pow []uint16 // pow[i] is the i-th power, i < 2^m − 1
}

// newField builds GF(2^m), 2 ≤ m ≤ 8, from a primitive polynomial.
func newField(m int) field {
	poly := [...]int{2: 0x7, 3: 0xb, 4: 0x13, 5: 0x25, 6: 0x43, 7: 0x89, 8: 0x11d}[m]
	f := field{m, make([]uint16, 1<<m-1)}
	x := 1
	for i := range f.pow {
		f.pow[i] = uint16(x)
		if x <<= 1; x >= 1<<m {
			x ^= poly
		}
	}
	return f
}

// newCode returns the shortest of three codes for sets of p of n cells: the set itself, a
// narrow-sense BCH code, or for 6 of up to 51 cells a cyclic code of length 51 with 32 bits, so
// that two sets fit one word.
func newCode(n, p int) code {
	m := bits.Len(uint(n)) // 2^m − 1 ≥ n
	f := newField(max(m, 2))
	roots := make([]int, p)
	for i := range roots {
		roots[i] = 2*i + 1
	}
	c := cyclicCode(f, 1, roots, n)
	if n <= 64 && n <= c.bits {
		c = code{bits: n, col: make([]uint64, n)}
		for i := range c.col {
			c.col[i] = 1 << uint(i)
		}
	}
	if p == 6 && n <= 51 {
		if d := cyclicCode(newField(8), 5, code51, n); d.bits < c.bits {
			c = d
		}
	}
	return c
}

// code51 are roots of the code of length 51: powers of an element of order 51 of GF(256). Its
// distance is not implied by the BCH bound: a test counts all sets of 6 cells.
var code51 = []int{1, 3, 5, 9}

// cyclicCode returns the code of n cells whose cell i has the word (β^(i·r)) over all roots r,
// reduced to linearly independent bits. β is the step-th power of the primitive element.
func cyclicCode(f field, step int, roots []int, n int) code {
	order := len(f.pow)
	type row [2]uint64 // one bit of every cell's word
	var basis, reduced []row
	for _, r := range roots {
		for b := range f.m {
			var v row
			for i := range n {
				v[i>>6] |= uint64(f.pow[i*r*step%order]>>b&1) << (i & 63)
			}
			w := v
			for _, q := range reduced {
				if lead := leading(q); w[lead>>6]>>(lead&63)&1 != 0 {
					w[0] ^= q[0]
					w[1] ^= q[1]
				}
			}
			if w != (row{}) {
				basis, reduced = append(basis, v), append(reduced, w)
			}
		}
	}
	c := code{bits: len(basis), col: make([]uint64, n)}
	if c.bits > 64 {
		panic("halma: code of more than 64 bits")
	}
	for b, v := range basis {
		for i := range c.col {
			c.col[i] |= v[i>>6] >> (i & 63) & 1 << b
		}
	}
	return c
}

// leading returns the index of the lowest one of a row that is not zero.
func leading(v [2]uint64) int {
	if v[0] != 0 {
		return bits.TrailingZeros64(v[0])
	}
	return 64 + bits.TrailingZeros64(v[1])
}
