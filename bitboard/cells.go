package bitboard

import (
	"iter"
	"math/bits"
	"strconv"
	"strings"
)

// The walks below are for convenience. Where each nanosecond counts, write the
// loop over Min and DropMin, or over the words.

// Cells64 ranges over the cells of x, in ascending order.
func Cells64(x uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; x != 0; x &= x - 1 {
			if !yield(bits.TrailingZeros64(x)) {
				return
			}
		}
	}
}

// Cells ranges over the cells of s, in ascending order.
func (s Set128) Cells() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; !s.IsEmpty(); s = s.DropMin() {
			if !yield(s.Min()) {
				return
			}
		}
	}
}

// Cells ranges over the cells of s, in ascending order.
func (s Set192) Cells() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; !s.IsEmpty(); s = s.DropMin() {
			if !yield(s.Min()) {
				return
			}
		}
	}
}

// Of128 returns the set of the given cells, each 0…127.
func Of128(cells ...int) (s Set128) {
	for _, c := range cells {
		s = s.With(c)
	}
	return s
}

// Of192 returns the set of the given cells, each 0…191.
func Of192(cells ...int) (s Set192) {
	for _, c := range cells {
		s = s.With(c)
	}
	return s
}

// String lists the cells of s, for instance {0 3 17}.
func (s Set128) String() string { return list(s.Cells()) }

// String lists the cells of s, for instance {0 3 170}.
func (s Set192) String() string { return list(s.Cells()) }

func list(cells iter.Seq[int]) string {
	var b strings.Builder
	b.WriteByte('{')
	for c := range cells {
		if b.Len() > 1 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(c))
	}
	b.WriteByte('}')
	return b.String()
}

// Draw returns a picture of s for test messages and debugging: rows of width
// cells, cell 0 at the left of the first row, # for a cell of s and . for
// others, up to cell n−1. 0 ≤ n ≤ 192, width ≥ 1.
func (s Set192) Draw(width, n int) string {
	var b strings.Builder
	for i := range n {
		if s.Has(i) {
			b.WriteByte('#')
		} else {
			b.WriteByte('.')
		}
		if (i+1)%width == 0 || i == n-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Draw returns a picture of s, see [Set192.Draw].
func (s Set128) Draw(width, n int) string { return s.Wide192().Draw(width, n) }
