package tablebase

import (
	"fmt"

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
	places  bitboard.Set128
	mirror  *bitboard.Perm128 // of cells; nil if there is none
	armies  *rank.Subsets
	others  *rank.Subsets
	count   []uint32 // of an army by rank; that of its representative
	flipped []bool   // by rank: the army is not its own representative
	reps    []uint32 // ranks of representatives
	rowSize uint64
}

// NewNumbering returns the numbering for armies of k pieces on the given places,
// ascending cells below 128. mirror maps cells to cells, or is nil.
func NewNumbering(places []int, k int, mirror []uint8) (*Numbering, error) {
	n := &Numbering{}
	for i, c := range places {
		if c < 0 || c > 127 || i > 0 && c <= places[i-1] {
			return nil, fmt.Errorf("tablebase: places %v: want ascending cells below 128", places)
		}
		n.places = n.places.With(c)
	}
	if k < 1 || 2*k > len(places) {
		return nil, fmt.Errorf("tablebase: armies of %d on %d places", k, len(places))
	}
	var err error
	if mirror != nil {
		// Cells that are no places may be missing or mirrored to anywhere.
		perm := make(bitboard.Perm, 128)
		for c := range perm {
			perm[c] = uint8(c)
		}
		for _, c := range places {
			if c >= len(mirror) || int(mirror[c]) >= len(mirror) || !n.places.Has(int(mirror[c])) || int(mirror[mirror[c]]) != c {
				return nil, fmt.Errorf("tablebase: the mirror does not map place %d to another and back", c)
			}
			perm[c] = mirror[c]
		}
		if n.mirror, err = perm.Compile128(); err != nil {
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
	for r, x := uint64(0), bitboard.First128(k); r < n.armies.Size(); r, x = r+1, rank.Next128(x) {
		image := r
		if n.mirror != nil {
			image = n.army(n.mirror.Apply(bitboard.Deposit128(x, n.places)))
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
func (n *Numbering) army(s bitboard.Set128) uint64 {
	return rankOf(n.armies, bitboard.Extract128(s, n.places))
}

// rankOf ranks a set of numbers.
func rankOf(sets *rank.Subsets, x bitboard.Set128) uint64 {
	if x.Hi == 0 && sets.N() <= 64 {
		return sets.Rank64(x.Lo)
	}
	return sets.Rank(x)
}

// Index returns the number of a position. The error says why there is none.
func (n *Numbering) Index(mover, other bitboard.Set128) (uint64, error) {
	k := n.armies.K()
	if mover.Count() != k || other.Count() != k {
		return 0, fmt.Errorf("tablebase: armies of %d and %d pieces, want %d each", mover.Count(), other.Count(), k)
	}
	if !mover.And(other).IsEmpty() || !mover.Or(other).AndNot(n.places).IsEmpty() {
		return 0, fmt.Errorf("tablebase: armies overlap or stand where no piece may")
	}
	r := n.army(mover)
	if n.flipped[r] {
		mover, other = n.mirror.Apply(mover), n.mirror.Apply(other)
	}
	return uint64(n.count[r])*n.rowSize + rankOf(n.others, bitboard.Extract128(other, n.places.AndNot(mover))), nil
}

// mover returns the mover's army of a row.
func (n *Numbering) mover(row uint64) bitboard.Set128 {
	return bitboard.Deposit128(n.armies.Unrank(uint64(n.reps[row])), n.places)
}

// Walk calls do for the positions from…from+count−1 in order.
func (n *Numbering) Walk(from uint64, count int, do func(i int, mover, other bitboard.Set128)) {
	for i := 0; i < count; {
		row, col := (from+uint64(i))/n.rowSize, (from+uint64(i))%n.rowSize
		mover := n.mover(row)
		free := n.places.AndNot(mover)
		x := n.others.Unrank(col)
		if n.places.Hi == 0 {
			for x := x.Lo; col < n.rowSize && i < count; col, i = col+1, i+1 {
				do(i, mover, bitboard.Set128{Lo: bitboard.Deposit64(x, free.Lo)})
				x = rank.Next64(x)
			}
			continue
		}
		for ; col < n.rowSize && i < count; col, i = col+1, i+1 {
			do(i, mover, bitboard.Deposit128(x, free))
			x = rank.Next128(x)
		}
	}
}
