package xu2025

import "fmt"

// Directions in the program's order.
const (
	left = iota
	right
	upLeft
	upRight
	downLeft
	downRight
	directions
)

// step is the change of row and doubled column in each direction.
var step = [directions][2]int{
	left: {0, -2}, right: {0, 2},
	upLeft: {-1, -1}, upRight: {-1, 1},
	downLeft: {1, -1}, downRight: {1, 1},
}

// off is the neighbour of a hole beyond the rim.
const off = -1

// star is a board: the six-pointed star whose triangles have side t. Its holes
// are numbered row by row from the top, left to right. Rows and columns are
// those of the thesis's picture: 4t+1 rows, 6t+1 columns, horizontal neighbours
// two columns apart. This is t = 1, with its tips:
//
//	   0          2
//	1 2 3 4     3 · · 4
//	 5 6 7       · · ·
//	8 9 a b     6 · · 5
//	   c          1
type star struct {
	t        int
	row, col []int
	next     [][directions]int // neighbour of a hole, or off
	tip      []int             // seat whose tip a hole belongs to, 0 in the middle
	home     [7][]int          // holes of a seat's tip, in order
	apex     [7]int            // outermost hole of a seat's tip
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
	if t < 1 || t > 4 {
		panic(fmt.Sprintf("xu2025: no star of side %d", t))
	}
	b := &star{t: t}
	number := map[[2]int]int{}
	for r := 0; r <= 4*t; r++ {
		for c := 0; c <= 6*t; c++ {
			if (r+c-3*t)%2 != 0 {
				continue
			}
			d := max(c-3*t, 3*t-c)
			up, down := r <= 3*t && d <= r, r >= t && d <= 4*t-r
			if !up && !down {
				continue
			}
			h := len(b.row)
			number[[2]int{r, c}] = h
			b.row, b.col = append(b.row, r), append(b.col, c)
			tip := 0
			switch {
			case up && down:
			case up && r < t:
				tip = 2
			case up && c < 3*t:
				tip = 6
			case up:
				tip = 5
			case r > 3*t:
				tip = 1
			case c < 3*t:
				tip = 3
			default:
				tip = 4
			}
			b.tip = append(b.tip, tip)
			b.home[tip] = append(b.home[tip], h)
		}
	}
	b.next = make([][directions]int, len(b.row))
	for h := range b.next {
		for d, s := range step {
			n, ok := number[[2]int{b.row[h] + s[0], b.col[h] + s[1]}]
			if !ok {
				n = off
			}
			b.next[h][d] = n
		}
	}
	for seat, at := range [7][2]int{1: {4 * t, 3 * t}, 2: {0, 3 * t}, 3: {t, 0}, 4: {t, 6 * t}, 5: {3 * t, 6 * t}, 6: {3 * t, 0}} {
		if seat > 0 {
			b.apex[seat] = number[at]
		}
	}
	b.home[0] = nil
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

// holeName names a hole by its row and column in the thesis's picture.
func (b *star) holeName(h int) string { return fmt.Sprintf("%d.%d", b.row[h], b.col[h]) }
