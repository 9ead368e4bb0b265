package tablebase

import (
	"fmt"
	"math/bits"

	"perfectplay/rank"
)

// maxArmies bounds the placements of one army, for which a table is kept in
// memory.
const maxArmies = 1 << 26

// Numbering numbers the positions of a two-army game 0…Size−1. Positions are
// from the side of the player to move, armies are sets of cells as words: bit c
// is cell c.
//
// Places are the cells where pieces may stand, in ascending order. An army is
// ranked in colexicographic order by the numbers of its places. Of a mover's
// army and its mirror image, the one of lower rank represents both; with the
// other one the whole position is mirrored. Without a mirror every army
// represents itself. Representatives are counted in order of rank. The number of
// a position is
//
//	count of the mover's army · C(n−k, k) + rank of the other army
//
// where the other army is ranked among the n−k places that the mover's leaves.
type Numbering struct {
	places  []int
	all     uint64
	index   [64]uint8 // place number of a cell
	mirror  []uint8   // of places; nil if there is none
	armies  *rank.Subsets
	others  *rank.Subsets
	count   []uint32 // of an army by rank; that of its representative
	flipped []bool   // by rank: the army is not its own representative
	reps    []uint32 // ranks of representatives
	rowSize uint64
}

// NewNumbering returns the numbering for armies of k pieces on the given places,
// ascending cells below 64. mirror maps cells to cells, or is nil.
func NewNumbering(places []int, k int, mirror []uint8) (*Numbering, error) {
	n := &Numbering{places: places}
	for i, c := range places {
		if c < 0 || c > 63 || i > 0 && c <= places[i-1] {
			return nil, fmt.Errorf("tablebase: places %v: want ascending cells below 64", places)
		}
		n.all |= 1 << c
		n.index[c] = uint8(i)
	}
	if k < 1 || 2*k > len(places) {
		return nil, fmt.Errorf("tablebase: armies of %d on %d places", k, len(places))
	}
	if mirror != nil {
		n.mirror = make([]uint8, len(places))
		for i, c := range places {
			if c >= len(mirror) || int(mirror[c]) > 63 || n.all>>mirror[c]&1 == 0 || int(mirror[mirror[c]]) != c {
				return nil, fmt.Errorf("tablebase: the mirror does not map place %d to another and back", c)
			}
			n.mirror[i] = n.index[mirror[c]]
		}
	}
	var err error
	if n.armies, err = rank.NewSubsets(len(places), k); err != nil {
		return nil, err
	}
	if n.others, err = rank.NewSubsets(len(places)-k, k); err != nil {
		return nil, err
	}
	if n.armies.Size() > maxArmies {
		return nil, fmt.Errorf("tablebase: %d armies: at most %d are possible", n.armies.Size(), maxArmies)
	}
	n.rowSize = n.others.Size()
	n.count = make([]uint32, n.armies.Size())
	n.flipped = make([]bool, n.armies.Size())
	for r, x := uint64(0), uint64(1)<<k-1; r < n.armies.Size(); r, x = r+1, rank.Next64(x) {
		image := r
		if n.mirror != nil {
			image = n.armies.Rank64(n.flip(x))
		}
		if image < r {
			n.count[r], n.flipped[r] = n.count[image], true
			continue
		}
		n.count[r] = uint32(len(n.reps))
		n.reps = append(n.reps, uint32(r))
	}
	return n, nil
}

// Size returns the number of positions that are numbered.
func (n *Numbering) Size() uint64 { return uint64(len(n.reps)) * n.rowSize }

// flip mirrors a set of places.
func (n *Numbering) flip(x uint64) (y uint64) {
	for ; x != 0; x &= x - 1 {
		y |= 1 << n.mirror[bits.TrailingZeros64(x)]
	}
	return y
}

// packed returns a set of cells as places, spread the reverse.
func (n *Numbering) packed(s uint64) (x uint64) {
	for ; s != 0; s &= s - 1 {
		x |= 1 << n.index[bits.TrailingZeros64(s)]
	}
	return x
}

func (n *Numbering) spread(x uint64) (s uint64) {
	for ; x != 0; x &= x - 1 {
		s |= 1 << n.places[bits.TrailingZeros64(x)]
	}
	return s
}

// Index returns the number of a position. The error says why there is none.
func (n *Numbering) Index(mover, other uint64) (uint64, error) {
	k := n.armies.K()
	if bits.OnesCount64(mover) != k || bits.OnesCount64(other) != k {
		return 0, fmt.Errorf("tablebase: armies of %d and %d pieces, want %d each", bits.OnesCount64(mover), bits.OnesCount64(other), k)
	}
	if mover&other != 0 || (mover|other)&^n.all != 0 {
		return 0, fmt.Errorf("tablebase: armies overlap or stand where no piece may")
	}
	x, y := n.packed(mover), n.packed(other)
	r := n.armies.Rank64(x)
	if n.flipped[r] {
		x, y = n.flip(x), n.flip(y)
	}
	return uint64(n.count[r])*n.rowSize + n.others.Rank64(squeeze(y, x)), nil
}

// squeeze drops the bits of gaps from y, closing up; stretch opens them again.
func squeeze(y, gaps uint64) (z uint64) {
	for ; y != 0; y &= y - 1 {
		b := y & -y
		z |= 1 << (bits.TrailingZeros64(b) - bits.OnesCount64(gaps&(b-1)))
	}
	return z
}

func stretch(z, gaps uint64) uint64 {
	for ; gaps != 0; gaps &= gaps - 1 {
		low := gaps&-gaps - 1
		z = z&low | z&^low<<1
	}
	return z
}

// Position returns the position of a number below Size.
func (n *Numbering) Position(index uint64) (mover, other uint64) {
	x := n.armies.Unrank64(uint64(n.reps[index/n.rowSize]))
	y := stretch(n.others.Unrank64(index%n.rowSize), x)
	return n.spread(x), n.spread(y)
}

// Walk calls do for the positions from…from+count−1 in order.
func (n *Numbering) Walk(from uint64, count int, do func(i int, mover, other uint64)) {
	for i := 0; i < count; {
		row, col := (from+uint64(i))/n.rowSize, (from+uint64(i))%n.rowSize
		x := n.armies.Unrank64(uint64(n.reps[row]))
		mover := n.spread(x)
		z := n.others.Unrank64(col)
		for ; col < n.rowSize && i < count; col, i = col+1, i+1 {
			do(i, mover, n.spread(stretch(z, x)))
			z = rank.Next64(z)
		}
	}
}

// Weight returns how many positions a number stands for: 2 where the mirror
// image is a different position with the same number, else 1. Where a mover's
// army is its own mirror image, both of a mirrored pair have numbers of their
// own.
func (n *Numbering) Weight(mover uint64) uint64 {
	if n.mirror == nil {
		return 1
	}
	x := n.packed(mover)
	if n.flip(x) == x {
		return 1
	}
	return 2
}
