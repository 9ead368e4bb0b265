package family

import (
	"encoding/json"
	"strings"

	"perfectplay/app/explore"
)

// MoveWorth is a move of a position with what is known of it, for the seat that
// makes it, and the position that it leads to.
type MoveWorth struct {
	Move string `json:"move"`
	explore.Worth
	Position string `json:"position"`
}

// Moves are the moves of a position, best first, in records.
type Moves []MoveWorth

// MarshalText lists the moves with their worth, for CSV.
func (l Moves) MarshalText() ([]byte, error) {
	var list []string
	for _, m := range l {
		list = append(list, m.Move+"="+strings.ReplaceAll(m.Worth.String(), " ", "_"))
	}
	return []byte(strings.Join(list, " ")), nil
}

// MarshalJSON returns a list.
func (l Moves) MarshalJSON() ([]byte, error) { return json.Marshal([]MoveWorth(l)) }
