package mnk

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"perfectplay/internal/rows"
)

//go:embed testdata/mnk_values.csv
var publishedCSV string

//go:embed testdata/mnk_values_errata.csv
var errataCSV string

//go:embed testdata/mnk_values_proved.csv
var provedCSV string

//go:embed testdata/mnk_tournament_configs.csv
var tournamentCSV string

// Published is a row of printed values: the boards that it names, their value and its
// source. Rows, Cols and K are a number, a bound such as m>=4 or k>=8, or any.
type Published struct {
	Rows   string `json:"rows"`
	Cols   string `json:"cols"`
	K      string `json:"k"`
	Value  string `json:"value"` // first or draw
	Source string `json:"source"`
}

// PublishedValues returns the printed values that tests and the command compare
// with, in the order of their file.
func PublishedValues() []Published { return readCSV[Published](publishedCSV) }

// PublishedErrata returns boards whose printed values are wrong, with the right
// value; Source says why.
func PublishedErrata() []Published { return readCSV[Published](errataCSV) }

// ProvedValues returns boards that no printed row names and that this program has decided;
// Source is the command. They are for tables of results; no proof uses them.
func ProvedValues() []Published { return readCSV[Published](provedCSV) }

// Theory returns the value of the empty board, first or draw, by our proofs and the
// literature; empty if neither decides it, and for most boards of more than 64 cells.
func Theory(g *Game) string {
	switch {
	case g.k >= 8:
		return "draw"
	case g.cells > 64:
		return ""
	}
	for _, list := range [][]Published{PublishedErrata(), PublishedValues(), ProvedValues()} {
		for _, p := range list {
			if p.Names(g.rows, g.cols, g.k) {
				return p.Value
			}
		}
	}
	return ""
}

// Tournament returns the 25 games of the tournament for which the two published players
// were written.
func Tournament() (list []*Game) {
	for _, id := range TournamentIDs() {
		g, err := ByID(id)
		if err != nil {
			panic(err)
		}
		list = append(list, g)
	}
	return list
}

// TournamentIDs returns the ids of the games of [Tournament], without making the games.
func TournamentIDs() (ids []string) {
	type board struct {
		M int `json:"m"`
		N int `json:"n"`
		K int `json:"k"`
	}
	for _, b := range readCSV[board](tournamentCSV) {
		ids = append(ids, ID(b.M, b.N, b.K))
	}
	return ids
}

// readCSV reads the records of a file that is part of the program.
func readCSV[T any](text string) (list []T) {
	if err := rows.Read(strings.NewReader(text), func(r T) { list = append(list, r) }); err != nil {
		panic(fmt.Errorf("mnk: published figures: %w", err))
	}
	return list
}

// readBound returns the least and the greatest number of a field.
func readBound(field string) (least, most int, err error) {
	if field == "any" {
		return 1, 1 << 30, nil
	}
	number := strings.TrimLeft(field, "mnk<>=")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return 0, 0, fmt.Errorf("%q: want a number, any, or a bound such as m>=4", field)
	}
	switch strings.TrimLeft(strings.TrimSuffix(field, number), "mnk") {
	case "":
		return n, n, nil
	case ">=":
		return n, 1 << 30, nil
	case "<=":
		return 1, n, nil
	}
	return 0, 0, fmt.Errorf("%q: want a number, any, or a bound such as m>=4", field)
}

func within(field string, n int) bool {
	least, most, err := readBound(field)
	return err == nil && n >= least && n <= most
}

// Names reports whether the row speaks of m rows, n columns and k in a row, or
// of the same board turned by a quarter.
func (p Published) Names(m, n, k int) bool {
	return within(p.K, k) && (within(p.Rows, m) && within(p.Cols, n) || within(p.Rows, n) && within(p.Cols, m))
}

// Boards lists the games that the row names on boards of at most cells cells. Of two boards that
// are a quarter turn apart it lists the one with at least as many rows as columns. k is at most the
// number of rows.
func (p Published) Boards(cells int) (list [][3]int) {
	for m := 1; m <= min(cells, MaxSide); m++ {
		for n := 1; n <= m && m*n <= cells; n++ {
			for k := 1; k <= m; k++ {
				if p.Names(m, n, k) {
					list = append(list, [3]int{m, n, k})
				}
			}
		}
	}
	return list
}

// String is the row's boards as text, for instance m>=4,n>=3,3.
func (p Published) String() string { return p.Rows + "," + p.Cols + "," + p.K }
