package armies

import (
	"fmt"
	"math/bits"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/rank"
)

// board is a game prepared for work on sets of cells in one word, and its armies
// numbered.
type board struct {
	spec *halma.Armies
	n, k int     // seats, pieces of an army
	bit  []uint8 // of a cell
	span int     // bits 0…span−1 hold all cells
	a    [3]uint // see moves
	// cells are all cells.
	cells uint64
	// A turn of the board takes the place of each seat to that of the seat period
	// later, and bit c to bit turned[c].
	period int
	turned []uint8
	kinds  []kind
	// army[seat][rank] is an army as it stands on the board with seat 0…n−1, the
	// ranks being those of kind seat mod period; goal and home likewise.
	army       [][]uint64
	goal, home []uint64
}

// kind is what the seats have in common that turns of the board take to one
// another. Sets are as the seat below period has them.
type kind struct {
	moves moves
	// Armies are ranked in colexicographic order of the open bits.
	subsets *rank.Subsets
	army    []uint64 // by rank
	// The army of rank r without its i-th piece is partial[p], where lifts[r·k+i]
	// is p<<6 | bit of the piece.
	lifts   []uint32
	partial []uint64
	// column[p·span+bit] is the rank of the army partial[p] with a piece on a bit.
	column []uint32
	// near[r] is moves.steps of an army.
	near []uint64
	// tight is the armies that the pieces of all others could keep from stepping.
	tight []uint64
	// with[bit] is the armies that have a piece on a bit, a bit a rank.
	with [64][]uint64
	// inGoal is the armies that stand in their goal, if all pieces must.
	inGoal []uint64
	words  int // of a row of all armies
}

// maxArmies bounds the placements of one army.
const maxArmies = 1 << 20

// newBoard prepares a game, or says why it cannot be solved this way.
func newBoard(t *halma.Armies) (*board, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	b := &board{spec: t, n: t.Seats(), k: t.Pieces}
	e, ok := t.EmbedWord()
	if !ok {
		return nil, fmt.Errorf("armies: %s: %d cells: no numbering of the cells fits a word", t.ID, t.Cells)
	}
	b.bit, b.span = e.Bit, e.Span
	for i, d := range [3]halma.Dir{halma.Left, halma.UpLeft, halma.UpRight} {
		b.a[i] = uint(max(e.Shift[d], -e.Shift[d]))
	}
	for _, bit := range b.bit {
		b.cells |= 1 << bit
	}
	b.findPeriod()
	for seat := range b.n {
		b.home, b.goal = append(b.home, b.set(t.Home[seat])), append(b.goal, b.set(t.Goal[seat]))
	}
	for seat := range b.period {
		m := newMoves(b, seat)
		if size, err := rank.Binomial(bits.OnesCount64(m.open), b.k); err != nil || size > maxArmies {
			return nil, fmt.Errorf("armies: %s: %d placements of %d pieces: at most %d can be solved", t.ID, size, b.k, maxArmies)
		}
		k, err := b.newKind(m)
		if err != nil {
			return nil, err
		}
		b.kinds = append(b.kinds, k)
	}
	for i := range b.kinds {
		k := &b.kinds[i]
		k.inGoal = make([]uint64, k.words)
		for r, s := range k.army {
			if s&^b.goal[i] == 0 {
				k.inGoal[r>>6] |= 1 << (r & 63)
			}
		}
	}
	for seat := range b.n {
		var armies []uint64
		for _, s := range b.kinds[seat%b.period].army {
			for range seat / b.period {
				s = b.turn(s)
			}
			armies = append(armies, s)
		}
		b.army = append(b.army, armies)
	}
	return b, nil
}

// set returns a list of cells as a set.
func (b *board) set(cells []int) (s uint64) {
	for _, c := range cells {
		s |= 1 << b.bit[c]
	}
	return s
}

// turn returns where the turn of the board by one period takes a set.
func (b *board) turn(s uint64) (r uint64) {
	for ; s != 0; s &= s - 1 {
		r |= 1 << b.turned[bits.TrailingZeros64(s)]
	}
	return r
}

// findPeriod finds the turn of the board that takes each seat to a later one, as
// near as possible.
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
			b.period, b.turned = period, make([]uint8, 64)
			for c, image := range turned {
				b.turned[b.bit[c]] = b.bit[image]
			}
			return
		}
	}
	b.period, b.turned = b.n, make([]uint8, 64)
}

// sixthTurns returns where a turn of the board about its middle by so many sixths
// of a whole turn takes each cell, nil if not to cells.
func sixthTurns(at []halma.Point, sixths int) []uint8 {
	x, y := 0, 0 // of the middle, times the number of cells
	for _, p := range at {
		x, y = x+p.X, y+p.Y
	}
	turned := make([]uint8, len(at))
	for c, p := range at {
		// From the middle, times the number of cells.
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

// newKind numbers the armies of a seat.
func (b *board) newKind(m moves) (kind, error) {
	k := kind{moves: m}
	n := bits.OnesCount64(m.open)
	var err error
	if k.subsets, err = rank.NewSubsets(n, b.k); err != nil {
		return k, err
	}
	fewer, err := rank.NewSubsets(n, b.k-1)
	if err != nil {
		return k, err
	}
	size := int(k.subsets.Size())
	k.words = (size + 63) / 64
	k.tight = make([]uint64, k.words)
	k.partial = make([]uint64, fewer.Size())
	for i, p := 0, uint64(1)<<(b.k-1)-1; i < len(k.partial); i++ {
		k.partial[i] = bitboard.Deposit64(p, m.open)
		if p != 0 {
			p = rank.Next64(p)
		}
	}
	k.column = make([]uint32, len(k.partial)*b.span)
	for i := range k.column {
		k.column[i] = none
	}
	for bit := range k.with {
		k.with[bit] = make([]uint64, k.words)
	}
	for r, p := 0, uint64(1)<<b.k-1; r < size; r, p = r+1, rank.Next64(p) {
		s := bitboard.Deposit64(p, m.open)
		k.army, k.near = append(k.army, s), append(k.near, m.steps(s))
		if bits.OnesCount64(k.near[r]) <= (b.n-1)*b.k {
			k.tight[r>>6] |= 1 << (r & 63)
		}
		for x := s; x != 0; x &= x - 1 {
			bit := uint32(bits.TrailingZeros64(x))
			without := uint32(fewer.Rank64(bitboard.Extract64(s&^(1<<bit), m.open)))
			k.lifts = append(k.lifts, without<<6|bit)
			k.column[int(without)*b.span+int(bit)] = uint32(r)
			k.with[bit][r>>6] |= 1 << (r & 63)
		}
	}
	return k, nil
}

const none = ^uint32(0)

// back returns a set with the board turned such that a seat is where the first of
// its kind was.
func (b *board) back(seat int, s uint64) uint64 {
	for range (b.n/b.period - seat/b.period) % (b.n / b.period) {
		s = b.turn(s)
	}
	return s
}

// rankOf returns the rank of a seat's army, as it stands on the board.
func (b *board) rankOf(seat int, s uint64) (int, error) {
	s = b.back(seat, s)
	k := &b.kinds[seat%b.period]
	if bits.OnesCount64(s) != b.k || s&^k.moves.open != 0 {
		return 0, fmt.Errorf("armies: %s: seat %d: not %d pieces on its open cells", b.spec.ID, seat, b.k)
	}
	return int(k.subsets.Rank64(bitboard.Extract64(s, k.moves.open))), nil
}
