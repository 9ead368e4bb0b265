package thesis2025

import (
	"perfectplay/game/halma"
)

// directions is the number of directions. The program's order, left, right,
// up-left, up-right, down-left, down-right, is that of [halma.Dir].
const directions = halma.Dirs

// off is the neighbour of a hole beyond the rim.
const off = -1

// star holds a board as plain lists. Holes are numbered row by row from the
// top, left to right, as in [halma.Board] and in the program.
type star struct {
	board    *halma.Board
	row, col []int             // place in the thesis's picture, columns doubled
	next     [][directions]int // neighbour of a hole, or off
	tip      []int             // seat whose tip a hole belongs to, 0 in the middle
	home     [7][]int          // holes of a seat's tip, in order
}

// opposite is the seat across the board; its tip is the goal.
var opposite = [7]int{0, 2, 1, 5, 6, 3, 4}

// turnOrder lists the seats in play, in the order of their turns.
var turnOrder = map[int][]int{
	2: {1, 2},
	3: {1, 3, 4},
	4: {1, 3, 2, 5},
	6: {1, 6, 3, 2, 4, 5},
}

// winOrder is the order in which seats are tested for having won.
var winOrder = [...]int{1, 2, 3, 6, 4, 5}

// side returns the side t of the triangles that hold the given number of
// pieces, or 0 if there is no such star.
func side(pieces int) int {
	for t := 1; t <= 4; t++ {
		if t*(t+1)/2 == pieces {
			return t
		}
	}
	return 0
}

// newStar lays out the star of side t, 1 ≤ t ≤ 4.
func newStar(t int) *star {
	board, err := halma.Star(t)
	if err != nil {
		panic("thesis2025: " + err.Error())
	}
	b := &star{board: board, next: make([][directions]int, board.Cells())}
	for h := range board.Cells() {
		row, col := board.Place(h)
		b.row, b.col = append(b.row, row), append(b.col, col)
		tip := board.Tip(h)
		b.tip = append(b.tip, tip)
		if tip != 0 {
			b.home[tip] = append(b.home[tip], h)
		}
		for d := range directions {
			b.next[h][d] = off
			if n := board.Next(h, halma.Dir(d)); n >= 0 {
				b.next[h][d] = n
			}
		}
	}
	return b
}

// distance is the Euclidean distance of two holes in rows and doubled columns,
// rounded down.
func (b *star) distance(h, g int) int {
	dr, dc := b.row[h]-b.row[g], b.col[h]-b.col[g]
	d := 0
	for (d+1)*(d+1) <= dr*dr+dc*dc {
		d++
	}
	return d
}

// goalApex is the outermost hole of a seat's goal.
func (b *star) goalApex(seat int) int { return b.board.Apex(opposite[seat]) }

// moveName names a move as elsewhere in the module, for instance a1-c3.
func (b *star) moveName(from, to int) string {
	return b.board.CellName(from) + "-" + b.board.CellName(to)
}
