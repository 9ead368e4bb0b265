package command

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/internal/cli"
)

// moveRecord is a move with its worth to the player who makes it.
type moveRecord struct {
	Move string `json:"move"`
	family.Worth
	Position string `json:"position"` // after the move
}

// moveList are the moves of a position, best first.
type moveList []moveRecord

// MarshalText lists the moves with their worth, for CSV.
func (c moveList) MarshalText() ([]byte, error) {
	var list []string
	for _, m := range c {
		list = append(list, m.Move+"="+strings.ReplaceAll(m.Worth.String(), " ", "_"))
	}
	return []byte(strings.Join(list, " ")), nil
}

// MarshalJSON returns a list.
func (c moveList) MarshalJSON() ([]byte, error) { return json.Marshal([]moveRecord(c)) }

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
		list = append(list, moveRecord{text, family.NewWorth(v.Negate(), d), after})
	}
	bestFirst(list)
	return list, nil
}

// bestFirst sorts moves: wins, the fastest first, draws, losses, the slowest
// first, and what is not known.
func bestFirst(moves []moveRecord) {
	slices.SortStableFunc(moves, func(a, b moveRecord) int { return compareWorth(a.Worth, b.Worth) })
}

// compareWorth is negative where a is better than b.
func compareWorth(a, b family.Worth) int {
	switch {
	case a.Value != b.Value:
		return cmp.Compare(b.Value, a.Value)
	case a.Distance == nil || b.Distance == nil:
		return 0
	case a.Value == game.Win:
		return *a.Distance - *b.Distance
	}
	return *b.Distance - *a.Distance
}

// writeMoves prints moves for people.
var writeMoves = cli.Grid[moveRecord]("=move:  %s", "=Worth")
