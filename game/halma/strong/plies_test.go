package strong

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// bytes returns all numbers in the order of words and columns.
func (p *plies) bytes() (all []uint8) {
	if p == nil {
		return nil
	}
	var numbers [64]uint8
	for at := range p.size {
		p.spread(at, &numbers)
		all = append(all, numbers[:]...)
	}
	return all
}

// TestPlies compares plies with an array of bytes.
func TestPlies(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, most := range []int{0, 1, 2, 7, 8, 49, 254, 255} {
		p, want := &plies{size: 20}, make([]uint8, 64*20)
		for n := range most + 1 {
			p.grow(n)
			for at := range p.size {
				columns := rng.Uint64() & rng.Uint64() & rng.Uint64()
				for bit := range 64 {
					if want[at*64+bit] != 0 {
						columns &^= 1 << bit
					}
				}
				p.add(at, columns, n)
				for bit := range 64 {
					if columns>>bit&1 != 0 {
						want[at*64+bit] = uint8(n)
					}
				}
			}
		}
		again := &plies{size: p.size}
		again.grow(most)
		for at := range p.size {
			for bit := range 64 {
				if d := want[at*64+bit]; p.of(at, bit) != int(d) || p.any(at)>>bit&1 == 1 != (d > 0) {
					t.Fatalf("%d, word %d, column %d: %d, want %d, any %x", most, at, bit, p.of(at, bit), d, p.any(at))
				}
			}
			again.gather(at, (*[64]uint8)(want[at*64:]))
		}
		if got := p.bytes(); !slices.Equal(got, want) || !slices.Equal(again.bytes(), want) {
			t.Fatalf("%d: %v, gathered %v, want %v", most, got, again.bytes(), want)
		}
	}
}
