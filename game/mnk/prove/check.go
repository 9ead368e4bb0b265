package prove

import (
	"context"
	"fmt"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// Answer is a strategy's answer in a position: a move, or the claim that the defender holds
// without further search.
type Answer struct {
	Move int // cell, or −1 for a claim
	// Pairs are the disjoint pairs of empty cells of a claim: the defender answers a stone
	// on one cell of a pair with the other. Windows that hold no pair are stopped by
	// weights on the cells outside the pairs.
	Pairs [][2]int
}

// Strategy answers in positions, given by the stones of the two players and the seat to
// move. It answers where its side is to move, and may claim in others, too. A cell in both
// sets is a wall. ok is false if it has no answer.
type Strategy interface {
	Answer(x, o bitboard.Set128, seat int) (a Answer, ok bool)
}

// listWindows lists the cells of each window, from the definition.
func listWindows(rows, cols, k int) (list [][]int) {
	for r := range rows {
		for c := range cols {
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				var w []int
				for i := range k {
					rr, cc := r+i*d[0], c+i*d[1]
					if rr >= 0 && rr < rows && cc >= 0 && cc < cols {
						w = append(w, rr*cols+cc)
					}
				}
				if len(w) == k {
					list = append(list, w)
				}
			}
		}
	}
	return list
}

// ended returns the error of a check. If the context has ended it is the context's, since the
// strategy may have had no answer, or a wrong one.
func ended(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("prove: checking: %w", ctx.Err())
	}
	return err
}

// CheckPairs checks a pairing of the cells of a board of any size: a defender who answers
// each stone on a cell c with one on partner(c) stops every window. Its error wraps
// ErrRefuted if pairs are not mutual or a window holds no pair. A partner outside
// 0…Cells()−1 means that the cell has none.
func CheckPairs(g *mnk.Game, partner func(cell int) int) error {
	for c := range g.Cells() {
		if p := partner(c); p >= 0 && p < g.Cells() && (p == c || partner(p) != c) {
			return fmt.Errorf("%w: cells %s and %s are no pair", ErrRefuted, g.CellName(c), g.CellName(p))
		}
	}
	in := make([]int, g.Cells()) // by cell: number of the last window with the cell, plus one
	for i, w := range listWindows(g.Rows(), g.Cols(), g.K()) {
		hit := false
		for _, c := range w {
			in[c] = i + 1
			p := partner(c)
			hit = hit || p >= 0 && p < len(in) && in[p] == i+1
		}
		if !hit {
			return fmt.Errorf("%w: no pair in the window from %s to %s", ErrRefuted, g.CellName(w[0]), g.CellName(w[len(w)-1]))
		}
	}
	return nil
}
