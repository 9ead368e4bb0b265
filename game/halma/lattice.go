package halma

import "fmt"

// Dir is one of the six directions of the board.
type Dir int

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

// Point is the place of a cell in slanted coordinates: X counts steps down to the right, Y steps
// down to the left. X+Y is the row from the top, X−Y the doubled column from the left, both up
// to a constant.
//
//	        (0,0)
//	    (0,1)   (1,0)
//	(0,2)   (1,1)   (2,0)
type Point struct{ X, Y int }

// stepTo is the change of place by one step in each direction.
var stepTo = [Dirs]Point{
	Left: {-1, 1}, Right: {1, -1}, UpLeft: {-1, 0}, UpRight: {0, -1}, DownLeft: {0, 1}, DownRight: {1, 0},
}

// Lattice is a board as a set of places, with the neighbours and symmetries that follow from
// them.
type Lattice struct {
	At []Point
	// Next holds for each cell its neighbour in each direction, or −1.
	Next [][Dirs]int16
	// Turn is half a turn of the board and Mirror the left-right mirror, each a permutation of
	// the cells that is its own inverse, or nil if it does not map the board to itself.
	Turn, Mirror []uint8
}

// NewLattice returns the board of the cells at the given places, which it keeps. It is an error
// if there are no cells, more than 128, or two at one place.
func NewLattice(at []Point) (Lattice, error) {
	if len(at) < 1 || len(at) > 128 {
		return Lattice{}, fmt.Errorf("halma: a board of %d cells: want 1 to 128", len(at))
	}
	l := Lattice{At: at}
	cell := make(map[Point]int, len(at))
	for i, p := range at {
		if j, ok := cell[p]; ok {
			return Lattice{}, fmt.Errorf("halma: cells %d and %d are both at %d,%d", j, i, p.X, p.Y)
		}
		cell[p] = i
	}
	for _, p := range at {
		var next [Dirs]int16
		for d, step := range stepTo {
			next[d] = -1
			if n, ok := cell[Point{p.X + step.X, p.Y + step.Y}]; ok {
				next[d] = int16(n)
			}
		}
		l.Next = append(l.Next, next)
	}
	// Both symmetries keep the middle of the board, the mirror also each row.
	rows := func(p Point) int { return p.X + p.Y }
	columns := func(p Point) int { return p.X - p.Y }
	row, column := sumOfEnds(at, rows), sumOfEnds(at, columns)
	image := func(of func(Point) (row, column int)) []uint8 {
		perm := make([]uint8, len(at))
		for i, p := range at {
			r, c := of(p)
			to, ok := cell[Point{(r + c) >> 1, (r - c) >> 1}]
			if !ok || (r+c)&1 != 0 {
				return nil
			}
			perm[i] = uint8(to)
		}
		return perm
	}
	l.Turn = image(func(p Point) (int, int) { return row - rows(p), column - columns(p) })
	l.Mirror = image(func(p Point) (int, int) { return rows(p), column - columns(p) })
	return l, nil
}

func sumOfEnds(at []Point, of func(Point) int) int {
	lo, hi := of(at[0]), of(at[0])
	for _, p := range at {
		lo, hi = min(lo, of(p)), max(hi, of(p))
	}
	return lo + hi
}

// Embedding places the cells of a board at different bits 0…Span−1, so that a step in direction
// d adds Shift[d] to the bit.
type Embedding struct {
	Bit   []uint8
	Span  int
	Shift [Dirs]int
}

func (e *Embedding) words() int { return (e.Span + 63) / 64 }

// embed returns the embedding in which steps down to the right and to the left have the given
// shifts, or false if it needs more than maxSpan bits or puts two cells at one bit.
func (l *Lattice) embed(downRight, downLeft, maxSpan int) (e Embedding, ok bool) {
	lo, hi := 1<<20, -1<<20
	for _, p := range l.At {
		bit := downRight*p.X + downLeft*p.Y
		lo, hi = min(lo, bit), max(hi, bit)
	}
	if e.Span = hi - lo + 1; e.Span > maxSpan {
		return e, false
	}
	e.Bit = make([]uint8, len(l.At))
	var taken [256]bool
	for i, p := range l.At {
		bit := uint8(downRight*p.X + downLeft*p.Y - lo)
		if taken[bit] {
			return e, false
		}
		e.Bit[i], taken[bit] = bit, true
	}
	for d, step := range stepTo {
		e.Shift[d] = downRight*step.X + downLeft*step.Y
	}
	return e, true
}

// embedInOrder returns an embedding with ascending bits to the right and downwards: of fewest
// words, at most three; then with the fewest inversions, pairs of cells whose bits are not in
// the order of their numbers, since moves are listed in that order; then the shortest. A shift
// may lead from an edge to some other cell.
func (l *Lattice) embedInOrder() (best Embedding, inversions int) {
	maxSpan := 192
	for downRight := 2; downRight < 32; downRight++ {
		for right := 1; right < downRight; right++ {
			e, ok := l.embed(downRight, downRight-right, maxSpan)
			if !ok {
				continue
			}
			n := 0
			for i := range e.Bit {
				for _, before := range e.Bit[:i] {
					if before > e.Bit[i] {
						n++
					}
				}
			}
			if best.Bit == nil || e.words() < best.words() || n < inversions || n == inversions && e.Span < best.Span {
				best, inversions = e, n
				maxSpan = 64 * e.words()
			}
		}
	}
	return best, inversions
}

// EmbedWord returns the shortest embedding in one word in which a shift by one step leads from a
// cell to its neighbour or to a bit without a cell. So sets are shifted without masks. ok is false
// if there is no such embedding.
func (l *Lattice) EmbedWord() (best Embedding, ok bool) {
	const far = 24 // longest shift tried
	for left := -far; left <= far; left++ {
		for upLeft := 1; upLeft <= far; upLeft++ {
			upRight := upLeft - left
			if left == 0 || upRight == 0 {
				continue
			}
			if e, fits := l.embed(-upLeft, -upRight, 64); fits && (!ok || e.Span < best.Span) && l.exact(&e) {
				best, ok = e, true
			}
		}
	}
	return best, ok
}

// EmbedWords returns the shortest embedding in at most three words in which no step is longer than
// 31 bits. ok is false if there is no such embedding. A shift may lead from an edge to some other
// cell.
func (l *Lattice) EmbedWords(words int) (best Embedding, ok bool) {
	const far = 31
	for left := 1; left <= far; left++ {
		for upLeft := -far; upLeft <= far; upLeft++ {
			upRight := upLeft + left
			if upLeft == 0 || upRight == 0 || max(upRight, -upRight) > far {
				continue
			}
			if e, fits := l.embed(-upLeft, -upRight, 64*words); fits && (!ok || e.Span < best.Span) {
				best, ok = e, true
			}
		}
	}
	return best, ok
}

// exact reports whether the shifts of an embedding in one word lead from each cell to no other
// cell than its neighbour.
func (l *Lattice) exact(e *Embedding) bool {
	var cellAt [64]int16
	for i := range cellAt {
		cellAt[i] = -1
	}
	for i, bit := range e.Bit {
		cellAt[bit] = int16(i)
	}
	for i, bit := range e.Bit {
		for d, shift := range e.Shift {
			to := int16(-1)
			if k := int(bit) + shift; k >= 0 && k < len(cellAt) {
				to = cellAt[k]
			}
			if to != l.Next[i][d] {
				return false
			}
		}
	}
	return true
}
