package command

import (
	"cmp"
	"slices"

	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// moveRecord is a move with its worth to the player who makes it.
type moveRecord struct {
	Move string `json:"move"`
	family.Worth
}

// judgeMoves returns the moves of a position, best first.
func judgeMoves(s game.State, distances bool, value func(game.State) (game.Value, int, error)) ([]moveRecord, error) {
	var list []moveRecord
	for _, m := range s.Moves(nil) {
		text := s.MoveString(m)
		s.Make(m)
		v, d, err := value(s)
		s.Unmake()
		if err != nil {
			return nil, err
		}
		if v == game.Draw || !distances {
			d = 0
		} else {
			d++
		}
		list = append(list, moveRecord{text, family.Worth{Result: v.Negate(), Distance: d}})
	}
	bestFirst(list)
	return list, nil
}

// bestFirst sorts moves: wins, the fastest first, draws, losses, the slowest
// first, and what is not known.
func bestFirst(moves []moveRecord) {
	slices.SortStableFunc(moves, func(a, b moveRecord) int {
		switch {
		case a.Result != b.Result:
			return cmp.Compare(b.Result, a.Result)
		case a.Result == game.Win:
			return a.Distance - b.Distance
		}
		return b.Distance - a.Distance
	})
}

// writeMoves prints moves for people.
var writeMoves = cli.Grid[moveRecord]("=move:  %s", "=Worth")
