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

// PlanePairs returns the cell that each cell of a board is paired with, −1 if that lies off
// the board. A player who answers each stone on one cell of a pair with a stone on the
// other never lets the opponent have 9 in a row.
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
