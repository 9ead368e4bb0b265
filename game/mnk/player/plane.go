package player

// PlaneK is the least k for which [Plane] stops every line.
const PlaneK = 9

// Plane is a pairing of all cells of the infinite board, periodic with period 8
// in both directions, such that each row, column and diagonal of the 8×8 torus
// holds one pair of neighbours. Any 9 cells side by side then contain a pair,
// so who answers each stone on one cell of a pair with a stone on the other
// never lets the opponent have 9 in a row; on a board with edges pairs that
// stick out are not needed (Hales and Jewett, "Regularity and positional
// games", 1963, for pairings; the pattern is found by search when made).
type Plane struct {
	dr, dc [8][8]int8
}

// NewPlane finds the pairing.
func NewPlane() *Plane {
	p := new(Plane)
	var used [8][8]bool
	// 32 lines of the torus: 8 of each direction, each wants two neighbours.
	steps := [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, 7}}
	starts := func(line int) (r, c int, step [2]int) {
		d, i := line/8, line%8
		switch d {
		case 0:
			return i, 0, steps[0]
		case 1:
			return 0, i, steps[1]
		}
		return 0, i, steps[d]
	}
	var done [32]bool
	var place func(left int) bool
	place = func(left int) bool {
		if left == 0 {
			return true
		}
		// The line with the fewest ways left.
		best, fewest := -1, 9
		for line := range 32 {
			if done[line] {
				continue
			}
			r, c, st := starts(line)
			ways := 0
			for i := range 8 {
				if !used[(r+i*st[0])&7][(c+i*st[1])&7] && !used[(r+(i+1)*st[0])&7][(c+(i+1)*st[1])&7] {
					ways++
				}
			}
			if ways < fewest {
				best, fewest = line, ways
			}
		}
		r, c, st := starts(best)
		done[best] = true
		for i := range 8 {
			r1, c1 := (r+i*st[0])&7, (c+i*st[1])&7
			r2, c2 := (r1+st[0])&7, (c1+st[1])&7
			if used[r1][c1] || used[r2][c2] {
				continue
			}
			used[r1][c1], used[r2][c2] = true, true
			dr, dc := int8(st[0]), int8(st[1])
			if dc == 7 {
				dc = -1
			}
			p.dr[r1][c1], p.dc[r1][c1] = dr, dc
			p.dr[r2][c2], p.dc[r2][c2] = -dr, -dc
			if place(left - 1) {
				return true
			}
			used[r1][c1], used[r2][c2] = false, false
		}
		done[best] = false
		return false
	}
	if !place(32) {
		panic("player: no pairing of the plane")
	}
	return p
}

// Partner returns the cell paired with row r and column c; it may lie off the
// board.
func (p *Plane) Partner(r, c int) (row, col int) {
	return r + int(p.dr[r&7][c&7]), c + int(p.dc[r&7][c&7])
}

// alarm is how many stones of the opponent in a window make it worth a move.
const alarm = 3

// guard holds a large board with long lines with few moves. A window that is open
// to the opponent and holds a pair of empty cells needs no care, because who
// takes one cell of the pair is answered on the other. Of the others, those with
// at least alarm stones must be stopped, the fullest first. To answer in every
// pair at once could not lose, but would leave no move to win with, not even
// against one who plays at random; to wait for the third stone of nine or more
// has not lost to anyone yet (TestGuard), and is not proved to hold.
type guard struct {
	f    *field
	mate []int32 // the other cell of the pair, −1 if it is off the board
	hits []int64
	no   []bool
}

func newGuard(f *field) *guard {
	q := &guard{f: f, mate: make([]int32, f.cells), hits: make([]int64, f.cells), no: make([]bool, f.cells)}
	rows, cols := f.g.Rows(), f.g.Cols()
	p := NewPlane()
	for c := range q.mate {
		q.mate[c] = -1
		if r, k := p.Partner(c/cols, c%cols); r >= 0 && r < rows && k >= 0 && k < cols {
			q.mate[c] = int32(r*cols + k)
		}
	}
	return q
}

// veto returns which cells player me, who is to move, must not play, and how
// many are left: those that hit most of the windows to stop, by their weight, or
// all empty cells where there is none. The slice is valid until the next call.
func (q *guard) veto(me int) (no []bool, left int) {
	f := q.f
	clear(q.hits)
	for w, n := range f.count[1-me] {
		if n < alarm || f.count[me][w] > 0 || q.paired(w) {
			continue
		}
		for c, i := f.first[w], 0; i < f.k; i++ {
			q.hits[c] += weight(int(n))
			c += f.step[w]
		}
	}
	most := int64(0)
	for c, h := range q.hits {
		if f.cell[c] == 0 {
			most = max(most, h)
		}
	}
	for c := range q.no {
		q.no[c] = f.cell[c] != 0 || q.hits[c] < most
		if !q.no[c] {
			left++
		}
	}
	return q.no, left
}

// paired reports whether a window holds a pair of empty cells.
func (q *guard) paired(w int) bool {
	f := q.f
	c, step := f.first[w], f.step[w]
	for range f.k - 1 {
		next := c + step
		if q.mate[c] == next && f.cell[c] == 0 && f.cell[next] == 0 {
			return true
		}
		c = next
	}
	return false
}
