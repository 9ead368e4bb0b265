package bitboard

import (
	"iter"
	"math/bits"
)

// Set128 is a set of cells 0…127: cell i is bit i of Lo for i < 64, else bit i−64 of Hi. Its
// methods return new sets.
type Set128 struct{ Lo, Hi uint64 }

// Cell128 returns the set that holds cell i alone, 0 ≤ i < 128.
func Cell128(i int) Set128 {
	if i < 64 {
		return Set128{Lo: 1 << uint(i)}
	}
	return Set128{Hi: 1 << uint(i&63)}
}

// First128 returns the set of cells 0…n−1, 0 ≤ n ≤ 128.
func First128(n int) Set128 {
	if n <= 64 {
		return Set128{Lo: 1<<uint(n) - 1}
	}
	return Set128{Lo: ^uint64(0), Hi: 1<<uint(n-64) - 1}
}

// Has reports whether cell i is in s, 0 ≤ i < 128.
func (s Set128) Has(i int) bool {
	if i < 64 {
		return s.Lo>>uint(i&63)&1 != 0
	}
	return s.Hi>>uint(i&63)&1 != 0
}

// With returns s with cell i added.
func (s Set128) With(i int) Set128 { return s.Or(Cell128(i)) }

// Without returns s with cell i removed.
func (s Set128) Without(i int) Set128 { return s.AndNot(Cell128(i)) }

// And returns the intersection of s and t.
func (s Set128) And(t Set128) Set128 { return Set128{s.Lo & t.Lo, s.Hi & t.Hi} }

// Or returns the union of s and t.
func (s Set128) Or(t Set128) Set128 { return Set128{s.Lo | t.Lo, s.Hi | t.Hi} }

// Xor returns the symmetric difference of s and t.
func (s Set128) Xor(t Set128) Set128 { return Set128{s.Lo ^ t.Lo, s.Hi ^ t.Hi} }

// AndNot returns the cells of s that are not in t.
func (s Set128) AndNot(t Set128) Set128 { return Set128{s.Lo &^ t.Lo, s.Hi &^ t.Hi} }

// Not returns the cells 0…127 that are not in s.
func (s Set128) Not() Set128 { return Set128{^s.Lo, ^s.Hi} }

// Shl returns s with every cell i moved to i+n, n ≥ 0; cells above 127 are lost.
func (s Set128) Shl(n uint) Set128 {
	if n < 64 {
		return Set128{s.Lo << n, s.Hi<<n | s.Lo>>(64-n)}
	}
	return Set128{0, s.Lo << (n - 64)}
}

// Shr returns s with every cell i moved to i−n, n ≥ 0; cells below 0 are lost.
func (s Set128) Shr(n uint) Set128 {
	if n < 64 {
		return Set128{s.Lo>>n | s.Hi<<(64-n), s.Hi >> n}
	}
	return Set128{s.Hi >> (n - 64), 0}
}

// IsEmpty reports whether s has no cell.
func (s Set128) IsEmpty() bool { return s.Lo|s.Hi == 0 }

// Meets reports whether s and t have a cell in common.
func (s Set128) Meets(t Set128) bool { return s.Lo&t.Lo|s.Hi&t.Hi != 0 }

// Count returns the number of cells in s.
func (s Set128) Count() int { return bits.OnesCount64(s.Lo) + bits.OnesCount64(s.Hi) }

// Min returns the lowest cell of s, or 128 for the empty set.
func (s Set128) Min() int {
	if s.Lo != 0 {
		return bits.TrailingZeros64(s.Lo)
	}
	return 64 + bits.TrailingZeros64(s.Hi)
}

// Max returns the highest cell of s, or −1 for the empty set.
func (s Set128) Max() int {
	if s.Hi != 0 {
		return 127 - bits.LeadingZeros64(s.Hi)
	}
	return 63 - bits.LeadingZeros64(s.Lo)
}

// First returns the lowest cell of s alone, or the empty set.
func (s Set128) First() Set128 {
	if s.Lo != 0 {
		return Set128{Lo: s.Lo & -s.Lo}
	}
	return Set128{Hi: s.Hi & -s.Hi}
}

// DropMin returns s without its lowest cell; the empty set stays empty. It walks a set upwards:
//
//	for r := s; !r.IsEmpty(); r = r.DropMin() { cell := r.Min(); … }
func (s Set128) DropMin() Set128 {
	if s.Lo != 0 {
		return Set128{s.Lo & (s.Lo - 1), s.Hi}
	}
	return Set128{0, s.Hi & (s.Hi - 1)}
}

// Compare orders sets as 128-bit numbers: −1, 0 or +1.
func (s Set128) Compare(t Set128) int {
	switch {
	case s == t:
		return 0
	case s.Hi < t.Hi || s.Hi == t.Hi && s.Lo < t.Lo:
		return -1
	}
	return 1
}

// Cells ranges over the cells of s in ascending order. Hot loops use Min and DropMin, or the
// words.
func (s Set128) Cells() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; !s.IsEmpty(); s = s.DropMin() {
			if !yield(s.Min()) {
				return
			}
		}
	}
}
