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

//go:generate go run ../../../internal/genkernel 1,2,3 board.go kernel.go hand.go

// layout numbers positions. A row is a mover's army that stands for itself and its mirror image. A
// column is the rank of the other army among the cells that the mover's army leaves free, or in a
// square layout among all cells: see isSquare. If the mover's army is its own mirror image, a
// position and its image have two places and both are kept. These rows are the last.
//
// The number of a cell is the number of free cells below it, so one numbering of k out of n−k
// cells serves all rows. For a piece in the hand only cells that the other pieces leave free count:
//
//	board       . x . o x . o . .     x the row's army, o the other's
//	column's      0   1   2 3 4 5       set 0 1 0 1 0 0 → rank
//	in the hand   0   1   2   3 4       of the partial army of 3 alone
type layout struct {
	spec   *halma.TwoArmy
	kernel kernel
	// k is the number of pieces of an army, n the number of cells where pieces may stand. among is
	// the number of cells in the numbering of columns. The cell of a piece in the hand has a number
	// from 0 to m−1; in a square layout the number is the cell's bit.
	k, n, m, among int
	rows, pairs    int // rows 0…pairs−1 also stand for their mirror images
	cols           int // columns of a row
	words          int // words of 64 columns
	// square says that column i < rows is the army of row i as the other player sees it. Column
	// images + i is the mirror image of that army, if it is different. colOf has columns by the
	// ranks of their armies; it is nil if columns are ranks.
	square bool
	images int
	colOf  []uint32

	// goalLast says that the army of the last row has more pieces in the goal than the army of row
	// 0. If there are pairs, it compares the last row of the pairs.
	goalLast  bool
	rowOf     []uint32 // by rank of an army: 2·row, or 2·row + 1 if the row has its mirror image
	rowTurned []uint32 // rowOf of the army after half a turn; nil in a square layout

	// A list of sets has a set of cells for each partial army, handWords words in all. lifts gives
	// the bit for a piece of a column's army, in the set of the army without that piece: for the
	// i-th piece of column c, lift is lifts[c·k+i], and the bit is bit lift&63 of word lift>>6.
	// column[p·m+j] is the column of partial army p with the piece in the hand on j.
	lifts     []uint32
	handWords int
	column    []uint32
	partials  int
	// has[f·words+i] are the columns in word i with the f-th free cell.
	has []uint64

	armies, others *rank.Subsets
	slicing        *slicing // nil in a square layout
	mayBeIllegal   bool     // some position may be illegal
}

// kernel works on armies as sets of cells, in one to three words. It is safe for concurrent use.
type kernel interface {
	newHand() hand
	// find returns the row of a mover's army and whether the row holds its mirror image. Bit c of
	// a Set128 is cell c.
	find(mover bitboard.Set128) (row int, flip bool)
	// place returns the place of a position; in a symmetric row, one of its two places.
	place(mover, other bitboard.Set128) (row, col int)
	// numbers appends the number of each free cell in the columns of a row or its mirror image.
	numbers(row int, flip bool, free bitboard.Set128, to []uint8) []uint8
	// cells returns the armies of a place.
	cells(row, col int) (mover, other bitboard.Set128)
	// state tells whether a place is over by the rules; illegal, whether no turn may lead there.
	state(row, col int) state
	illegal(row, col int) bool
	// back returns the row of the other army, into which the turns from a place lead, and the
	// column of the mover's army in that row. back is its own inverse.
	back(row, col int) (int, int)
	// follow calls next with the places after each legal turn, or after a pass.
	follow(row, col int, next func(row, col int))
}

// hand works on rows, one after the other. From the new positions of a row it finds the positions
// one turn before. A column stands for the other player's army: after its turn in positions of the
// row, before its turn in the positions found. A hand belongs to one goroutine.
type hand interface {
	// scratch returns the row's input, which the caller fills in, and results.
	scratch() *row
	// propagate finds the positions that the new positions of a row decide.
	propagate(row int)
	// overBefore adds to columns all columns of a row whose position one turn before is over or
	// illegal.
	overBefore(row int, columns []uint64)
	// turnTo prepares the method before for a row. propagate and expand prepare before, too.
	turnTo(row int)
	// before appends, for each column, the place of the position one turn before. before is its own
	// inverse.
	before(columns []uint32, to []place) []place
	// terminal calls do for the positions of a row that are over or illegal.
	terminal(row int, do func(col int, state state))
	// expand takes columns, armies before their turn. It adds to found the columns of the row to
	// which the turns of these armies lead.
	expand(row int, columns, found []uint64)
}

// place is the place of a position and its mirror image. The columns differ only in symmetric
// rows.
type place struct{ row, col, image uint32 }

// state is the state of a position by the rules, without looking ahead.
type state uint8

const (
	ongoing state = iota
	isWon
	isLost
	// isIllegal positions are kept as wins of the player to move: no player chooses a turn to a win
	// of the opponent.
	isIllegal
)

// embed places the cells of a game at bits, in as few words as possible.
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
	// In one word a shift could lead from an edge of the board to a cell that is no neighbour.
	return e, max((e.Span+63)/64, sets.Words2), nil
}

const maxArmies = 1 << 26

// rowsOf counts the armies, and the armies that stand for themselves and their mirror images.
func rowsOf(t *halma.TwoArmy) (armies, rows uint64, err error) {
	cells := t.Cells - len(t.Closed)
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
	symmetric := uint64(0)
	for two := 0; 2*two <= t.Pieces; two++ {
		symmetric += rank.Choose(pairs, two) * rank.Choose(singles, t.Pieces-2*two)
	}
	return armies, (armies + symmetric) / 2, nil
}

// newLayout numbers the positions of a game for a solve. values means without distances and files.
func newLayout(t *halma.TwoArmy, values bool) (*layout, error) {
	e, words, err := embed(t)
	if err != nil {
		return nil, err
	}
	return newLayoutIn(t, &e, words, isSquare(words, t.Cells-len(t.Closed), t.Pieces, values))
}

// newLayoutIn is newLayout in the given number of words. With more than one word the layout is
// square.
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

// isSquare says whether columns are numbered among all n cells. They are for more than one word,
// and for armies of one or two pieces. In a solve of values alone they also are if this saves
// memory. Then the places of overlapping armies take less memory than the plane of known positions,
// which a square layout does not need: see block.
func isSquare(words, n, k int, values bool) bool {
	if words > 1 || k <= 2 || !values {
		return words > 1 || k <= 2
	}
	all, errAll := rank.Binomial(n, k)
	positions, err := rank.Binomial(n-k, k)
	return errAll == nil && err == nil && 10*all < 13*positions
}

// imagesAt returns the first column of mirror images, a multiple of 64 if there are any.
func imagesAt(rows, armies uint64) uint64 {
	if rows == armies {
		return rows
	}
	return (rows + 63) &^ 63
}

func squareColumns(rows, armies uint64) uint64 { return imagesAt(rows, armies) + armies - rows }

// weight is the number of positions that a place of a row stands for.
func (l *layout) weight(row int) uint64 {
	if row < l.pairs {
		return 2
	}
	return 1
}

// positions counts all positions, mirror images included.
func (l *layout) positions() uint64 { return l.armies.Size() * l.against() }

// against counts the armies that fit beside an army.
func (l *layout) against() uint64 {
	n, err := rank.Binomial(l.n-l.k, l.k)
	if err != nil {
		panic(err) // never: there are fewer than armies, and the number of armies fits
	}
	return n
}

// columnMask returns the bits of a word that are columns.
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

func (l *layout) columnAt(rank uint64) int {
	if l.colOf == nil {
		return int(rank)
	}
	return int(l.colOf[rank])
}

// columnOfRow returns the columns of a row's army and of its mirror image in a square layout.
func (l *layout) columnOfRow(row int) (col, image int) {
	if row < l.pairs {
		return row, l.images + row
	}
	return row, row
}

// row is the input and the result of the work on a row, with a bit for each column.
type row struct {
	*layout
	// Input: all wins of the row; the new wins; the new losses. anew says that any win may be new.
	win, newWin, newLoss []uint64
	anew                 bool
	// known are the positions one turn before that need not be found. At first these are the
	// positions that are over or illegal; propagate adds the positions that it finds.
	known []uint64
	spare []uint64 // scratch space
	// found are the columns from which some turn leads to a new position.
	found  []uint64
	ending []uint64 // columns found by meeting
	// unsure are the columns whose army may have no legal turn before.
	unsure  []uint64
	cellsAt [2][]int // buffers of offsets
	// open is 1 for each column that is not won. It is valid if opened is set.
	open   []uint8
	opened bool
	// notWins has, for each partial army, the cells where the piece in the hand makes a column that
	// is not won. If inverted is set, it has the cells of won columns. It is valid if scattered is
	// set.
	notWins             []uint64
	scattered, inverted bool
	// The result: wins are the columns whose position one turn before is won, losses those whose
	// position one turn before is lost.
	wins, losses []uint32

	// fresh and safe are lists of sets by partial army: cells of the piece in the hand. fresh has
	// the cells of new wins or new losses. From a safe cell every turn leads to a position won for
	// the opponent. safe is valid for the partial armies whose stamp is visit.
	fresh, safe []uint64
	stamp       []uint32
	visit       uint32
	touched     []uint32 // partial armies with fresh cells
	looked      uint64   // partial armies looked at by the last propagate

	// backward finds the places of positions one turn before. It is nil in a square layout, which
	// uses turned: the columns of the row's army and of its mirror image, seen from the other side.
	backward *back1
	turned   [2]uint32

	// dense works on many partial armies at once, nil where it does not pay.
	dense     *dense
	denseFrom int // dense is used for more new columns than this
}

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

func (l *layout) newRow() row {
	r := row{layout: l, open: make([]uint8, 64*l.words),
		fresh: make([]uint64, l.handWords), notWins: make([]uint64, l.handWords), safe: make([]uint64, l.handWords), stamp: make([]uint32, l.partials)}
	for _, columns := range []*[]uint64{&r.win, &r.newWin, &r.newLoss, &r.found, &r.spare, &r.ending, &r.unsure} {
		*columns = make([]uint64, l.words)
	}
	return r
}

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

// findOpen fills in open.
func (r *row) findOpen() {
	for i, x := range r.win {
		open := r.open[64*i : 64*i+64]
		x = ^x
		for j := 0; j < 64; j += 8 {
			// Copy eight bits to each of eight bytes, keep a different bit in each byte, and make
			// it the byte's lowest bit.
			y := x >> j & 0xff * 0x0101010101010101 & 0x8040201008040201
			binary.LittleEndian.PutUint64(open[j:j+8], (y+0x7f7f7f7f7f7f7f7f|y)>>7&0x0101010101010101)
		}
	}
	r.opened = true
}

// hold says whether a list of sets has all the given lifts.
func hold(list []uint64, lifts []uint32) bool {
	for _, lift := range lifts {
		if list[lift>>6]>>(lift&63)&1 == 0 {
			return false
		}
	}
	return true
}

// orAt adds the bits of a word to a list of columns, beginning at column from.
func orAt(columns []uint64, from int, x uint64) {
	columns[from>>6] |= x << (from & 63)
	if x = x >> 1 >> (^from & 63); x != 0 {
		columns[from>>6+1] |= x
	}
}
