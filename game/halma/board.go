package halma

import (
	"fmt"
	"slices"
	"strconv"

	"perfectplay/bitboard"
)

// Tip numbers, after which seats are named.
const (
	noTip   = 0
	maxTips = 6
)

// oppositeTip[t] is the tip to which a piece crosses from tip t.
var oppositeTip = [maxTips + 1]int{0, 2, 1, 5, 6, 3, 4}

// Board is a board: its cells (holes), their neighbours, camps and symmetries. Cells are
// numbered row by row from the top, each row from left to right, from 0. A Board is immutable
// and safe for concurrent use.
type Board struct {
	name    string // the board's part of ids, for instance star37, star37p1 or 5x5p6
	side    int    // t of a star, n of a diamond
	star    bool
	rows    int
	pieces  int
	lattice Lattice // X+Y is the row from the top
	middle  int     // doubled column of the board's middle, where X = Y
	rowFrom []int   // first cell of each row, and the number of cells
	tipOf   []int8  // tip number of each cell, noTip for the centre
	apex    [maxTips + 1]int
	camp    [maxTips + 1]bitboard.Set128
	perm    [4][]uint8 // indexed by symTurn|symMirror bits
	mirror  bool       // the left-right mirror maps every camp of tips 1 and 2 to itself
	fit     Embedding
	inOrder bool // fit places the cells at bits in the order of their numbers
}

// The symmetries of a board as bits: half a turn, which exchanges opposite tips, and the
// left-right mirror. They commute and each is its own inverse.
const (
	symTurn   = 1
	symMirror = 2
)

// Star returns the six-pointed board whose tips are triangles of side t,
// 1 ≤ t ≤ 4: 13, 37, 73 or 121 cells, with 1, 3, 6 or 10 pieces a seat.
func Star(t int) (*Board, error) { return StarOf(t, strconv.Itoa(t*(t+1)/2)) }

// StarOf returns the star whose tips have side t, with camps that are named as in [Diamond]. It is
// an error if a tip has too few rows for the camp. The other tips have the camp of the top tip,
// rotated.
func StarOf(t int, name string) (*Board, error) {
	if t < 1 || t > 4 {
		return nil, fmt.Errorf("halma: star of side %d: the side must be 1, 2, 3 or 4 (13, 37, 73 or 121 holes)", t)
	}
	camp, err := campNamed(name)
	if err != nil {
		return nil, fmt.Errorf("halma: star of side %d with %s pieces: %w", t, name, err)
	}
	if camp.rows() > t {
		return nil, fmt.Errorf("halma: star of side %d with %s pieces: they need tips of %d rows", t, name, camp.rows())
	}
	pieces := len(camp.cells)
	b := &Board{side: t, star: true, rows: 4*t + 1, middle: 3 * t, pieces: pieces}
	for r := range b.rows {
		for c := 0; c <= 6*t; c++ {
			off := max(c-b.middle, b.middle-c)
			if (off-r)%2 != 0 {
				continue
			}
			up := r <= 3*t && off <= r
			down := r >= t && off <= b.rows-1-r
			if !up && !down {
				continue
			}
			tip := noTip
			switch {
			case r > 3*t:
				tip = 1
			case r < t:
				tip = 2
			case !up && c < 3*t:
				tip = 3
			case !up:
				tip = 4
			case !down && c > 3*t:
				tip = 5
			case !down:
				tip = 6
			}
			b.add(r, c, tip)
		}
	}
	b.name = fmt.Sprintf("star%d", b.Cells())
	if pieces != t*(t+1)/2 {
		b.name += "p" + name
	}
	upper, lower := b.rowFrom[t], b.rowFrom[3*t]
	b.apex = [maxTips + 1]int{1: b.Cells() - 1, 2: 0, 3: upper, 4: upper + 3*t, 5: lower + 3*t, 6: lower}
	for tip := 1; tip <= maxTips; tip++ {
		b.camp[tip] = bitboard.Set128{}
		for _, p := range camp.at(b.lattice.At[b.apex[tip]], tip) {
			b.camp[tip] = b.camp[tip].With(slices.Index(b.lattice.At, p))
		}
	}
	return b, b.finish()
}

// Diamond returns the rhombus of n×n cells, 2 ≤ n ≤ 11, standing on a tip, with a camp for each
// of the two seats, named by its pieces: 1 to 8, or 10. The camp at the top is the first cells
// of the numbering, except for 4 pieces (cells 0, 1, 2, 4: a small rhombus), 5 (0, 1, 2, 3, 5),
// 7 (0, 1, 2, 3, 5, 7, 8) and 8 (0 to 5, 7, 8). A further camp, 5b, has cells 1 to 5. The camp
// at the bottom is the same after half a turn. It is an error if the camps overlap.
func Diamond(n int, name string) (*Board, error) {
	top, err := diamondCamp(n, name)
	if err != nil {
		return nil, err
	}
	last := n*n - 1
	b := &Board{name: fmt.Sprintf("%dx%dp%s", n, n, name), side: n, rows: 2*n - 1, middle: n - 1, pieces: len(top)}
	for r := range b.rows {
		width := min(r, b.rows-1-r)
		for c := n - 1 - width; c <= n-1+width; c += 2 {
			tip := noTip
			switch i := b.Cells(); {
			case slices.Contains(top, i):
				tip = 2
			case slices.Contains(top, last-i):
				tip = 1
			}
			b.add(r, c, tip)
		}
	}
	b.apex[1], b.apex[2] = last, 0
	for tip := 1; tip <= 2; tip++ {
		for c, t := range b.tipOf {
			if int(t) == tip {
				b.camp[tip] = b.camp[tip].With(c)
			}
		}
	}
	return b, b.finish()
}

// diamondCamp returns the cells of the camp at the top of a diamond.
func diamondCamp(n int, name string) ([]int, error) {
	if n < 2 || n > 11 {
		return nil, fmt.Errorf("halma: diamond %dx%d: the side must be 2 to 11", n, n)
	}
	camp, err := campNamed(name)
	if err != nil {
		return nil, fmt.Errorf("halma: diamond with %s pieces: %w", name, err)
	}
	last := n*n - 1
	for _, c := range camp.cells {
		if row, _ := rowOf(c); row >= n || c > last || slices.Contains(camp.cells, last-c) {
			return nil, fmt.Errorf("halma: diamond %dx%d with %s pieces: the camps overlap", n, n, name)
		}
	}
	return camp.cells, nil
}

func (b *Board) add(row, col, tip int) {
	for len(b.rowFrom) <= row {
		b.rowFrom = append(b.rowFrom, b.Cells())
	}
	aside := col - b.middle
	b.lattice.At = append(b.lattice.At, Point{(row + aside) / 2, (row - aside) / 2})
	b.tipOf = append(b.tipOf, int8(tip))
}

// finish derives neighbours, symmetries and the embedding from the places.
func (b *Board) finish() (err error) {
	b.rowFrom = append(b.rowFrom, b.Cells())
	if b.lattice, err = NewLattice(b.lattice.At); err != nil {
		return err
	}
	turn, mirror := b.lattice.Turn, b.lattice.Mirror
	b.mirror = true
	for sym := range b.perm {
		b.perm[sym] = make([]uint8, b.Cells())
	}
	for tip := 1; tip <= 2; tip++ {
		for c := range b.camp[tip].Cells() {
			b.mirror = b.mirror && b.camp[tip].Has(int(mirror[c]))
		}
	}
	for i := range b.tipOf {
		b.perm[0][i], b.perm[symTurn][i], b.perm[symMirror][i] = uint8(i), turn[i], mirror[i]
		b.perm[symTurn|symMirror][i] = mirror[turn[i]]
	}
	var inversions int
	b.fit, inversions = b.lattice.embedInOrder()
	b.inOrder = inversions == 0
	return nil
}

// Name is the board's part of a game id, for instance star37, star37p1 (with fewer pieces) or
// 5x5p6.
func (b *Board) Name() string { return b.name }

// IsStar reports whether the board is a star, not a diamond.
func (b *Board) IsStar() bool { return b.star }

// Side is the side of a star's tips (1…4) or of a diamond (2…11).
func (b *Board) Side() int { return b.side }

// Cells is the number of holes, 4…121.
func (b *Board) Cells() int { return len(b.tipOf) }

// Rows is the number of rows of holes.
func (b *Board) Rows() int { return b.rows }

// Pieces is the number of pieces of a seat, and of the cells of a camp.
func (b *Board) Pieces() int { return b.pieces }

// Place returns a cell's row from the top and its doubled column from the left:
// neighbours in a row are two columns apart, the others one row and one column.
func (b *Board) Place(cell int) (row, col int) {
	p := b.lattice.At[cell]
	return p.X + p.Y, p.X - p.Y + b.middle
}

// Lattice returns the board as places, neighbours and symmetries. It must not be changed.
func (b *Board) Lattice() *Lattice { return &b.lattice }

// Next returns the neighbour of a cell in direction d, or −1 at the edge.
func (b *Board) Next(cell int, d Dir) int { return int(b.lattice.Next[cell][d]) }

// Tip returns the number of the tip that holds the cell, 0 for the centre; a diamond's tips are
// its camps.
func (b *Board) Tip(cell int) int { return int(b.tipOf[cell]) }

// Camp returns the cells of the camp in tip 1…6, empty if the board has no such camp.
func (b *Board) Camp(tip int) bitboard.Set128 { return b.camp[tip] }

// Apex returns the outermost cell of a tip that the board has.
func (b *Board) Apex(tip int) int { return b.apex[tip] }

// SeatTips returns the tips of the seats in turn order for a number of players. The error lists
// the numbers that the board allows.
func (b *Board) SeatTips(seats int) ([]int, error) {
	tips, ok := map[int][]int{1: {1}, 2: {1, 2}, 3: {1, 3, 4}, 4: {1, 3, 2, 5}, 6: {1, 6, 3, 2, 4, 5}}[seats]
	switch {
	case b.star && !ok:
		return nil, fmt.Errorf("halma: %d players on %s: a star seats 1, 2, 3, 4 or 6", seats, b.name)
	case !b.star && seats != 1 && seats != 2:
		return nil, fmt.Errorf("halma: %d players on %s: a diamond seats 1 or 2", seats, b.name)
	}
	return tips, nil
}

// hopClass returns which of the four classes of cells a cell belongs to. A hop moves two places
// along one axis, so it stays in the class; a step leaves it.
func (b *Board) hopClass(cell int) int {
	p := b.lattice.At[cell]
	return p.X&1<<1 | p.Y&1
}
