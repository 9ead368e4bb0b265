package halma

import (
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// Path returns the cells that a legal move touches, in order: the start, the holes of a shortest
// chain of hops, the end. A step has two cells, a pass has no cells.
func (g *Game) Path(s game.State, m game.Move) []int {
	if m == game.Pass || m == game.NoMove {
		return nil
	}
	from, to := Cells(m)
	if slices.Contains(g.board.lattice.Next[from][:], int16(to)) {
		return []int{from, to}
	}
	seat, occ := s.Seat(), bitboard.Set128{}
	for i := range g.seats {
		occ = occ.Or(s.(Position).Pieces(i))
	}
	occ = occ.Without(from) // take the moving piece off the board
	before := map[int]int{from: from}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		cell := queue[0]
		if cell == to {
			break
		}
		for d := range Dir(Dirs) {
			over := g.board.Next(cell, d)
			if over < 0 || !occ.Has(over) {
				continue
			}
			next := g.board.Next(over, d)
			if next < 0 || occ.Has(next) || !g.HopAllowed(seat, cell, next) {
				continue
			}
			if _, seen := before[next]; !seen {
				before[next] = cell
				queue = append(queue, next)
			}
		}
	}
	path := []int{to}
	for cell := to; cell != from; {
		last, ok := before[cell]
		if !ok {
			panic("halma: Path of an illegal move")
		}
		cell = last
		path = append(path, cell)
	}
	slices.Reverse(path)
	return path
}
