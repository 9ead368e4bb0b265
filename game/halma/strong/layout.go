package strong

import (
	"fmt"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
	"perfectplay/rank"
)

// board.go, moves.go and hand.go are written for one word; go generate makes the same
// for two and three.
//
//go:generate go run ../../../internal/genkernel 1,2,3 board.go moves.go hand.go

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
	spec   *halma.TwoArmy
	kernel kernel
	k      int

	reps, pairs, gap, cols int
	words                  int // of 64 columns in a row

	// To lift a piece: a list of sets by partial army, in words, has the bit of the
	// i-th piece of column c in the set of the army without it at bit lift&63 of word
	// lift>>6, where lift is the i-th of lifts.of(c). handWords is the length of such a list.
	lifts     lifts
	handWords int
	// column[r·span+bit] is the column of partial army r with a piece on a bit, none
	// where that is none.
	column []uint32
	span   int

	// Armies are ranked among the cells where a piece may stand, in the order of
	// bits, so that the order of sets is that of their words.
	subsets *rank.Subsets
	order   []uint32 // column by rank
	// own takes a set of cells to the numbers under which subsets ranks them, seen
	// does so after half a turn.
	own, seen numbers
}

// kernel is what works on armies as sets of cells: there is one for each number of
// words that hold the cells of a board. Rows and columns are those of the layout.
type kernel interface {
	// startPlace is the place of the start.
	startPlace() (row, col int)
	// overlap says that the armies of a row and a column are no position.
	overlap(row, col int) bool
	// positions sets the columns of a row that are positions, mirror images included.
	positions(row int, columns []uint64)
	state(row, col int) rowState
	// illegal says whether no turn may lead to a position.
	illegal(row, col int) bool
	// terminal calls do for the positions of a row that are over or illegal.
	terminal(row int, do func(col int, state rowState))
	// follow calls next with the positions after each legal turn, or after a pass.
	follow(row, col int, next func(row, col int))
	// ways returns by column how far the army is from its goal.
	ways() []int32
	// decideWins finds what leads to the losses in w.lost, and clears them;
	// decideLosses decides what leads nowhere but to w.won. Both are about the row's
	// positions before the turn, whose bits are bit.
	decideWins(w *worker, row int)
	decideLosses(w *worker, row int, bit uint64)
	// expand enters into a row what the turns of the armies of columns lead to.
	expand(f *forward, row int, columns []uint32)
}

const none = ^uint32(0)

// axes says of each direction which of the three shifts it is, and which direction
// leads back.
var axes = [halma.Dirs]struct {
	shift int
	back  halma.Dir
}{
	halma.Left: {0, halma.Right}, halma.UpLeft: {1, halma.DownRight}, halma.UpRight: {2, halma.DownLeft},
	halma.Right: {0, halma.Left}, halma.DownRight: {1, halma.UpLeft}, halma.DownLeft: {2, halma.UpRight},
}

// embed places the cells of a game at bits, in as few words as it can.
func embed(t *halma.TwoArmy) (e halma.Embedding, words int, err error) {
	if err := t.Check(); err != nil {
		return e, 0, err
	}
	e, ok := t.EmbedWord()
	if ok {
		return e, sets.Words1, nil
	}
	if e, ok = t.EmbedWords(sets.Words3); !ok {
		return e, 0, fmt.Errorf("strong: %s: %d cells: no numbering of the cells fits three words", t.ID, t.Cells)
	}
	// In one word a shift may lead from an edge to another cell.
	return e, max((e.Span+63)/64, sets.Words2), nil
}

// newLayout numbers the armies of a game.
func newLayout(t *halma.TwoArmy) (*layout, error) {
	e, words, err := embed(t)
	if err != nil {
		return nil, err
	}
	return newLayoutIn(t, &e, words)
}

// newLayoutIn is newLayout in a number of words that are enough.
func newLayoutIn(t *halma.TwoArmy, e *halma.Embedding, words int) (l *layout, err error) {
	l = &layout{spec: t, k: t.Pieces}
	if l.subsets, err = rank.NewSubsets(t.Cells-len(t.Closed), l.k); err != nil {
		return nil, err
	}
	if size := l.subsets.Size(); size > maxArmies {
		return nil, tooMany(t, size)
	}
	switch words {
	case sets.Words1:
		return l, newKernel1(l, e)
	case sets.Words2:
		return l, newKernel2(l, e)
	}
	return l, newKernel3(l, e)
}

// count sets the numbers of rows and columns, and makes the tables that follow from
// them.
func (l *layout) count(pairs, singles, handWords int) {
	l.pairs, l.reps = pairs, pairs+singles
	l.gap = (l.reps + 63) &^ 63
	l.cols = l.gap + l.pairs
	l.words = (l.cols + 63) / 64
	l.handWords = handWords
	l.order = make([]uint32, l.subsets.Size())
	l.lifts = lifts{make([]uint32, l.cols*l.k), l.k}
	l.column = make([]uint32, l.partials()*l.span)
	for i := range l.column {
		l.column[i] = none
	}
}

// setCells prepares for looking up armies told as cells.
func (l *layout) setCells(own, seen bitboard.Perm) (err error) {
	if l.own, err = newNumbers(own); err != nil {
		return err
	}
	l.seen, err = newNumbers(seen)
	return err
}

// partials is the number of armies without one piece.
func (l *layout) partials() int {
	return int(l.subsets.Size()) * l.k / (l.subsets.N() - l.k + 1)
}

// inGap reports whether a column is none.
func (l *layout) inGap(col int) bool { return l.reps <= col && col < l.gap }

// at64 returns where in a plane the word of a position is; its bit is col&63.
func (l *layout) at64(row, col int) int { return col>>6*l.gap + row }

// lifts is a table of k lifts for each column. Inner loops keep a copy in a variable: through
// the layout it would be read again after each write to a slice.
type lifts struct {
	all []uint32
	k   int
}

// of returns the lifts of a column's army.
func (t lifts) of(c int) []uint32 { return t.all[c*t.k : c*t.k+t.k] }

// placeOf returns row and column of a position, from the columns of the mover's army
// and of the other's as that player sees it.
func (l *layout) placeOf(mover, other int) (row, col int) {
	row, col = mover, other
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

// numbers takes sets of cells to sets of numbers.
type numbers struct {
	few  *bitboard.Perm64 // nil for more than 64 cells
	many *bitboard.Perm128
}

func newNumbers(p bitboard.Perm) (n numbers, err error) {
	if len(p) <= 64 {
		n.few, err = p.Compile64()
	} else {
		n.many, err = p.Compile128()
	}
	return n, err
}

// columnAt returns the column of the army on a set of cells, the numbers being own or
// seen.
func (l *layout) columnAt(n *numbers, cells bitboard.Set128) int {
	if n.few != nil {
		return int(l.order[l.subsets.Rank64(n.few.Apply(bitboard.Set64{Lo: cells.Lo}).Lo)])
	}
	return int(l.order[l.subsets.Rank(n.many.Apply(cells))])
}
