package bitboard

import "math/bits"

// The number of cells that a set of one and of two words can hold.
const (
	Cells64  = 64
	Cells128 = 128
)

// Set64 is a set of cells 0…63, cell i at bit i of Lo. It has the methods of [Set128], for
// kernels that internal/genkernel makes for both.
type Set64 struct{ Lo uint64 }

// Cell64 returns the set that holds cell i alone, 0 ≤ i < 64.
func Cell64(i int) Set64 { return Set64{1 << uint(i&63)} }

// First64 returns the set of cells 0…n−1, 0 ≤ n ≤ 64.
func First64(n int) Set64 { return Set64{1<<uint(n) - 1} }

// Has reports whether cell i is in s, 0 ≤ i < 64.
func (s Set64) Has(i int) bool { return s.Lo>>uint(i&63)&1 != 0 }

// And returns the intersection of s and t.
func (s Set64) And(t Set64) Set64 { return Set64{s.Lo & t.Lo} }

// Or returns the union of s and t.
func (s Set64) Or(t Set64) Set64 { return Set64{s.Lo | t.Lo} }

// Xor returns the symmetric difference of s and t.
func (s Set64) Xor(t Set64) Set64 { return Set64{s.Lo ^ t.Lo} }

// AndNot returns the cells of s that are not in t.
func (s Set64) AndNot(t Set64) Set64 { return Set64{s.Lo &^ t.Lo} }

// Not returns the cells 0…63 that are not in s.
func (s Set64) Not() Set64 { return Set64{^s.Lo} }

// Shl returns s with every cell i moved to i+n; cells above 63 are lost.
func (s Set64) Shl(n uint) Set64 { return Set64{s.Lo << n} }

// Shr returns s with every cell i moved to i−n; cells below 0 are lost.
func (s Set64) Shr(n uint) Set64 { return Set64{s.Lo >> n} }

// IsEmpty reports whether s has no cell.
func (s Set64) IsEmpty() bool { return s.Lo == 0 }

// Meets reports whether s and t have a cell in common.
func (s Set64) Meets(t Set64) bool { return s.Lo&t.Lo != 0 }

// Count returns the number of cells in s.
func (s Set64) Count() int { return bits.OnesCount64(s.Lo) }

// Min returns the lowest cell of s, or 64 for the empty set.
func (s Set64) Min() int { return bits.TrailingZeros64(s.Lo) }

// Max returns the highest cell of s, or −1 for the empty set.
func (s Set64) Max() int { return 63 - bits.LeadingZeros64(s.Lo) }

// First returns the lowest cell of s alone, or the empty set.
func (s Set64) First() Set64 { return Set64{s.Lo & -s.Lo} }

// DropMin returns s without its lowest cell; the empty set stays empty.
func (s Set64) DropMin() Set64 { return Set64{s.Lo & (s.Lo - 1)} }

// Compare orders sets as numbers: −1, 0 or +1.
func (s Set64) Compare(t Set64) int {
	switch {
	case s == t:
		return 0
	case s.Lo < t.Lo:
		return -1
	}
	return 1
}
