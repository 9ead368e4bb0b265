package bitboard

import "math/bits"

// Set192 is a set of cells 0…191: the padded form of boards that do not fit
// 128 bits, such as the star of 121 holes in 177. Cells 0…63 are the bits of
// Lo, 64…127 those of Mid and 128…191 those of Hi. The zero value is the empty
// set. A Set192 is a value: every method returns a new set.
type Set192 struct{ Lo, Mid, Hi uint64 }

// Cell192 returns the set that holds cell i alone, 0 ≤ i < 192.
func Cell192(i int) Set192 {
	b := uint64(1) << uint(i&63)
	switch i >> 6 {
	case 0:
		return Set192{Lo: b}
	case 1:
		return Set192{Mid: b}
	}
	return Set192{Hi: b}
}

// First192 returns the set of cells 0…n−1, 0 ≤ n ≤ 192.
func First192(n int) Set192 {
	if n <= 128 {
		s := First128(n)
		return Set192{Lo: s.Lo, Mid: s.Hi}
	}
	return Set192{^uint64(0), ^uint64(0), 1<<uint(n-128) - 1}
}

// Has reports whether cell i is in s, 0 ≤ i < 192.
func (s Set192) Has(i int) bool {
	w := s.Lo
	if i >= 128 {
		w = s.Hi
	} else if i >= 64 {
		w = s.Mid
	}
	return w>>uint(i&63)&1 != 0
}

// With returns s with cell i added.
func (s Set192) With(i int) Set192 { return s.Or(Cell192(i)) }

// Without returns s with cell i removed.
func (s Set192) Without(i int) Set192 { return s.AndNot(Cell192(i)) }

// And returns the intersection of s and t.
func (s Set192) And(t Set192) Set192 { return Set192{s.Lo & t.Lo, s.Mid & t.Mid, s.Hi & t.Hi} }

// Or returns the union of s and t.
func (s Set192) Or(t Set192) Set192 { return Set192{s.Lo | t.Lo, s.Mid | t.Mid, s.Hi | t.Hi} }

// Xor returns the symmetric difference of s and t.
func (s Set192) Xor(t Set192) Set192 { return Set192{s.Lo ^ t.Lo, s.Mid ^ t.Mid, s.Hi ^ t.Hi} }

// AndNot returns the cells of s that are not in t.
func (s Set192) AndNot(t Set192) Set192 {
	return Set192{s.Lo &^ t.Lo, s.Mid &^ t.Mid, s.Hi &^ t.Hi}
}

// Shl returns s with every cell i moved to i+n; cells beyond 191 are lost.
// Any n is allowed. It has no branch: a shift by 64 or more is zero, and so is
// one by a difference that wrapped below zero. With a constant n it is five
// operations.
func (s Set192) Shl(n uint) Set192 {
	return Set192{
		s.Lo << n,
		s.Mid<<n | s.Lo>>(64-n) | s.Lo<<(n-64),
		s.Hi<<n | s.Mid>>(64-n) | s.Mid<<(n-64) | s.Lo>>(128-n) | s.Lo<<(n-128),
	}
}

// Shr returns s with every cell i moved to i−n; cells below 0 are lost.
// Any n is allowed.
func (s Set192) Shr(n uint) Set192 {
	return Set192{
		s.Lo>>n | s.Mid<<(64-n) | s.Mid>>(n-64) | s.Hi<<(128-n) | s.Hi>>(n-128),
		s.Mid>>n | s.Hi<<(64-n) | s.Hi>>(n-64),
		s.Hi >> n,
	}
}

// IsEmpty reports whether s has no cell.
func (s Set192) IsEmpty() bool { return s.Lo|s.Mid|s.Hi == 0 }

// Count returns the number of cells in s.
func (s Set192) Count() int {
	return bits.OnesCount64(s.Lo) + bits.OnesCount64(s.Mid) + bits.OnesCount64(s.Hi)
}

// Min returns the lowest cell of s, or 192 for the empty set.
func (s Set192) Min() int {
	if s.Lo != 0 {
		return bits.TrailingZeros64(s.Lo)
	}
	if s.Mid != 0 {
		return 64 + bits.TrailingZeros64(s.Mid)
	}
	return 128 + bits.TrailingZeros64(s.Hi)
}

// Max returns the highest cell of s, or −1 for the empty set.
func (s Set192) Max() int {
	if s.Hi != 0 {
		return 127 + bits.Len64(s.Hi)
	}
	if s.Mid != 0 {
		return 63 + bits.Len64(s.Mid)
	}
	return bits.Len64(s.Lo) - 1
}

// DropMin returns s without its lowest cell; the empty set stays empty.
func (s Set192) DropMin() Set192 {
	if s.Lo != 0 {
		return Set192{s.Lo & (s.Lo - 1), s.Mid, s.Hi}
	}
	if s.Mid != 0 {
		return Set192{0, s.Mid & (s.Mid - 1), s.Hi}
	}
	return Set192{0, 0, s.Hi & (s.Hi - 1)}
}

// Compare orders sets as 192-bit numbers: −1, 0 or +1.
func (s Set192) Compare(t Set192) int {
	switch {
	case s == t:
		return 0
	case s.Hi != t.Hi:
		if s.Hi < t.Hi {
			return -1
		}
		return 1
	case s.Mid < t.Mid || s.Mid == t.Mid && s.Lo < t.Lo:
		return -1
	}
	return 1
}

// Low128 returns the cells 0…127 of s.
func (s Set192) Low128() Set128 { return Set128{s.Lo, s.Mid} }

// Wide192 returns s as a Set192.
func (s Set128) Wide192() Set192 { return Set192{s.Lo, s.Hi, 0} }
