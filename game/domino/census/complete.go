package census

import (
	"bytes"
	_ "embed"

	"perfectplay/internal/rows"
)

// completeCSV is the output of solve domino show for the complete census: a row for every
// starting double and one for all games.
//
//go:embed complete.csv
var completeCSV []byte

// Complete returns the complete census's summary of all games. The tests of this package compare its tables with
// combinatorics and with each other.
func Complete() (all Summary) {
	if err := rows.Read(bytes.NewReader(completeCSV), func(s Summary) { all = s }); err != nil {
		panic("census: Complete: " + err.Error())
	}
	return all
}
