package published

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

// Diamond2019Source says where the rows of [Diamond2019] come from.
const Diamond2019Source = `N. R. Sturtevant, "On Strongly Solving Chinese Checkers", ACG 2019, Table 1, and the counts of the smallgames project (2026) for 6 pieces`

//go:embed halma_diamond_2019.csv
var diamond2019CSV string

// DiamondRow is one printed row: the strong solution of a diamond for two.
type DiamondRow struct {
	Board  string // for instance 7x7
	Pieces int    // of a player
	// The counts are over both players to move. Wins are those of the first
	// player, whose losses are as many.
	Positions, Wins, Draws, Illegal uint64
	Value                           string // who wins from the start: first
	Source                          string
}

// Game is the id of the game that a row is about.
func (r DiamondRow) Game() string { return fmt.Sprintf("halma-%sp%d", r.Board, r.Pieces) }

// Diamond2019 returns the rows as printed, in the order of the file.
func Diamond2019() ([]DiamondRow, error) {
	records, err := readCSV(diamond2019CSV, 8)
	if err != nil {
		return nil, fmt.Errorf("published: halma_diamond_2019.csv: %w", err)
	}
	var rows []DiamondRow
	for i, f := range records {
		r := DiamondRow{Board: f[0], Value: f[6], Source: f[7]}
		var errs [5]error
		r.Pieces, errs[0] = strconv.Atoi(f[1])
		for j, to := range []*uint64{&r.Positions, &r.Wins, &r.Draws, &r.Illegal} {
			*to, errs[j+1] = strconv.ParseUint(f[j+2], 10, 64)
		}
		for _, err := range errs {
			if err != nil {
				return nil, fmt.Errorf("published: halma_diamond_2019.csv: row %d: %w", i+1, err)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// readCSV returns the records below the heading, each of width fields.
func readCSV(text string, width int) ([][]string, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = width
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("no heading")
	}
	return records[1:], nil
}
