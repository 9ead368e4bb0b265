package command

import (
	"slices"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/internal/cli"
)

type (
	moveRecord = family.SolvedMove
	moveList   = family.SolvedMoves
)

// judgeMoves returns the moves of a position, best first.
func judgeMoves(s game.State, distances bool, value func(game.State) (game.Value, int, error)) ([]moveRecord, error) {
	var list []moveRecord
	for _, m := range s.Moves(nil) {
		text := s.MoveString(m)
		s.Make(m)
		v, d, err := value(s)
		after := s.String()
		s.Unmake()
		if err != nil {
			return nil, err
		}
		if d++; !distances {
			d = -1
		}
		list = append(list, moveRecord{Move: text, Worth: family.NewWorth(v.Negate(), d), Position: after})
	}
	bestFirst(list)
	return list, nil
}

// bestFirst sorts moves: wins, the fastest first, draws, losses, the slowest
// first, and what is not known.
func bestFirst(moves []moveRecord) {
	slices.SortStableFunc(moves, func(a, b moveRecord) int { return a.Worth.Compare(b.Worth) })
}

// writeMoves prints moves for people.
var writeMoves = cli.Grid[moveRecord]("=move:  %s", "=Worth")
