package strong

import "math/bits"

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
	clear(to[:])
	for x := p.any(at); x != 0; x &= x - 1 {
		bit := bits.TrailingZeros64(x)
		to[bit] = uint8(p.of(at, bit))
	}
}

// gather sets the numbers of a word's 64 columns to the given bytes. The numbers must be 0 before.
func (p *plies) gather(at int, from *[64]uint8) {
	for bit, n := range from {
		for i, plane := range p.planes {
			plane[at] |= uint64(n>>i&1) << bit
		}
	}
}
