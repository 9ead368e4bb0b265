package strong

import (
	"encoding/binary"
	"math/bits"
)

// plies holds a number from 0 to 255 for each row and column, in one plane for each bit. A plane is
// allocated when a number first needs it. A page of a plane takes memory once a number in the page
// has the plane's bit.
type plies struct {
	planes [][]uint64
	size   int // words in a plane
}

// grow makes planes for numbers up to most.
func (p *plies) grow(most int) {
	for len(p.planes) < bits.Len(uint(most)) {
		p.planes = append(p.planes, make([]uint64, p.size))
	}
}

// add sets the numbers of some columns of a word to n. They must be 0 before. Several goroutines
// may add to different words.
func (p *plies) add(at int, columns uint64, n int) {
	for i := uint(n); i != 0; i &= i - 1 {
		p.planes[bits.TrailingZeros(i)][at] |= columns
	}
}

func (p *plies) of(at, bit int) (n int) {
	for i, plane := range p.planes {
		n |= int(plane[at]>>bit&1) << i
	}
	return n
}

// any returns the columns of a word with a number other than 0.
func (p *plies) any(at int) (columns uint64) {
	for _, plane := range p.planes {
		columns |= plane[at]
	}
	return columns
}

func (p *plies) spread(at int, to *[64]uint8) {
	for i := 0; i < 64; i += 8 {
		x := uint64(0)
		for j, plane := range p.planes {
			x |= plane[at] >> i & 0xff << (8 * j)
		}
		binary.LittleEndian.PutUint64(to[i:], transpose8(x))
	}
}

// gather sets the numbers of a word's 64 columns to the given bytes. The numbers must be 0 before.
func (p *plies) gather(at int, from *[64]uint8) {
	for i := 0; i < 64; i += 8 {
		x := transpose8(binary.LittleEndian.Uint64(from[i:]))
		for j, plane := range p.planes {
			plane[at] |= x >> (8 * j) & 0xff << i
		}
	}
}

// transpose8 transposes 8×8 bits, a row in each byte, by exchanging halves, quarters and eighths.
func transpose8(x uint64) uint64 {
	t := (x ^ x>>28) & 0x00000000f0f0f0f0
	x ^= t ^ t<<28
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>7) & 0x00aa00aa00aa00aa
	return x ^ t ^ t<<7
}
