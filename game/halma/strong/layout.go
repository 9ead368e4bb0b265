package strong

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
	"perfectplay/rank"
)

// board.go, kernel.go and hand.go are written for one word; go generate makes the same for
// two and three.
//
//go:generate go run ../../../internal/genkernel 1,2,3 board.go kernel.go hand.go

// layout numbers positions. A row is a mover's army that represents itself and its
// mirror image; a column is the rank of the other army among the cells that the
// mover's leaves free, so that every place of the table is a position; or, where armies are
// small, of an army among all cells: see isSquare. Where the mover's army is its own mirror
// image, a position and its image have two places and both are kept: such rows are the last.
//
// The table of the numbering of k out of n−k cells serves all rows: cells are told by
// how many free ones are below. For the piece in the hand cells are told by how many
// are below that are free of the pieces that stay, too:
//
//	board       . x . o x . o . .     x the row's army, o the other's
//	column's      0   1   2 3 4 5       set 0 1 0 1 0 0 → rank
//	in the hand   0   1   2   3 4       of the partial army of 3 alone
type layout struct {
	spec   *halma.TwoArmy
	kernel kernel
	// k pieces, n cells where they may stand; columns are numbered among so many of them. A
	// piece in the hand has numbers below m: cells that are left to it, or bits in a square layout.
	k, n, m, among int
	rows, pairs    int // the first pairs of the rows stand for mirror images, too
	cols           int // of a row
	words          int // of 64 columns
	// square says that columns stand for armies among all cells, numbered as rows are: column
	// i < rows for the army of row i, as the other player sees it, and column images + i for its
	// mirror image where that is another. colOf is the column by the rank of its army, nil where
	// columns are ranks.
	square bool
	images int
	colOf  []uint32

	goalLast  bool     // more of the goal is in the last of pairs, or of rows if there are none, than in the first
	rowOf     []uint32 // by rank of an army among all cells: row·2 + 1 if it is mirrored
	rowTurned []uint32 // rowOf of the army after half a turn; nil in a square layout

	// A list of sets by partial army, in words, has the i-th piece of column c in the set of
	// its army without it at bit lift&63 of word lift>>6, where lift is lifts[c·k+i].
	// handWords is the length of such a list. column[p·m+j] is the column of partial army p
	// with the piece in the hand on j.
	lifts     []uint32
	handWords int
	column    []uint32
	partials  int
	// has[f·words+i] are the columns of word i whose set has the f-th free cell.
	has []uint64

	armies, others *rank.Subsets
	slicing        *slicing // nil where a cell does not fit a word
	mayBeIllegal   bool     // some position may be illegal
}

// kernel is what works on armies as sets of cells: there is one for each number of words
// that hold the cells of a board. It is safe for concurrent use.
type kernel interface {
	// newHand returns the work on rows for one goroutine.
	newHand() hand
	// find returns the row of a mover's army, bit c being cell c, and whether the row has its
	// mirror image; columnOf returns the column of the other army there.
	find(mover bitboard.Set128) (row int, flip bool)
	columnOf(row int, flip bool, other bitboard.Set128) int
	// numbers appends what number columns of a row, or of its mirror image, have for each of the
	// free cells, bit c being cell c.
	numbers(row int, flip bool, free bitboard.Set128, to []uint8) []uint8
	// cells returns the armies of a place: bit c is cell c.
	cells(row, col int) (mover, other bitboard.Set128)
	// state returns what the rules say about a place, illegal whether no turn leads there.
	state(row, col int) state
	illegal(row, col int) bool
	// back returns the row that turns from a place lead into, and the column of its mover's
	// army there; from these it leads to the place. See hand.before.
	back(row, col int) (int, int)
	// follow calls next with the places after each legal turn, or after a pass.
	follow(row, col int, next func(row, col int))
}

// hand is the work on one row after the other: from what has become known of the positions
// of a row to the positions one turn before, which are those against the row's army. It
// belongs to one goroutine.
//
// Columns stand for both: in the row for the army of the other player after its turn,
// in what is found for its army before it.
type hand interface {
	// scratch returns what the caller fills in and what is found.
	scratch() *row
	// propagate finds what follows from what is new in a row.
	propagate(row int)
	// overBefore adds to columns those whose positions before are over or illegal.
	overBefore(row int, columns []uint64)
	// turnTo prepares before for a row and about so many columns, as propagate and expand do.
	turnTo(row, columns int)
	// before appends the places of the positions before with the armies of columns, and from
	// these places the columns' places in the row: it is its own inverse.
	before(columns []uint32, to []place) []place
	// terminal calls do for the positions of a row that are over or illegal.
	terminal(row int, do func(col int, state state))
	// expand adds to found the columns of a row that turns lead to from the positions before
	// with the armies of columns.
	expand(row int, columns, found []uint64)
	// lead says by column how many steps the other army is behind the row's.
	lead(row int, steps []int)
}

// place is the place of a position, and in the same row that of its mirror image, which
// differs only where the row is symmetric.
type place struct{ row, col, image uint32 }

// state is what the rules say about a position without looking ahead.
type state uint8

const (
	ongoing state = iota
	isWon
	isLost
	// isIllegal positions are kept as wins: no turn leads to them, as no turn to a
	// position won for the opponent ever helps.
	isIllegal
)

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

// maxArmies bounds the placements of one army, whose numbers are halved to 32 bits.
const maxArmies = 1 << 26

// rowsOf returns how many armies there are, and how many of them represent themselves and
// their mirror images.
func rowsOf(t *halma.TwoArmy) (armies, rows uint64, err error) {
	symmetric, cells := symmetricArmies(t), t.Cells-len(t.Closed)
	switch armies, err = rank.Binomial(cells, t.Pieces); {
	case err != nil:
		return 0, 0, fmt.Errorf("strong: %s: %w", t.ID, err)
	case cells < 2*t.Pieces:
		return 0, 0, fmt.Errorf("strong: %s: two armies of %d do not fit %d cells", t.ID, t.Pieces, cells)
	case armies > maxArmies:
		return 0, 0, fmt.Errorf("strong: %s: %d pieces have more than the 2²⁶ placements that can be numbered", t.ID, t.Pieces)
	case t.Mirror == nil:
		return armies, armies, nil
	}
	return armies, (armies + symmetric) / 2, nil
}

// symmetricArmies counts the armies that are their own mirror image.
func symmetricArmies(t *halma.TwoArmy) (sum uint64) {
	pairs, singles := 0, 0
	for c, image := range t.Mirror {
		switch {
		case slices.Contains(t.Closed, c):
		case int(image) == c:
			singles++
		case int(image) > c:
			pairs++
		}
	}
	for two := 0; 2*two <= t.Pieces; two++ {
		x, errX := rank.Binomial(pairs, two)
		y, errY := rank.Binomial(singles, t.Pieces-2*two)
		if errX == nil && errY == nil {
			sum += x * y
		}
	}
	return sum
}

// newLayout numbers the positions of a game, for a solve of values alone or any other.
func newLayout(t *halma.TwoArmy, values bool) (*layout, error) {
	e, words, err := embed(t)
	if err != nil {
		return nil, err
	}
	return newLayoutIn(t, &e, words, isSquare(words, t.Cells-len(t.Closed), t.Pieces, values))
}

// newLayoutIn is newLayout in a number of words that are enough, square or not. More than one
// word have a square layout.
func newLayoutIn(t *halma.TwoArmy, e *halma.Embedding, words int, square bool) (l *layout, err error) {
	k, n := t.Pieces, t.Cells-len(t.Closed)
	armies, rows, err := rowsOf(t)
	if err != nil {
		return nil, err
	}
	l = &layout{spec: t, k: k, n: n, among: n - k, square: square, rows: int(rows), pairs: int(armies - rows), mayBeIllegal: t.MoverWonIllegal || len(t.Blockades) > 0}
	if l.m = l.among - k + 1; square {
		l.among, l.m = n, e.Span
	}
	if l.armies, err = rank.NewSubsets(n, k); err != nil {
		return nil, err
	}
	if l.others, err = rank.NewSubsets(l.among, k); err != nil {
		return nil, err
	}
	l.cols = int(l.others.Size())
	if square {
		l.images, l.cols = int(imagesAt(rows, armies)), int(squareColumns(rows, armies))
	}
	l.words = (l.cols + 63) / 64
	switch words {
	case sets.Words1:
		return l, newKernel1(l, e)
	case sets.Words2:
		return l, newKernel2(l, e)
	}
	return l, newKernel3(l, e)
}

// isSquare says whether columns are numbered among all n cells: where these take more than a
// word; where armies of k are small; and in a solve of values alone where the places for armies
// that overlap take less than the bit for each place that such a solve saves: see block.
func isSquare(words, n, k int, values bool) bool {
	if words > 1 || k <= 2 || !values {
		return words > 1 || k <= 2
	}
	all, errAll := rank.Binomial(n, k)
	positions, err := rank.Binomial(n-k, k)
	return errAll == nil && err == nil && 10*all < 13*positions
}

// imagesAt returns the column of a square layout where mirror images begin: a whole word of
// columns, so that those of neighbouring rows are in one.
func imagesAt(rows, armies uint64) uint64 {
	if rows == armies {
		return rows
	}
	return (rows + 63) &^ 63
}

// squareColumns is how many columns a square layout has.
func squareColumns(rows, armies uint64) uint64 { return imagesAt(rows, armies) + armies - rows }

// weight is how many positions a place of a row stands for.
func (l *layout) weight(row int) uint64 {
	if row < l.pairs {
		return 2
	}
	return 1
}

// positions is the number of all positions, mirror images included.
func (l *layout) positions() uint64 { return l.armies.Size() * l.against() }

// against is the number of armies that there may be against another one.
func (l *layout) against() uint64 {
	n, err := rank.Binomial(l.n-l.k, l.k)
	if err != nil {
		panic(err) // there are fewer than armies
	}
	return n
}

// place returns the place of a position, bit c being cell c; where its row is symmetric,
// one of two.
func (l *layout) place(mover, other bitboard.Set128) (row, col int) {
	row, flip := l.kernel.find(mover)
	return row, l.kernel.columnOf(row, flip, other)
}

// columnMask returns which bits of a word of columns are columns.
func (l *layout) columnMask(word int) uint64 {
	rest := l.cols - 64*word
	if l.square && 64*word < l.images {
		rest = l.rows - 64*word
	}
	if rest < 64 {
		return 1<<rest - 1
	}
	return ^uint64(0)
}

// columnAt returns the column of an army that has a rank among the cells of columns.
func (l *layout) columnAt(rank uint64) int {
	if l.colOf == nil {
		return int(rank)
	}
	return int(l.colOf[rank])
}

// columnOfRow returns the column of a row's army in the rows of a square layout, and that of
// its mirror image.
func (l *layout) columnOfRow(row int) (col, image int) {
	if row < l.pairs {
		return row, l.images + row
	}
	return row, row
}

// row is what the work on a row reads and finds.
type row struct {
	*layout
	// What the caller has to fill in, a bit for each column: all wins of the row; of
	// those the new ones; new losses. anew says instead of newWin that all may be new.
	win, newWin, newLoss []uint64
	anew                 bool
	// known are the positions before that are over or illegal, as the caller has to say, and
	// those found, which propagate adds: where the caller keeps them from visit to visit they
	// are not found again. spare has room for them where it does not.
	known, spare []uint64
	// found are columns from which some turn leads to what is new.
	found  []uint64
	ending []uint64 // see meeting
	// unsure are the columns whose army may have no legal turn before.
	unsure  []uint64
	cellsAt [2][]int // see offsets
	// open is 1 for each column that the row does not win, valid where opened is set.
	open   []uint8
	opened bool
	// notWins are, where scattered is set, by partial army the cells of the piece in the hand
	// with which the row is not won, or is if inverted.
	notWins             []uint64
	scattered, inverted bool
	// What is found: columns of positions before that are won, and lost.
	wins, losses []uint32

	// By partial army, in words, the cells of the piece in the hand: fresh are those of new
	// wins or losses; from a cell of safe every turn leads to a position won for the
	// opponent. safe is valid where the stamp of the partial army is visit.
	fresh, safe []uint64
	stamp       []uint32
	visit       uint32
	touched     []uint32 // partial armies with some of fresh
	looked      uint64   // at partial armies, by the last propagate

	// The places before, or nil in a square layout. There turned is the column of the row's
	// army as the other player sees it, and that of its mirror image.
	backward back
	turned   [2]uint32

	// Work on many partial armies at once, nil where there is none: see dense.go.
	dense     manyAtOnce
	denseFrom int // new columns, more than which are worked on so
}

// back is what back.go does for a row: before, with tables that are worth their time for so
// many columns.
type back interface {
	prepare(row, columns int)
	before(columns []uint32, to []place) []place
}

// placesBefore is hand.before.
func (r *row) placesBefore(columns []uint32, to []place) []place {
	if r.backward != nil {
		return r.backward.before(columns, to)
	}
	own, image, images, pairs := r.turned[0], r.turned[1], uint32(r.images), uint32(r.pairs)
	for _, c := range columns {
		p := place{c, own, own}
		switch {
		case c >= images:
			p = place{c - images, image, image}
		case c >= pairs:
			p.image = image
		}
		to = append(to, p)
	}
	return to
}

// manyAtOnce is what dense.go does for a row.
type manyAtOnce interface {
	prepare()
	losses()
	wins()
}

func (l *layout) newRow() row {
	r := row{layout: l, open: make([]uint8, 64*l.words),
		fresh: make([]uint64, l.handWords), notWins: make([]uint64, l.handWords), safe: make([]uint64, l.handWords), stamp: make([]uint32, l.partials)}
	for _, columns := range []*[]uint64{&r.win, &r.newWin, &r.newLoss, &r.found, &r.spare, &r.ending, &r.unsure} {
		*columns = make([]uint64, l.words)
	}
	return r
}

// isDense says whether so many columns are new that work on all is faster.
func (r *row) isDense(columns []uint64) bool {
	if r.dense == nil {
		return false
	}
	n := 0
	for _, x := range columns {
		n += bits.OnesCount64(x)
	}
	return n > r.denseFrom
}

// findOpen finds the columns that the row does not win.
func (r *row) findOpen() {
	for i, x := range r.win {
		open := r.open[64*i : 64*i+64]
		x = ^x
		for j := 0; j < 64; j += 8 {
			// Eight copies of eight bits, of each copy one bit, moved to the lowest of its byte.
			y := x >> j & 0xff * 0x0101010101010101 & 0x8040201008040201
			binary.LittleEndian.PutUint64(open[j:j+8], (y+0x7f7f7f7f7f7f7f7f|y)>>7&0x0101010101010101)
		}
	}
	r.opened = true
}

// hold says whether a list of sets has all of a column's lifts.
func hold(list []uint64, lifts []uint32) bool {
	for _, lift := range lifts {
		if list[lift>>6]>>(lift&63)&1 == 0 {
			return false
		}
	}
	return true
}

// orAt adds the bits of a word to a list of columns, from one of them on.
func orAt(columns []uint64, from int, x uint64) {
	columns[from>>6] |= x << (from & 63)
	if x = x >> 1 >> (^from & 63); x != 0 {
		columns[from>>6+1] |= x
	}
}
