package strong

import (
	"fmt"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
)

// Sides returns the armies of a position of a two-player game as lists of cells
// from the side of the player to move: with the second seat to move the board
// is turned.
func Sides(g *halma.Game, s game.State) (mover, other []int) {
	p := s.(interface {
		Pieces(seat int) bitboard.Set128
	})
	mover, other = cells(p.Pieces(s.Seat())), cells(p.Pieces(1-s.Seat()))
	if s.Seat() == 1 {
		for _, list := range [][]int{mover, other} {
			for i, c := range list {
				list[i] = g.Board().Turned(c)
			}
		}
	}
	return mover, other
}

// Consistent checks that a value and distance of a two-player position follow
// from those of the positions its moves lead to, or from its result if it is
// over. value says what is claimed of a position for its mover. The state comes
// back as it was.
//
// If this holds for every position, all values are right: claims of wins and
// losses are proved by induction on the distance, and from a claimed draw neither
// player can get away from claimed draws to a loss for the other. Distances must
// be right too: with values alone positions that move in circles could vouch for
// each other.
func Consistent(s game.State, v game.Value, d int, value func(game.State) (game.Value, int)) error {
	wrong := func(want game.Value, in int) error {
		return fmt.Errorf("%s: %v in %d, want %v in %d", s, v, d, want, in)
	}
	if r := s.Result(); r != game.Ongoing {
		want := game.Draw
		if winner, ok := r.Winner(); ok {
			if want = game.Loss; winner == s.Seat() {
				want = game.Win
			}
		}
		if v != want || d != 0 {
			return wrong(want, 0)
		}
		return nil
	}
	want, in := game.Loss, 0
	for _, m := range s.Moves(nil) {
		s.Make(m)
		next, n := value(s)
		s.Unmake()
		switch next = next.Negate(); {
		case next == game.Unknown:
			return fmt.Errorf("%s: move %s leads to a position without a value", s, s.MoveString(m))
		case next > want:
			want, in = next, n+1
		case next == want && next == game.Win:
			in = min(in, n+1)
		case next == want && next == game.Loss:
			in = max(in, n+1)
		}
	}
	if want == game.Draw {
		in = 0
	}
	if v != want || d != in {
		return wrong(want, in)
	}
	return nil
}
