package rank

import (
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
)

// Armies numbers the positions of several armies that do not overlap, on n ≤ 64
// cells, 0…Size−1 without gaps. Make one with [NewArmies]. It is immutable and
// safe for concurrent use.
//
// The index is Σ rank of army i × number of positions of all later armies, where
// an army is ranked among the cells that armies 0…i−1 leave free. The first army
// is the most significant.
//
// What a method does with armies that overlap, have the wrong size or leave the
// board is not defined, but it does not panic.
type Armies struct {
	all    uint64 // cells 0…n−1
	size   uint64
	army   []*Subsets // army[i] on the cells that are free for it
	stride []uint64   // by how much the index grows with the rank of army i
}

// NewArmies returns the numbering for armies of the given sizes on n cells, or
// an error where the number of positions does not fit 64 bits.
func NewArmies(n int, sizes ...int) (*Armies, error) {
	if n < 0 || n > 64 {
		return nil, fmt.Errorf("rank: armies on %d cells: need 0 ≤ n ≤ 64", n)
	}
	a := &Armies{all: bitboard.First128(n).Lo, size: 1, stride: make([]uint64, len(sizes))}
	free := n
	for i, k := range sizes {
		if k < 0 || k > free {
			return nil, fmt.Errorf("rank: armies %v on %d cells: army %d: %d cells out of %d free ones", sizes, n, i, k, free)
		}
		s, err := NewSubsets(free, k)
		if err != nil {
			return nil, err // not for n ≤ 64
		}
		a.army = append(a.army, s)
		free -= k
	}
	for i := len(sizes) - 1; i >= 0; i-- {
		a.stride[i] = a.size
		hi, lo := bits.Mul64(a.size, a.army[i].size)
		if hi != 0 {
			return nil, fmt.Errorf("rank: armies %v on %d cells: number of positions: %w", sizes, n, errOverflow)
		}
		a.size = lo
	}
	return a, nil
}

// Size returns the number of positions. Indices are below it.
func (a *Armies) Size() uint64 { return a.size }

// Index64 returns the index of the position with sets[i] as army i, one set for
// each army.
func (a *Armies) Index64(sets []uint64) uint64 {
	if len(sets) == 0 {
		return 0
	}
	index := a.army[0].Rank64(sets[0])
	taken := sets[0]
	for i := 1; i < len(sets); i++ {
		s := a.army[i]
		index = index*s.size + s.Rank64(bitboard.Extract64(sets[i], a.all&^taken))
		taken |= sets[i]
	}
	return index
}

// Sets64 writes the armies of the position with the given index to dst, one set
// for each army. It panics if index is not below Size.
func (a *Armies) Sets64(dst []uint64, index uint64) {
	if index >= a.size {
		panic("rank: Sets64: index beyond the last position")
	}
	free := a.all
	for i := range dst {
		r := index
		if stride := a.stride[i]; stride > 1 { // spare the last army a division
			r = index / stride
			index -= r * stride
		} else {
			index = 0
		}
		dst[i] = bitboard.Deposit64(a.army[i].Unrank64(r), free)
		free &^= dst[i]
	}
}
