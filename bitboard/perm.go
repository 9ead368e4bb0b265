package bitboard

import (
	"fmt"
	"math/bits"
)

// Perm is a permutation of cells 0…len(p)−1: cell i goes to cell p[i]. [Perm.Compile64] and
// [Perm.Compile128] make forms that move whole sets fast.
type Perm []uint8

// check returns an error unless p is a permutation of at most 128 cells.
func (p Perm) check() error {
	if len(p) > 128 {
		return fmt.Errorf("bitboard: permutation of %d cells: at most 128 are possible", len(p))
	}
	var seen Set128
	for i, c := range p {
		if int(c) >= len(p) {
			return fmt.Errorf("bitboard: permutation of %d cells: cell %d goes to %d", len(p), i, c)
		}
		if seen.Has(int(c)) {
			return fmt.Errorf("bitboard: permutation of %d cells: two cells go to %d", len(p), c)
		}
		seen = seen.With(int(c))
	}
	return nil
}

// shape is the kind of a compiled permutation: some need no table.
type shape uint8

const (
	general shape = iota
	identity
	reversal
)

func (p Perm) shape() shape {
	isIdentity, isReversal := true, true
	for i, c := range p {
		isIdentity = isIdentity && int(c) == i
		isReversal = isReversal && int(c) == len(p)-1-i
	}
	switch {
	case isIdentity:
		return identity
	case isReversal:
		return reversal
	}
	return general
}

// Perm64 is a compiled permutation of at most 64 cells. It is immutable and safe for concurrent
// use.
type Perm64 struct {
	shape shape
	cells Set64 // the cells it permutes
	drop  uint  // 64 − number of cells
	// chunk[j][b] is the image of the cells 8j+i for which bit i of b is set.
	chunk [8][256]uint64
}

// Compile64 compiles p for sets of one word. The error says that p is no permutation of at most
// 64 cells.
func (p Perm) Compile64() (*Perm64, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if len(p) > 64 {
		return nil, fmt.Errorf("bitboard: permutation of %d cells: does not fit 64 bits", len(p))
	}
	c := &Perm64{shape: p.shape(), cells: First64(len(p)), drop: uint(64 - len(p))}
	for i, to := range p {
		chunk := &c.chunk[i/8]
		for b := 1 << (i % 8); b < 256; b = (b + 1) | 1<<(i%8) {
			chunk[b] |= 1 << to
		}
	}
	return c, nil
}

// Apply returns the image of s. It drops cells that c does not permute.
func (c *Perm64) Apply(s Set64) Set64 {
	switch c.shape {
	case identity:
		return s.And(c.cells)
	case reversal:
		return Set64{bits.Reverse64(s.Lo) >> c.drop}
	}
	t, x := &c.chunk, s.Lo
	switch {
	case c.drop >= 48:
		return Set64{t[0][uint8(x)] | t[1][uint8(x>>8)]}
	case c.drop >= 32:
		return Set64{t[0][uint8(x)] | t[1][uint8(x>>8)] | t[2][uint8(x>>16)] | t[3][uint8(x>>24)]}
	}
	return Set64{t[0][uint8(x)] | t[1][uint8(x>>8)] | t[2][uint8(x>>16)] | t[3][uint8(x>>24)] |
		t[4][uint8(x>>32)] | t[5][uint8(x>>40)] | t[6][uint8(x>>48)] | t[7][uint8(x>>56)]}
}

// Perm128 is a compiled permutation of at most 128 cells. It is immutable and safe for
// concurrent use.
type Perm128 struct {
	shape shape
	cells Set128 // the cells it permutes
	drop  uint   // 128 − number of cells
	// cell[i] is the image of cell i alone, empty for cells that are not permuted.
	cell [128]Set128
	// chunk[j][b] is the image of the cells 8j+i for which bit i of b is set.
	chunk [16][256]Set128
}

// Compile128 compiles p for sets of two words, in 66 KiB. The error says that p is no
// permutation of at most 128 cells.
func (p Perm) Compile128() (*Perm128, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	c := &Perm128{shape: p.shape(), cells: First128(len(p)), drop: uint(128 - len(p))}
	for i, to := range p {
		c.cell[i] = Cell128(int(to))
		chunk := &c.chunk[i/8]
		for b := 1 << (i % 8); b < 256; b = (b + 1) | 1<<(i%8) {
			chunk[b] = chunk[b].Or(c.cell[i])
		}
	}
	return c, nil
}

// Apply returns the image of s. It drops cells that c does not permute.
func (c *Perm128) Apply(s Set128) Set128 {
	switch c.shape {
	case identity:
		return s.And(c.cells)
	case reversal:
		return Set128{bits.Reverse64(s.Hi), bits.Reverse64(s.Lo)}.Shr(c.drop)
	}
	if s.Count() <= sparse {
		return c.byCell(s)
	}
	return c.byChunk(s)
}

// Sets of up to sparse cells are permuted cell by cell. That is faster than by chunks (measured,
// see README.md).
const sparse = 12

func (c *Perm128) byCell(s Set128) (r Set128) {
	for x := s.Lo; x != 0; x &= x - 1 {
		to := &c.cell[bits.TrailingZeros64(x)&63]
		r.Lo |= to.Lo
		r.Hi |= to.Hi
	}
	for x := s.Hi; x != 0; x &= x - 1 {
		to := &c.cell[64+bits.TrailingZeros64(x)&63]
		r.Lo |= to.Lo
		r.Hi |= to.Hi
	}
	return r
}

func (c *Perm128) byChunk(s Set128) Set128 {
	r := join(s.Lo, (*[8][256]Set128)(c.chunk[:8]))
	if s.Hi == 0 {
		return r
	}
	return r.Or(join(s.Hi, (*[8][256]Set128)(c.chunk[8:])))
}

// join returns the union of the images of the eight bytes of x.
func join(x uint64, t *[8][256]Set128) Set128 {
	a, b := &t[0][uint8(x)], &t[1][uint8(x>>8)]
	c, d := &t[2][uint8(x>>16)], &t[3][uint8(x>>24)]
	e, f := &t[4][uint8(x>>32)], &t[5][uint8(x>>40)]
	g, h := &t[6][uint8(x>>48)], &t[7][uint8(x>>56)]
	return Set128{
		a.Lo | b.Lo | c.Lo | d.Lo | e.Lo | f.Lo | g.Lo | h.Lo,
		a.Hi | b.Hi | c.Hi | d.Hi | e.Hi | f.Hi | g.Hi | h.Hi,
	}
}
