package armies

import (
	"fmt"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
	"perfectplay/rank"
)

//go:generate go run ../../../internal/genkernel 1,2,3 cells.go row.go

// board is a game with numbered armies, and a kernel for armies as sets of cells.
type board struct {
	spec   *halma.Armies
	n, k   int     // seats, pieces of an army
	bit    []uint8 // bit of each cell
	span   int     // bits 0…span−1 hold all cells
	kernel kernel
	// The turn of the board by one period takes the camps of each seat to the camps of the seat
	// period later, and bit c to bit turned[c].
	period int
	turned [64 * sets.Words3]uint8
	kinds  []kind
}

// kind holds the tables of one kind of seats. Turns of the board take the seats of a kind to each
// other. Sets are in the view of the first of these seats, the one below period.
type kind struct {
	// Armies are ranked in colexicographic order of the bits of open cells.
	subsets *rank.Subsets
	size    int // number of armies
	words   int // words of a row with a bit for each army
	// A list of sets, in words, has one set for each partial army: an army without one piece. The
	// i-th piece of army r belongs to the set of the army without that piece. It is bit lift&63 of
	// word lift>>6, where lift is lifts[r·k+i].
	lifts    []uint32
	partials int
	// column[p·span+bit] is the rank of partial army p with a piece on a bit.
	column []uint32
	// tight are the armies that the pieces of all other seats might keep from stepping.
	tight []uint64
	// with[bit] are the armies with a piece on a bit, one bit for each rank.
	with [][]uint64
	// inside are the armies within turns.Over.Inside: only with these may the seat have won.
	inside []uint64
}

// kernel works on armies as sets of cells, in one to three words.
type kernel interface {
	newHand(kind int) hand
	// rankOf returns the rank of a seat's army, bit c being cell c.
	rankOf(seat int, cells bitboard.Set128) (int, error)
	// places lists the cells where the pieces of a kind may stand, in the order of their bits.
	places(kind int) []int
}

// hand is the inner loop for one kind of seats, for one goroutine. The pieces of all other seats
// lie still. A row has a bit for each army of the seat to move: before its turn in some methods,
// after it in others.
type hand interface {
	// lie places the armies of the seats 1…n−2 turns later, given by rank, and reports whether they
	// are disjoint.
	lie(ranks []int) bool
	// begin places the army of the seat that moved last, which selects the row. It reports whether
	// the army is disjoint from the others; if not, no method below may be called.
	begin(rank int) bool
	// free sets dst to the armies disjoint from all others.
	free(dst []uint64)
	// over adds to dst the armies with which a position is over. If those are all armies, it
	// returns true and leaves dst unchanged.
	over(dst []uint64) (whole bool)
	// won adds to dst the armies with which a seat of wins has won the position. Of the seats that
	// meet their condition the one that moved last wins, else the first in turn order.
	won(wins uint8, dst, unclaimed, scratch []uint64)
	// some adds to out the armies that have a turn, or the pass, to an army of fresh.
	some(fresh, out []uint64)
	// all adds to out each army outside known if all its turns, or the pass, lead to answers and at
	// least one leads to fresh, a part of answers. It overwrites known.
	all(fresh, answers, known, out []uint64)
	// ahead adds to out the armies after the turns of armies, and the armies that must pass while
	// another seat can move.
	ahead(armies, out []uint64)
}

const maxArmies = 1 << 20

// newBoard prepares a game. The error says why it cannot be solved this way.
func newBoard(t *halma.Armies) (*board, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	e, ok := t.EmbedWord()
	words := sets.Words1
	if !ok {
		if e, ok = t.EmbedWords(sets.Words3); !ok {
			return nil, fmt.Errorf("armies: %s: %d cells: no numbering of the cells fits three words", t.ID, t.Cells)
		}
		// In one word a shift may lead from an edge to another cell.
		words = max((e.Span+63)/64, sets.Words2)
	}
	return newBoardIn(t, &e, words)
}

// newBoardIn is newBoard in the given number of words, which must be enough.
func newBoardIn(t *halma.Armies, e *halma.Embedding, words int) (*board, error) {
	b := &board{spec: t, n: t.Seats(), k: t.Pieces, bit: e.Bit, span: e.Span}
	b.findPeriod()
	for seat := range b.period {
		open := t.Cells - len(t.Closed[seat])
		size, err := rank.Binomial(open, b.k)
		if err != nil || size > maxArmies {
			return nil, fmt.Errorf("armies: %s: %d pieces have more than the 2²⁰ placements that can be numbered", t.ID, b.k)
		}
		k := kind{size: int(size), words: int(size+63) / 64}
		if k.subsets, err = rank.NewSubsets(open, b.k); err != nil {
			return nil, err
		}
		b.kinds = append(b.kinds, k)
	}
	var err error
	switch words {
	case sets.Words1:
		b.kernel, err = newCells1(b, e)
	case sets.Words2:
		b.kernel, err = newCells2(b, e)
	default:
		b.kernel, err = newCells3(b, e)
	}
	return b, err
}

// findPeriod finds the turn of the board that takes each seat to the nearest possible later one.
func (b *board) findPeriod() {
	t := b.spec
	same := func(turned []uint8, from, to []int) bool {
		if len(from) != len(to) {
			return false
		}
		for _, c := range from {
			if !slices.Contains(to, int(turned[c])) {
				return false
			}
		}
		return true
	}
	for period := 1; period < b.n; period++ {
		if b.n%period != 0 {
			continue
		}
	next:
		for sixths := 1; sixths < 6; sixths++ {
			if sixths*(b.n/period)%6 != 0 {
				continue
			}
			turned := sixthTurns(t.At, sixths)
			if turned == nil {
				continue
			}
			for seat := range b.n {
				later := (seat + period) % b.n
				if !same(turned, t.Home[seat], t.Home[later]) || !same(turned, t.Goal[seat], t.Goal[later]) || !same(turned, t.Closed[seat], t.Closed[later]) {
					continue next
				}
			}
			b.period = period
			for c, image := range turned {
				b.turned[b.bit[c]] = b.bit[image]
			}
			return
		}
	}
	b.period = b.n
}

// sixthTurns returns the image of each cell after a turn of the board about its middle by sixths
// sixths of a full turn; nil if the image of a cell is not a cell.
func sixthTurns(at []halma.Point, sixths int) []uint8 {
	x, y := 0, 0 // sum of the cells' places: the middle times the number of cells
	for _, p := range at {
		x, y = x+p.X, y+p.Y
	}
	turned := make([]uint8, len(at))
	for c, p := range at {
		// The distance from the middle, times the number of cells.
		q := halma.Point{X: len(at)*p.X - x, Y: len(at)*p.Y - y}
		for range sixths {
			q = halma.Point{X: -q.Y, Y: q.X + q.Y}
		}
		image := slices.IndexFunc(at, func(p halma.Point) bool { return len(at)*p.X-x == q.X && len(at)*p.Y-y == q.Y })
		if image < 0 {
			return nil
		}
		turned[c] = uint8(image)
	}
	return turned
}

const none = ^uint32(0)

// If at least one partial army in scatterShare is needed, row1.all computes yes for all of them at
// once.
const scatterShare = 4
