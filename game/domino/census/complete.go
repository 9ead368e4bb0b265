package census

import (
	"bytes"
	_ "embed"

	"perfectplay/internal/rows"
)

// completeCSV is the output of solve domino show for the complete census; its last row is for all
// games.
//
//go:embed complete.csv
var completeCSV []byte

// Complete returns the summary of all games in the complete census.
func Complete() (all Summary) {
	if err := rows.Read(bytes.NewReader(completeCSV), func(s Summary) { all = s }); err != nil {
		panic("census: Complete: " + err.Error())
	}
	return all
}
