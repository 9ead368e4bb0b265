package halma

import (
	"fmt"
	"slices"

	"perfectplay/bitboard"
)

// Dir is one of the six directions of the board, in the order left, right,
// up-left, up-right, down-left, down-right.
type Dir int

// The directions.
const (
	Left Dir = iota
	Right
	UpLeft
	UpRight
	DownLeft
	DownRight
)

// Dirs is the number of directions.
const Dirs = 6

// offset is the change of row and doubled column of one step.
var offset = [Dirs]struct{ row, col int }{{0, -2}, {0, 2}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}

// Tip numbers: the seats people sit at are named after their tip. A piece
// crosses from its tip to the opposite one.
const (
	noTip   = 0
	maxTips = 6
)

// oppositeTip is indexed by tip number.
var oppositeTip = [maxTips + 1]int{0, 2, 1, 5, 6, 3, 4}

// hole is a cell by its place: row from the top, doubled column from the left.
// Neighbours in a row differ by two columns, the others by one row and one
// column.
type hole struct{ row, col int8 }

// Board is the shape of a board: its holes, their neighbours, its camps and
// symmetries. Holes ("cells") are numbered row by row from the top, each row
// from left to right, from 0. A Board is immutable and safe for concurrent use.
type Board struct {
	name    string // as in ids, for instance star37 or 5x5p6
	side    int    // t of a star, n of a diamond
	star    bool
	rows    int
	pieces  int
	holes   []hole
	rowFrom []int         // first cell of each row, and the number of cells
	next    [][Dirs]int16 // neighbour in each direction, or −1
	tipOf   []int8        // tip number of each cell, noTip for the centre
	apex    [maxTips + 1]int
	camp    [maxTips + 1]bitboard.Set128
	perm    [4][]uint8 // indexed by symTurn|symMirror bits
	mirror  bool       // the left-right mirror maps every camp of tips 1 and 2 to itself
	fit     embedding
}

// The symmetries of a board as bits: half a turn, which exchanges opposite
// tips, and the left-right mirror. They commute and each is its own inverse.
const (
	symTurn   = 1
	symMirror = 2
)

// Star returns the six-pointed board whose tips are triangles of side t,
// 1 ≤ t ≤ 4: 13, 37, 73 or 121 cells, with 1, 3, 6 or 10 pieces a seat.
func Star(t int) (*Board, error) {
	if t < 1 || t > 4 {
		return nil, fmt.Errorf("halma: star of side %d: the side must be 1, 2, 3 or 4 (13, 37, 73 or 121 holes)", t)
	}
	b := &Board{side: t, star: true, rows: 4*t + 1, pieces: t * (t + 1) / 2}
	for r := range b.rows {
		for c := 0; c <= 6*t; c++ {
			off := max(c-3*t, 3*t-c)
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
	b.name = fmt.Sprintf("star%d", len(b.holes))
	b.finish()
	for tip, at := range [maxTips + 1]hole{
		1: {int8(4 * t), int8(3 * t)}, 2: {0, int8(3 * t)},
		3: {int8(t), 0}, 4: {int8(t), int8(6 * t)},
		5: {int8(3 * t), int8(6 * t)}, 6: {int8(3 * t), 0},
	} {
		b.apex[tip] = b.at(int(at.row), int(at.col)) // apex[0] is meaningless
	}
	return b, nil
}

// Diamond returns the rhombus of n×n cells, 2 ≤ n ≤ 11, standing on a tip, with
// 1, 2, 3, 4, 6 or 10 pieces for each of the two seats. The camp at the top is
// the first cells of the numbering, except that 4 pieces stand as a small
// rhombus (cells 0, 1, 2, 4); the camp at the bottom is the same after half a
// turn. Boards whose camps would overlap are refused.
func Diamond(n, pieces int) (*Board, error) {
	if n < 2 || n > 11 {
		return nil, fmt.Errorf("halma: diamond %dx%d: the side must be 2 to 11", n, n)
	}
	if !slices.Contains([]int{1, 2, 3, 4, 6, 10}, pieces) {
		return nil, fmt.Errorf("halma: diamond with %d pieces: the number of pieces must be 1, 2, 3, 4, 6 or 10", pieces)
	}
	top := slices.Clone([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}[:pieces])
	if pieces == 4 {
		top = []int{0, 1, 2, 4}
	}
	last := n*n - 1
	for _, c := range top {
		if c > last || slices.Contains(top, last-c) {
			return nil, fmt.Errorf("halma: diamond %dx%d with %d pieces: the camps overlap", n, n, pieces)
		}
	}
	b := &Board{name: fmt.Sprintf("%dx%dp%d", n, n, pieces), side: n, rows: 2*n - 1, pieces: pieces}
	for r := range b.rows {
		width := min(r, b.rows-1-r)
		for c := n - 1 - width; c <= n-1+width; c += 2 {
			tip := noTip
			switch i := len(b.holes); {
			case slices.Contains(top, i):
				tip = 2
			case slices.Contains(top, last-i):
				tip = 1
			}
			b.add(r, c, tip)
		}
	}
	b.finish()
	b.apex[1], b.apex[2] = last, 0
	return b, nil
}

func (b *Board) add(row, col, tip int) {
	if tip != noTip {
		b.camp[tip] = b.camp[tip].With(len(b.holes))
	}
	for len(b.rowFrom) <= row {
		b.rowFrom = append(b.rowFrom, len(b.holes))
	}
	b.holes = append(b.holes, hole{int8(row), int8(col)})
	b.tipOf = append(b.tipOf, int8(tip))
}

// finish derives neighbours, symmetries and the embedding from the holes.
func (b *Board) finish() {
	b.rowFrom = append(b.rowFrom, len(b.holes))
	b.next = make([][Dirs]int16, len(b.holes))
	for i, h := range b.holes {
		for d, o := range offset {
			b.next[i][d] = int16(b.at(int(h.row)+o.row, int(h.col)+o.col))
		}
	}
	width := 0
	for _, h := range b.holes {
		width = max(width, int(h.col))
	}
	for sym := range b.perm {
		b.perm[sym] = make([]uint8, len(b.holes))
		for i, h := range b.holes {
			r, c := int(h.row), int(h.col)
			if sym&symTurn != 0 {
				r, c = b.rows-1-r, width-c
			}
			if sym&symMirror != 0 {
				c = width - c
			}
			b.perm[sym][i] = uint8(b.at(r, c))
		}
	}
	b.mirror = true
	for i := range b.holes {
		if t := b.tipOf[i]; t == 1 || t == 2 {
			b.mirror = b.mirror && b.tipOf[b.perm[symMirror][i]] == t
		}
	}
	b.fit = embed(b.holes)
}

// at returns the cell at a row and doubled column, or −1.
func (b *Board) at(row, col int) int {
	if row < 0 || row+1 >= len(b.rowFrom) {
		return -1
	}
	for i := b.rowFrom[row]; i < b.rowFrom[row+1]; i++ {
		if int(b.holes[i].col) == col {
			return i
		}
	}
	return -1
}

// Name is the board's part of a game id: star13, star37, star73, star121, or
// for instance 5x5p6.
func (b *Board) Name() string { return b.name }

// IsStar reports whether the board is a six-pointed star (else a diamond).
func (b *Board) IsStar() bool { return b.star }

// Side is the side of a star's tips (1…4) or of a diamond (2…11).
func (b *Board) Side() int { return b.side }

// Cells is the number of holes, 4…121.
func (b *Board) Cells() int { return len(b.holes) }

// Rows is the number of rows of holes.
func (b *Board) Rows() int { return b.rows }

// Pieces is the number of pieces each seat has, which is also the size of a camp.
func (b *Board) Pieces() int { return b.pieces }

// Place returns a cell's row from the top and its doubled column from the left.
func (b *Board) Place(cell int) (row, col int) {
	return int(b.holes[cell].row), int(b.holes[cell].col)
}

// At returns the cell at a row and doubled column, or −1 where there is none.
func (b *Board) At(row, col int) int { return b.at(row, col) }

// Next returns the neighbour of a cell in direction d, or −1 at the edge.
func (b *Board) Next(cell int, d Dir) int { return int(b.next[cell][d]) }

// Tip returns the number of the tip that holds the cell, 0 for the centre. On a
// star: 1 bottom, 2 top, 3 upper left, 4 upper right, 5 lower right, 6 lower
// left. On a diamond the tips are the camps, 1 bottom and 2 top.
func (b *Board) Tip(cell int) int { return int(b.tipOf[cell]) }

// Camp returns the cells of tip 1…6; it is empty for a tip the board lacks.
func (b *Board) Camp(tip int) bitboard.Set128 { return b.camp[tip] }

// Apex returns the outermost cell of a tip the board has.
func (b *Board) Apex(tip int) int { return b.apex[tip] }

// OppositeTip returns the tip across the board: the goal of those who start in
// tip.
func OppositeTip(tip int) int { return oppositeTip[tip] }

// Turned returns where half a turn of the board takes a cell.
func (b *Board) Turned(cell int) int { return int(b.perm[symTurn][cell]) }

// Mirrored returns where the left-right mirror takes a cell.
func (b *Board) Mirrored(cell int) int { return int(b.perm[symMirror][cell]) }

// SeatTips returns the tips of the seats in turn order for a number of players,
// or an error that lists what the board allows.
func (b *Board) SeatTips(seats int) ([]int, error) {
	if b.star {
		switch seats {
		case 2:
			return []int{1, 2}, nil
		case 3:
			return []int{1, 3, 4}, nil
		case 4:
			return []int{1, 3, 2, 5}, nil
		case 6:
			return []int{1, 6, 3, 2, 4, 5}, nil
		}
		return nil, fmt.Errorf("halma: %d players on %s: a star seats 2, 3, 4 or 6", seats, b.name)
	}
	if seats != 2 {
		return nil, fmt.Errorf("halma: %d players on %s: a diamond seats 2", seats, b.name)
	}
	return []int{1, 2}, nil
}

// hopClass returns which of the four classes of cells a cell belongs to. A hop
// moves two rows or two places in a row, so it never leaves the class; a step
// always does.
func (b *Board) hopClass(cell int) int {
	h := b.holes[cell]
	x := (int(h.col) - int(h.row) + 64) >> 1 // place along the row, shifted by half a place a row
	return int(h.row)&1<<1 | x&1
}

// embedding places the cells of a board at bits a·row + b·x + origin of up to
// three words, x being the place along the row in slanted coordinates, so that
// each direction is one constant shift: b along a row, a down-right, a−b
// down-left. No two cells share a bit. Shifts may lead from an edge to some
// other cell: move generation masks the landing cells of each direction once a
// position.
type embedding struct {
	a, b  int
	words int
	bit   []uint8
	// inversions is the number of pairs of cells whose bits are not in the order
	// of their numbers.
	inversions int
}

// embed finds the embedding of fewest words; among those the one nearest to the
// order of cell numbers, since moves are listed in that order, then the shortest.
func embed(holes []hole) embedding {
	var best embedding
	bestSpan := 0
	at := make([]int, len(holes))
	for a := 2; a < 32; a++ {
		for b := 1; b < a; b++ {
			lo, hi := 1<<20, -1<<20
			for i, h := range holes {
				at[i] = a*int(h.row) + b*((int(h.col)-int(h.row)+64)>>1)
				lo, hi = min(lo, at[i]), max(hi, at[i])
			}
			span := hi - lo + 1
			words := (span + 63) / 64
			if words > 3 || best.words > 0 && words > best.words {
				continue
			}
			inversions, clash := 0, false
			for i := range at {
				for j := range i {
					clash = clash || at[j] == at[i]
					if at[j] > at[i] {
						inversions++
					}
				}
			}
			if clash || words == best.words &&
				(inversions > best.inversions || inversions == best.inversions && span >= bestSpan) {
				continue
			}
			bit := make([]uint8, len(holes))
			for i := range at {
				bit[i] = uint8(at[i] - lo)
			}
			best, bestSpan = embedding{a, b, words, bit, inversions}, span
		}
	}
	return best
}
