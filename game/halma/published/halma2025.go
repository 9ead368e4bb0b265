package published

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

// Halma2025Source says where the rows of [Halma2025] come from.
const Halma2025Source = `Li Xu, "Esplorazione dell'albero di gioco della Dama Cinese", BSc thesis, University of Bologna, 2024/25, tables 3.1 to 3.76`

//go:embed halma_tree_search_2025.csv
var halma2025CSV string

//go:embed halma_tree_search_2025_errata.csv
var halma2025ErrataCSV string

// HalmaRow is one printed row: the search of one opening move.
type HalmaRow struct {
	Table     string // 3.1 … 3.76; a game's openings may continue in the next table
	Model     string // Base, Tables, SpecialRules or MoveOrdering
	Players   int
	Pieces    int    // per player: 1, 3, 6 or 10
	Algorithm string // minimax, paranoid or maxn
	Limit     int    // turns after the opening move
	Opening   int    // 1-based, in the program's order
	Result    string // DRAW, WIN1 … or, for more than two players, WINP1 …

	Millis    int64  // printed wall time
	Nodes     uint64 // exact, or to three digits where Rounded
	Rounded   bool
	Terminals uint64
	Cutoffs   uint64
	HasTable  bool   // the two columns that follow are printed
	Stored    uint64 // boards entered into the visited set
	Hits      uint64 // boards found there
}

// HalmaErratum is a correction to a printed figure.
type HalmaErratum struct {
	Table   string
	Opening int // 0: every row of the table
	Column  string
	Printed uint64
	Correct uint64
	Reason  string
}

// Halma2025 returns the rows as printed, in the order of the file.
func Halma2025() ([]HalmaRow, error) {
	records, err := readCSV(halma2025CSV, 15)
	if err != nil {
		return nil, fmt.Errorf("published: halma_tree_search_2025.csv: %w", err)
	}
	rows := make([]HalmaRow, 0, len(records))
	for i, f := range records {
		var p fields
		r := HalmaRow{
			Table: f[0], Model: f[1], Players: int(p.uint(f[2])), Pieces: int(p.uint(f[3])),
			Algorithm: f[4], Limit: int(p.uint(f[5])), Opening: int(p.uint(f[6])), Result: f[7],
			Millis: int64(p.uint(f[8])), Nodes: p.uint(f[9]), Rounded: f[10] == "1",
			Terminals: p.uint(f[11]), Cutoffs: p.uint(f[12]),
		}
		if f[13] != "" || f[14] != "" {
			r.HasTable, r.Stored, r.Hits = true, p.uint(f[13]), p.uint(f[14])
		}
		if p.err != nil {
			return nil, fmt.Errorf("published: halma_tree_search_2025.csv: record %d: %w", i+1, p.err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// Halma2025Errata returns the known misprints of [Halma2025].
func Halma2025Errata() ([]HalmaErratum, error) {
	records, err := readCSV(halma2025ErrataCSV, 6)
	if err != nil {
		return nil, fmt.Errorf("published: halma_tree_search_2025_errata.csv: %w", err)
	}
	var list []HalmaErratum
	for i, f := range records {
		var p fields
		e := HalmaErratum{
			Table: f[0], Opening: int(p.uint(f[1])), Column: f[2],
			Printed: p.uint(f[3]), Correct: p.uint(f[4]), Reason: f[5],
		}
		if p.err != nil {
			return nil, fmt.Errorf("published: halma_tree_search_2025_errata.csv: record %d: %w", i+1, p.err)
		}
		list = append(list, e)
	}
	return list, nil
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

// fields parses numbers and remembers the first failure.
type fields struct{ err error }

func (p *fields) uint(s string) uint64 {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil && p.err == nil {
		p.err = err
	}
	return n
}
