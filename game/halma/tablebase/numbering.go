package tablebase

import (
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/rank"
)

// maxArmies bounds the placements of one army, for each of which armyBytes are
// kept in memory.
const (
	maxArmies = 1 << 26
	armyBytes = 4 + 1 + 4
)

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
	places  uint64           // as a set of cells
	mirror  *bitboard.Perm64 // of cells; nil if there is none
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
	n := &Numbering{}
	for i, c := range places {
		if c < 0 || c > 63 || i > 0 && c <= places[i-1] {
			return nil, fmt.Errorf("tablebase: places %v: want ascending cells below 64", places)
		}
		n.places |= 1 << c
	}
	if k < 1 || 2*k > len(places) {
		return nil, fmt.Errorf("tablebase: armies of %d on %d places", k, len(places))
	}
	var err error
	if mirror != nil {
		// Cells that are no places may be missing or mirrored to anywhere.
		perm := make(bitboard.Perm, 64)
		for c := range perm {
			perm[c] = uint8(c)
		}
		for _, c := range places {
			if c >= len(mirror) || int(mirror[c]) >= len(mirror) || n.places>>mirror[c]&1 == 0 || int(mirror[mirror[c]]) != c {
				return nil, fmt.Errorf("tablebase: the mirror does not map place %d to another and back", c)
			}
			perm[c] = mirror[c]
		}
		if n.mirror, err = perm.Compile64(); err != nil {
			return nil, err
		}
	}
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
	n.reps = make([]uint32, 0, n.armies.Size())
	for r, x := uint64(0), uint64(1)<<k-1; r < n.armies.Size(); r, x = r+1, rank.Next64(x) {
		image := r
		if n.mirror != nil {
			image = n.army(n.mirror.Apply(bitboard.Deposit64(x, n.places)))
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

// army returns the rank of an army.
func (n *Numbering) army(s uint64) uint64 { return n.armies.Rank64(bitboard.Extract64(s, n.places)) }

// Index returns the number of a position. The error says why there is none.
func (n *Numbering) Index(mover, other uint64) (uint64, error) {
	k := n.armies.K()
	if bits.OnesCount64(mover) != k || bits.OnesCount64(other) != k {
		return 0, fmt.Errorf("tablebase: armies of %d and %d pieces, want %d each", bits.OnesCount64(mover), bits.OnesCount64(other), k)
	}
	if mover&other != 0 || (mover|other)&^n.places != 0 {
		return 0, fmt.Errorf("tablebase: armies overlap or stand where no piece may")
	}
	r := n.army(mover)
	if n.flipped[r] {
		mover, other = n.mirror.Apply(mover), n.mirror.Apply(other)
	}
	return uint64(n.count[r])*n.rowSize + n.others.Rank64(bitboard.Extract64(other, n.places&^mover)), nil
}

// mover returns the mover's army of a row.
func (n *Numbering) mover(row uint64) uint64 {
	return bitboard.Deposit64(n.armies.Unrank64(uint64(n.reps[row])), n.places)
}

// Walk calls do for the positions from…from+count−1 in order.
func (n *Numbering) Walk(from uint64, count int, do func(i int, mover, other uint64)) {
	for i := 0; i < count; {
		row, col := (from+uint64(i))/n.rowSize, (from+uint64(i))%n.rowSize
		mover := n.mover(row)
		free := n.places &^ mover
		x := n.others.Unrank64(col)
		for ; col < n.rowSize && i < count; col, i = col+1, i+1 {
			do(i, mover, bitboard.Deposit64(x, free))
			x = rank.Next64(x)
		}
	}
}
