package retro

import (
	"iter"
	"slices"

	"perfectplay/game"
)

// All ranges over the solved positions, each once, with one state that moves from one to the next:
// leave it unchanged, or clone it. Numbered positions come in the order of their numbers; others in
// the order of play from the start, or of their stages, one of each class of symmetric ones. It ends
// early if a file is damaged, see [Solution.Err].
func (s *Solution) All() iter.Seq[game.State] {
	return func(yield func(game.State) bool) { s.check(s.walk(yield)) }
}

func (s *numbers) walk(yield func(game.State) bool) error {
	w := s.newWorker()
	for n := range s.n {
		if _, _, ok := w.at(n); ok && !yield(w.state) {
			break
		}
	}
	return nil
}

// Line returns best play from a position to the end of the game. The seat to move plays against all
// others; the winning side hurries, the other delays. Of equal moves Line takes the first. It
// returns nil for a draw, and for a position not solved. It leaves the state at its position.
func (s *Solution) Line(at game.State) (line []game.Move) {
	seats := uint8(1) << at.Seat()
	value, plies, _ := s.Forced(at, seats)
	for ; plies > 0; plies-- {
		moves := at.Moves(nil)
		best := slices.IndexFunc(moves, func(m game.Move) bool {
			at.Make(m)
			defer at.Unmake()
			v, d, _ := s.Forced(at, seats)
			return v == value && d == plies-1
		})
		if best < 0 {
			break // files of the solve are damaged since
		}
		line = append(line, moves[best])
		at.Make(moves[best])
	}
	for range line {
		at.Unmake()
	}
	if plies > 0 {
		return nil
	}
	return line
}
