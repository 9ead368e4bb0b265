package strong

import (
	"cmp"
	"math/bits"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/rank"
)

// layout numbers the armies of a board and says where a position's bit is.
//
// Armies (sets of k cells) are numbered so that those which are their own
// representative come first: of an army and its mirror image, the one of lower
// rank. Representatives are 0…reps−1, and the first pairs of them differ from
// their mirror images. A row is a representative; a column is any army: column
// c < reps is representative c, and column gap+c is the mirror image of
// representative c < pairs. gap is a multiple of 64.
//
// The position with the mover's army X and the other's army Y, both from the
// mover's side, stands in row X and column "Y turned", that is at the other
// player's own view of its army; if X is no representative, the mirror image of
// the whole position stands for it. So
//
//	row i holds all positions whose mover has army i,
//
// and the turns of the player before lead into one row: with the other's army
// fixed as Y, the position (A, Y) leads to (Y turned, A' turned), which is row
// "Y turned", column A'. What is found out about (A, Y) from row i belongs to
// row A, column i: the transposed place.
type layout struct {
	b *board
	k int

	reps, pairs, gap, cols int
	words                  int      // of 64 columns in a row
	army                   []uint64 // of a column; 0 in the gap

	// To lift a piece: the army of column c without its i-th piece is
	// partial[r], where lifts[c·k+i] is r<<6 | bit of the piece.
	lifts   []uint32
	partial []uint64
	// column[r·span+bit] is the column of the army partial[r] with a piece on a
	// bit, none where that is none.
	column []uint32

	// Armies are ranked among the cells where a piece may stand, in the order of
	// bits, so that the order of sets is that of their words.
	subsets *rank.Subsets
	order   []uint32 // column by rank
	// seen takes a set of cells as the other player sees it, after half a turn,
	// to the numbers under which subsets ranks them.
	seen *bitboard.Perm64
}

const none = ^uint32(0)

// newLayout numbers the armies of a board.
func newLayout(b *board) (*layout, error) {
	l := &layout{b: b, k: b.spec.Pieces}
	n := bits.OnesCount64(b.open)
	var err error
	if l.subsets, err = rank.NewSubsets(n, l.k); err != nil {
		return nil, err
	}
	fewer, err := rank.NewSubsets(n, l.k-1)
	if err != nil {
		return nil, err
	}
	size := l.subsets.Size()
	if size > maxArmies {
		return nil, tooMany(b.spec, size)
	}
	var single, paired []uint64
	first := uint64(1)<<l.k - 1
	for i, p := uint64(0), first; i < size; i, p = i+1, rank.Next64(p) {
		s := bitboard.Deposit64(p, b.open)
		switch m := b.flip(s); {
		case s == m:
			single = append(single, s)
		case s < m:
			paired = append(paired, s)
		}
	}
	way := b.stepsToGoal()
	byWay := func(s, t uint64) int {
		return cmp.Or(cmp.Compare(way(s), way(t)), cmp.Compare(s, t))
	}
	slices.SortFunc(paired, byWay)
	slices.SortFunc(single, byWay)
	l.pairs, l.reps = len(paired), len(paired)+len(single)
	l.gap = (l.reps + 63) &^ 63
	l.cols = l.gap + l.pairs
	l.words = (l.cols + 63) / 64
	l.army = make([]uint64, l.cols)
	copy(l.army, paired)
	copy(l.army[l.pairs:], single)
	for c, s := range paired {
		l.army[l.gap+c] = b.flip(s)
	}
	l.order = make([]uint32, size)
	l.partial = make([]uint64, fewer.Size())
	for i, p := uint64(0), uint64(1)<<(l.k-1)-1; i < fewer.Size(); i, p = i+1, rank.Next64(p) {
		l.partial[i] = bitboard.Deposit64(p, b.open)
	}
	l.column = make([]uint32, len(l.partial)*b.span)
	for i := range l.column {
		l.column[i] = none
	}
	l.lifts = make([]uint32, l.cols*l.k)
	for c, s := range l.army {
		if s == 0 {
			continue
		}
		l.order[l.subsets.Rank64(bitboard.Extract64(s, b.open))] = uint32(c)
		i := 0
		for x := s; x != 0; x &= x - 1 {
			bit := uint32(bits.TrailingZeros64(x))
			r := uint32(fewer.Rank64(bitboard.Extract64(s&^(1<<bit), b.open)))
			l.lifts[c*l.k+i] = r<<6 | bit
			l.column[int(r)*b.span+int(bit)] = uint32(c)
			i++
		}
	}
	// Cells where no piece may stand come after the others.
	seen, closed := make(bitboard.Perm, b.spec.Cells), n
	for c := range seen {
		bit := uint64(1) << b.turned[b.bit[c]]
		if b.open&bit == 0 {
			seen[c] = uint8(closed)
			closed++
			continue
		}
		seen[c] = uint8(bits.OnesCount64(b.open & (bit - 1)))
	}
	l.seen, err = seen.Compile64()
	return l, err
}

// at64 returns where in a plane the word of a position is; its bit is col&63.
func (l *layout) at64(row, col int) int { return col>>6*l.gap + row }

// liftsOf returns the lifts of a column's army.
func (l *layout) liftsOf(c int) []uint32 { return l.lifts[c*l.k : c*l.k+l.k] }

// columnOf returns the column of an army.
func (l *layout) columnOf(s uint64) int {
	return int(l.order[l.subsets.Rank64(bitboard.Extract64(s, l.b.open))])
}

// place returns row and column of a position from its mover's side.
func (l *layout) place(mover, other uint64) (row, col int) {
	row, col = l.columnOf(mover), l.columnOf(l.b.turn(other))
	if row >= l.reps {
		row, col = row-l.gap, l.mirrored(col)
	}
	if row >= l.pairs && col >= l.gap {
		col -= l.gap // the mover's army is symmetric: both columns are the same position
	}
	return row, col
}

// mirrored returns the column of the mirror image of a column's army.
func (l *layout) mirrored(col int) int {
	switch {
	case col >= l.gap:
		return col - l.gap
	case col < l.pairs:
		return col + l.gap
	}
	return col
}

// stepsToGoal returns a function that says how many steps an army is away from its
// goal's far end, all pieces together.
func (b *board) stepsToGoal() func(army uint64) int {
	away := func(from uint64) (steps [64]int, last uint64) {
		seen := from
		for n := 1; ; n++ {
			next := b.step(from) & b.cells &^ seen
			if next == 0 {
				return steps, from
			}
			for x := next; x != 0; x &= x - 1 {
				steps[bits.TrailingZeros64(x)] = n
			}
			seen |= next
			from = next
		}
	}
	fromHome, _ := away(b.home)
	tip, most := b.goal, -1
	for x := b.goal; x != 0; x &= x - 1 {
		if n := fromHome[bits.TrailingZeros64(x)]; n > most {
			tip, most = x&-x, n
		}
	}
	steps, _ := away(tip)
	return func(army uint64) (n int) {
		for ; army != 0; army &= army - 1 {
			n += steps[bits.TrailingZeros64(army)]
		}
		return n
	}
}
