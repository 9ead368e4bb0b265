package strong

import (
	_ "embed"
	"fmt"
	"strings"

	"perfectplay/internal/rows"
)

// PublishedSource cites the source of the rows of [Published].
const PublishedSource = `N. R. Sturtevant, "On Strongly Solving Chinese Checkers", ACG 2019, Table 1, and the counts of the smallgames project (2026) for 6 pieces`

//go:embed published2019.csv
var published2019 string

// PublishedRow is one printed row: the strong solution of a diamond for two.
type PublishedRow struct {
	Board  string `json:"board"`  // name of the board, for instance 7x7
	Pieces int    `json:"pieces"` // pieces of a player
	// The counts are over both players to move, see [frame.Counts.Published]. Wins counts the first
	// player's wins; the first player has as many losses.
	Positions uint64 `json:"positions"`
	Wins      uint64 `json:"wins"`
	Draws     uint64 `json:"draws"`
	Illegal   uint64 `json:"illegal"`
	Value     string `json:"value"` // the player who wins from the start: first
	Source    string `json:"source"`
}

func (r PublishedRow) Game() string { return fmt.Sprintf("halma-%sp%d", r.Board, r.Pieces) }

// Published returns the strong solutions that others have printed, in the order of
// published2019.csv.
func Published() (list []PublishedRow, err error) {
	err = rows.Read(strings.NewReader(published2019), func(r PublishedRow) { list = append(list, r) })
	return list, err
}
