package strong

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

const PublishedSource = `N. R. Sturtevant, "On Strongly Solving Chinese Checkers", ACG 2019, Table 1, and the counts of the smallgames project (2026) for 6 pieces`

//go:embed published2019.csv
var published2019 string

// PublishedRow is one printed row: the strong solution of a diamond for two.
type PublishedRow struct {
	Board  string // for instance 7x7
	Pieces int    // of a player
	// The counts are over both players to move, see [frame.Counts.Published]. Wins are those of
	// the first player, who has as many losses.
	Positions, Wins, Draws, Illegal uint64
	Value                           string // who wins from the start: first
	Source                          string
}

func (r PublishedRow) Game() string { return fmt.Sprintf("halma-%sp%d", r.Board, r.Pieces) }

// Published returns the strong solutions that others have printed, in the order of
// published2019.csv.
func Published() ([]PublishedRow, error) {
	records, err := csv.NewReader(strings.NewReader(published2019)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("strong: published2019.csv: %w", err)
	}
	var rows []PublishedRow
	for i, f := range records[1:] { // without the heading
		var n [5]uint64
		for j := range n {
			if n[j], err = strconv.ParseUint(f[j+1], 10, 64); err != nil {
				return nil, fmt.Errorf("strong: published2019.csv: row %d: %w", i+1, err)
			}
		}
		rows = append(rows, PublishedRow{f[0], int(n[0]), n[1], n[2], n[3], n[4], f[6], f[7]})
	}
	return rows, nil
}
