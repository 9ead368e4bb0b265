package player

import (
	"strings"

	"perfectplay/game/mnk"
)

// PlaneK is the least k for which [PlanePairs] stop every line.
const PlaneK = 9

// plane is a pairing of all cells of the infinite board, with period 8 in both
// directions: an arrow points to the other cell of its pair. Each row, column and
// diagonal of the 8×8 torus holds one pair of neighbours, so any 9 cells side by
// side contain one (Hales and Jewett, "Regularity and positional games", 1963, for
// pairings; the pattern was found by search).
const plane = `
→←↗↖↙↘↖↑
↓→←↗↙↙↖↙
↑→←↗↗↙↗↙
↙↓→←↗↓↗↘
↖↑→←↘↑↘↗
→←↓↓↘↖↘↖
→←↑↑↓↖↓↖
→←↘↙↑↘↑↓`

// PlanePairs returns the cell that each cell of a board is paired with, −1 where it
// would lie off the board. Who answers each stone on one cell of a pair with a stone
// on the other never lets the opponent have 9 in a row.
func PlanePairs(g *mnk.Game) []int {
	steps := map[rune][2]int{'→': {0, 1}, '←': {0, -1}, '↓': {1, 0}, '↑': {-1, 0}, '↘': {1, 1}, '↖': {-1, -1}, '↙': {1, -1}, '↗': {-1, 1}}
	var pattern [][]rune
	for _, line := range strings.Fields(plane) {
		pattern = append(pattern, []rune(line))
	}
	pairs := make([]int, g.Cells())
	for cell := range pairs {
		r, c := cell/g.Cols(), cell%g.Cols()
		step := steps[pattern[r&7][c&7]]
		pairs[cell] = -1
		if r, c = r+step[0], c+step[1]; r >= 0 && r < g.Rows() && c >= 0 && c < g.Cols() {
			pairs[cell] = r*g.Cols() + c
		}
	}
	return pairs
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
	mate []int // see PlanePairs
	hits []int64
	no   []bool
}

func newGuard(f *field) *guard {
	return &guard{f: f, mate: PlanePairs(f.g), hits: make([]int64, f.cells), no: make([]bool, f.cells)}
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
		if q.mate[c] == int(next) && f.cell[c] == 0 && f.cell[next] == 0 {
			return true
		}
		c = next
	}
	return false
}
