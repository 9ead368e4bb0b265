package halma

import (
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// Sides returns the armies of a position of a two-player game as lists of cells
// from the side of the player to move: with the second seat to move the board
// is turned.
func Sides(g *Game, s game.State) (mover, other []int) {
	p := s.(interface {
		Pieces(seat int) bitboard.Set128
	})
	mover, other = slices.Collect(p.Pieces(s.Seat()).Cells()), slices.Collect(p.Pieces(1-s.Seat()).Cells())
	if s.Seat() == 1 {
		for _, list := range [][]int{mover, other} {
			for i, c := range list {
				list[i] = g.Board().Turned(c)
			}
		}
	}
	return mover, other
}
