package tight

import (
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/rank"
)

// layout numbers positions. A row is a mover's army that represents itself and its
// mirror image; a column is the rank of the other army among the cells that the
// mover's leaves free, so that every place of the table is a position. Where the
// mover's army is its own mirror image, a position and its image have two places
// and both are kept.
//
// The table of the numbering of k out of n−k cells serves all rows: cells are told by
// how many free ones are below. For the piece in the hand cells are told by how many
// are below that are free of the pieces that stay, too:
//
//	board       . x . o x . o . .     x the row's army, o the other's
//	column's      0   1   2 3 4 5       set 0 1 0 1 0 0 → rank
//	in the hand   0   1   2   3 4       of the partial army of 3 alone
type layout struct {
	b *board
	// k pieces, n cells where they may stand; m is how many are left to a piece in
	// the hand.
	k, n, m int
	rows    int
	cols    int // of a row
	words   int // of 64 columns

	army      []uint64 // of a row
	symmetric []bool   // by row: its army is its own mirror image
	rowOf     []uint32 // by rank of an army among all cells: row·2 + 1 if it is mirrored
	rowTurned []uint32 // rowOf of the army after half a turn

	set     []uint64 // of a column, among the free cells
	partial []uint64 // the sets of k−1 of the free cells
	// lifts[c·k+i] is p<<6 | j: the set of column c without its i-th cell is partial p,
	// which that cell is the j-th free one of. column[p·m+j] is c.
	lifts  []uint32
	column []uint32

	armies, others *rank.Subsets
	// term[i<<6|c] is what a piece on cell c that is the i-th of its army adds to the rank.
	term    []uint32
	slicing *slicing
}

// newLayout numbers the positions of a board.
func newLayout(b *board) (*layout, error) {
	k, n := b.spec.Pieces, bits.OnesCount64(b.open)
	l := &layout{b: b, k: k, n: n, m: n - 2*k + 1}
	if l.m < 1 {
		return nil, fmt.Errorf("tight: %s: two armies of %d on %d cells", b.spec.ID, k, n)
	}
	var err error
	if l.armies, err = rank.NewSubsets(n, k); err != nil {
		return nil, err
	}
	if l.others, err = rank.NewSubsets(n-k, k); err != nil {
		return nil, err
	}
	fewer, err := rank.NewSubsets(n-k, k-1)
	if err != nil {
		return nil, err
	}
	if size := l.armies.Size(); size > maxArmies {
		return nil, tooMany(b.spec, size)
	}
	l.term = make([]uint32, k<<6)
	for i := range k {
		for c := range n {
			x, err := rank.Binomial(c, i+1)
			if err != nil {
				return nil, err
			}
			l.term[i<<6|c] = uint32(x)
		}
	}
	l.cols = int(l.others.Size())
	l.words = (l.cols + 63) / 64
	l.numberRows()
	l.set, l.partial = subsets(n-k, k), subsets(n-k, k-1)
	l.lifts = make([]uint32, l.cols*k)
	l.column = make([]uint32, len(l.partial)*l.m)
	for c, s := range l.set {
		i := 0
		for x := s; x != 0; x &= x - 1 {
			cell := x & -x
			p := int(fewer.Rank64(s &^ cell))
			j := bits.OnesCount64((cell - 1) &^ s)
			l.lifts[c*k+i] = uint32(p)<<6 | uint32(j)
			l.column[p*l.m+j] = uint32(c)
			i++
		}
	}
	l.slicing = newSlicing(l.set, l.partial, n-k)
	return l, nil
}

// subsets lists the sets of k of n cells in the order of their ranks.
func subsets(n, k int) (list []uint64) {
	for s := uint64(1)<<k - 1; s < 1<<n; s = rank.Next64(s) {
		if list = append(list, s); s == 0 {
			break
		}
	}
	return list
}

// numberRows numbers the armies that represent themselves so that half a turn puts
// them in the order of columns: neighbouring rows write to neighbouring columns.
func (l *layout) numberRows() {
	b, size := l.b, l.armies.Size()
	l.rowOf, l.rowTurned = make([]uint32, size), make([]uint32, size)
	all := subsets(l.n, l.k)
	for _, s := range all {
		turned := bitboard.Deposit64(s, b.open)
		army := b.turn(turned)
		image := b.flip(army)
		if b.turn(image) < turned {
			continue
		}
		row := uint32(len(l.army)) << 1
		l.rowOf[l.rankOf(image)] = row | 1
		l.rowOf[l.rankOf(army)] = row
		l.army = append(l.army, army)
		l.symmetric = append(l.symmetric, image == army)
	}
	l.rows = len(l.army)
	for i, s := range all {
		l.rowTurned[i] = l.rowOf[l.rankOf(b.turn(bitboard.Deposit64(s, b.open)))]
	}
}

// rankOf returns the rank of an army among all cells.
func (l *layout) rankOf(army uint64) uint64 {
	return l.armies.Rank64(bitboard.Extract64(army, l.b.open))
}

// columnOf returns the column of the other army in a row.
func (l *layout) columnOf(row int, other uint64) int {
	return int(l.others.Rank64(bitboard.Extract64(other, l.b.open&^l.army[row])))
}

// place returns the place of a position; where its row is symmetric, one of two.
func (l *layout) place(mover, other uint64) (row, col int) {
	r := l.rowOf[l.rankOf(mover)]
	if r&1 != 0 {
		other = l.b.flip(other)
	}
	return int(r >> 1), l.columnOf(int(r>>1), other)
}

// meeting sets columns to those whose army, on the free cells of a row, meets a pattern of
// a list.
func (l *layout) meeting(columns []uint64, list []pattern, free uint64) {
	clear(columns)
	for _, p := range list {
		if p.value&^free != 0 {
			continue
		}
		must, mustNot := bitboard.Extract64(p.value, free), bitboard.Extract64(p.mask&^p.value, free)
		for i := range columns {
			x := ^uint64(0)
			for f := must; f != 0 && x != 0; f &= f - 1 {
				x &= l.slicing.has[bits.TrailingZeros64(f)*l.words+i]
			}
			for f := mustNot; f != 0 && x != 0; f &= f - 1 {
				x &^= l.slicing.has[bits.TrailingZeros64(f)*l.words+i]
			}
			columns[i] |= x
		}
	}
	if rest := l.cols & 63; rest != 0 {
		columns[l.words-1] &= 1<<rest - 1
	}
}

// at32 returns where the word of a place is in a table of words of 32 columns; its bit is
// col&31. The words of neighbouring rows are neighbours, since what follows from a row is
// in one place each of many others.
func (l *layout) at32(row, col int) int { return col>>5*l.rows + row }

// weight is how many positions a place of a row stands for.
func (l *layout) weight(row int) uint64 {
	if l.b.spec.Mirror == nil || l.symmetric[row] {
		return 1
	}
	return 2
}

// maxArmies bounds the placements of one army, whose numbers are halved to 32 bits.
const maxArmies = 1 << 26

func tooMany(t *halma.TwoArmy, armies uint64) error {
	return fmt.Errorf("tight: %s: %d placements of %d pieces: at most %d can be solved", t.ID, armies, t.Pieces, maxArmies)
}
