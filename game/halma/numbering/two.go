package numbering

import (
	"errors"
	"fmt"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/rank"
	"perfectplay/solve/table"
)

const byTwo = "mirror-colex"

// twoBoard is the numbering's part of a description. Places are the cells where pieces may
// stand, Mirror the mirror image of each cell, if the game has a mirror.
type twoBoard struct {
	Pieces int   `json:"pieces"`
	Cells  int   `json:"cells"`
	Places []int `json:"places"`
	Mirror []int `json:"mirror,omitempty"`
}

// maxArmies bounds the placements of one army; each takes armyBytes of memory.
const (
	maxArmies = 1 << 26
	armyBytes = 4 + 1 + 4
)

// Two numbers the positions of a two-army game 0…Size−1, from the side of the player to move.
// Armies are sets of cells: bit c is cell c.
//
// Places are the cells where pieces may stand, in ascending order. An army has a rank in
// colexicographic order of its places. Of a mover's army and its mirror image, the one of lower
// rank represents both; with the other one the whole position is mirrored. Without a mirror
// every army represents itself. Representatives are counted in order of rank. The number of a
// position is
//
//	count of the mover's army · C(n−k, k) + rank of the other army
//
// with the other army ranked among the n−k places that the mover's leaves.
type Two struct {
	table.Even
	game    *halma.Game // nil when writing a table
	places  bitboard.Set128
	mirror  *bitboard.Perm128 // a permutation of cells; nil without a mirror
	armies  *rank.Subsets
	others  *rank.Subsets
	count   []uint32 // by rank of an army: the count of its representative
	flipped []bool   // by rank: the army is not its own representative
	reps    []uint32 // ranks of representatives
	rowSize uint64
}

// newTwo returns the numbering for armies of k pieces on the given places, ascending cells below
// 128. mirror maps cells to cells, or is nil.
func newTwo(places []int, k int, mirror []uint8) (*Two, error) {
	n := &Two{}
	for i, c := range places {
		if c < 0 || c > 127 || i > 0 && c <= places[i-1] {
			return nil, fmt.Errorf("numbering: places %v: want ascending cells below 128", places)
		}
		n.places = n.places.With(c)
	}
	if k < 1 || 2*k > len(places) {
		return nil, fmt.Errorf("numbering: armies of %d on %d places", k, len(places))
	}
	var err error
	if mirror != nil {
		// Cells without places may be missing or mirrored to any cell.
		perm := make(bitboard.Perm, 128)
		for c := range perm {
			perm[c] = uint8(c)
		}
		for _, c := range places {
			if c >= len(mirror) || int(mirror[c]) >= len(mirror) || !n.places.Has(int(mirror[c])) || int(mirror[mirror[c]]) != c {
				return nil, fmt.Errorf("numbering: the mirror does not map place %d to another and back", c)
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
		return nil, fmt.Errorf("numbering: %d armies: at most %d are possible", n.armies.Size(), maxArmies)
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
	n.Numbers = uint64(len(n.reps)) * n.rowSize
	return n, nil
}

func (n *Two) army(s bitboard.Set128) uint64 {
	return rankOf(n.armies, bitboard.Extract128(s, n.places))
}

func rankOf(sets *rank.Subsets, x bitboard.Set128) uint64 {
	if x.Hi == 0 && sets.N() <= 64 {
		return sets.Rank64(x.Lo)
	}
	return sets.Rank(x)
}

// Place implements [table.Numbering].
func (n *Two) Place(s game.State) (table.Place, error) {
	i, err := n.Index(halma.Sides(n.game, s))
	return n.At(i), err
}

// Index returns the number of a position. The error says why the position has no number.
func (n *Two) Index(mover, other bitboard.Set128) (uint64, error) {
	k := n.armies.K()
	if mover.Count() != k || other.Count() != k {
		return 0, fmt.Errorf("numbering: armies of %d and %d pieces, want %d each", mover.Count(), other.Count(), k)
	}
	if !mover.And(other).IsEmpty() || !mover.Or(other).AndNot(n.places).IsEmpty() {
		return 0, fmt.Errorf("numbering: armies overlap or stand where no piece may")
	}
	r := n.army(mover)
	if n.flipped[r] {
		mover, other = n.mirror.Apply(mover), n.mirror.Apply(other)
	}
	return uint64(n.count[r])*n.rowSize + rankOf(n.others, bitboard.Extract128(other, n.places.AndNot(mover))), nil
}

// mover returns the mover's army of a row.
func (n *Two) mover(row uint64) bitboard.Set128 {
	return bitboard.Deposit128(n.armies.Unrank(uint64(n.reps[row])), n.places)
}

// Runs calls do for the positions from…from+count−1 in order: each call gets n consecutive
// positions with the same mover's army. other is the first other army, as numbers of free cells;
// the other army of each next position has the next rank.
func (n *Two) Runs(from, count uint64, do func(mover, free, other bitboard.Set128, n int)) {
	for end := from + count; from < end; {
		row, col := from/n.rowSize, from%n.rowSize
		mover, run := n.mover(row), min(end-from, n.rowSize-col)
		do(mover, n.places.AndNot(mover), n.others.Unrank(col), int(run))
		from += run
	}
}

func (n *Two) walk(from uint64, count int, do func(i int, mover, other bitboard.Set128)) {
	i := 0
	n.Runs(from, uint64(count), func(mover, free, x bitboard.Set128, run int) {
		for range run {
			do(i, mover, bitboard.Deposit128(x, free))
			x = rank.Next128(x)
			i++
		}
	})
}

// Walker implements [table.Lister].
func (n *Two) Walker() table.Walker { return &twoWalker{n, n.game.Start()} }

type twoWalker struct {
	*Two
	state game.State
}

const unit = 1 << 10

// Units implements [table.Walker].
func (w *twoWalker) Units() uint64 { return (w.Numbers + unit - 1) / unit }

// Bundle implements [table.Walker].
func (w *twoWalker) Bundle() int { return 1 }

// Unit implements [table.Walker]. It lists illegal positions, too: only their value
// distinguishes them.
func (w *twoWalker) Unit(i uint64, do func(s game.State, p table.Place, weight uint64) error) (err error) {
	from := i * unit
	w.walk(from, int(min(unit, w.Numbers-from)), func(i int, mover, other bitboard.Set128) {
		if err != nil {
			return
		}
		halma.Place(w.game, w.state, mover, other)
		weight := uint64(1)
		if w.mirror != nil && w.mirror.Apply(mover) != mover {
			weight = 2
		}
		err = do(w.state, w.At(from+uint64(i)), weight)
	})
	return err
}

// TwoInfo describes the table of a game for two, without counts.
func TwoInfo(t *halma.TwoArmy, distances bool, program string) (table.Info, *Two, error) {
	i, b := twoInfo(t, distances)
	i.Program = program
	n, err := newTwo(b.Places, b.Pieces, t.Mirror)
	if err != nil {
		return i, nil, err
	}
	i.Numbers, i.Positions = n.Numbers, n.Numbers
	n.Per = 1 << 19 / i.Bits // positions in a block of 64 KiB
	return i, n, nil
}

// Of sets the game whose states Place numbers, and returns n.
func (n *Two) Of(g *halma.Game) *Two {
	n.game = g
	return n
}

func twoInfo(t *halma.TwoArmy, distances bool) (table.Info, twoBoard) {
	b := twoBoard{Pieces: t.Pieces, Cells: t.Cells}
	for c := range t.Cells {
		if !slices.Contains(t.Closed, c) {
			b.Places = append(b.Places, c)
		}
	}
	for _, c := range t.Mirror {
		b.Mirror = append(b.Mirror, int(c))
	}
	i := table.Info{Game: t.ID, Rules: t.Rules, Choices: t.Choices, Fingerprint: t.Fingerprint(), Seats: 2, Numbering: byTwo, Board: encode(b), Bits: 2, Sets: table.Sets(1), FromMover: true, Images: len(t.Mirror) > 0}
	if distances {
		i.Bits = 8
	}
	return i, b
}

// TwoMemory is the memory in bytes for numbering the positions of a game.
func TwoMemory(t *halma.TwoArmy) uint64 {
	_, b := twoInfo(t, false)
	armies, err := rank.Binomial(len(b.Places), b.Pieces)
	if err != nil || armies > maxArmies {
		armies = maxArmies // larger games are refused before memory is allocated
	}
	return armies*armyBytes + 1<<16
}

// twoPlan compares a description with the game's own.
func twoPlan(g *halma.Game, i table.Info) (table.Plan, error) {
	t, err := g.TwoArmy()
	if err != nil {
		return table.Plan{}, err
	}
	want, b := twoInfo(t, i.Distances())
	var have twoBoard
	if err := parse(i, &have); err != nil {
		return table.Plan{}, err
	}
	all, err := rank.Placements(len(b.Places), b.Pieces, b.Pieces)
	switch {
	case err != nil:
		return table.Plan{}, err
	case i.Choices != want.Choices:
		return table.Plan{}, fmt.Errorf("the table is under rules %s that are %q, here they are %q", i.Rules, i.Choices, want.Choices)
	case string(encode(have)) != string(want.Board) || i.Bits != want.Bits || len(i.Sets) != 1 || !i.FromMover || i.Images != want.Images:
		return table.Plan{}, fmt.Errorf("the table says it is of %s, but describes another board", i.Game)
	case i.Wins+i.Losses+i.Draws+i.Illegal != all:
		return table.Plan{}, errors.New("the description contradicts itself: not all positions are counted")
	}
	return table.Plan{Bytes: TwoMemory(t), Make: func() (table.Numbering, error) {
		_, n, err := TwoInfo(t, i.Distances(), "")
		if err != nil {
			return nil, err
		}
		return n.Of(g), nil
	}}, nil
}
