package thesis2025

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Source cites the source of the rows of [Published].
const Source = `Li Xu, "Esplorazione dell'albero di gioco della Dama Cinese", BSc thesis, University of Bologna, 2024/25, tables 3.1 to 3.76`

var (
	//go:embed halma_tree_search_2025.csv
	rowsCSV string
	//go:embed halma_tree_search_2025_errata.csv
	errataCSV string
)

// PublishedRow is a printed row: the search of one opening move. Misprints are corrected, also in
// the configuration.
type PublishedRow struct {
	Table string // 3.1 … 3.76; a game's openings may continue in the next table
	Model Model
	Config
	Result   string // DRAW, WIN1 … or, for more than two players, WINP1 …
	Millis   int64  // printed wall time
	Counts          // nodes are exact, or in three digits if Rounded
	Rounded  bool
	HasTable bool // Stored and Hits are printed
	Errata   []Erratum
}

// Erratum is a correction to a printed figure.
type Erratum struct {
	Column  string
	Printed uint64
	Correct uint64
	Reason  string
}

// Published returns the printed rows in the order of print, errata corrected.
func Published() (rows []PublishedRow) {
	must := func(err error) {
		if err != nil {
			panic("thesis2025: printed rows: " + err.Error())
		}
	}
	records := func(text string) [][]string {
		list, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		must(err)
		return list
	}
	number := func(s string) uint64 {
		n, err := strconv.ParseUint(s, 10, 64)
		must(err)
		return n
	}
	printed, errata := records(rowsCSV), records(errataCSV)[1:]
	for _, f := range printed[1:] {
		r := PublishedRow{Table: f[0], Result: f[7], Millis: int64(number(f[8])), Rounded: f[10] == "1", HasTable: f[13] != ""}
		for _, e := range errata {
			if e[0] != r.Table || e[1] != "0" && e[1] != f[6] {
				continue
			}
			f[slices.Index(printed[0], e[2])] = e[4]
			r.Rounded = r.Rounded && e[2] != "nodes"
			r.Errata = append(r.Errata, Erratum{Column: e[2], Printed: number(e[3]), Correct: number(e[4]), Reason: e[5]})
		}
		r.Counts = Counts{Nodes: number(f[9]), Terminals: number(f[11]), Cutoffs: number(f[12])}
		if r.HasTable {
			r.Stored, r.Hits = number(f[13]), number(f[14])
		}
		r.Model, r.Algorithm = Model(f[1]), Algorithm(f[4])
		r.Program = r.Model.Program()
		r.Players, r.Pieces, r.Limit, r.Opening = int(number(f[2])), int(number(f[3])), int(number(f[5])), int(number(f[6]))
		r.ExpectBoards = r.Stored
		rows = append(rows, r)
	}
	return rows
}

// Merges reports whether [Run] searches equal subtrees once.
func (p PublishedRow) Merges() bool { return p.merges() }

// Estimate is the approximate time of [Run] on one thread, by the printed number of nodes.
func (p PublishedRow) Estimate() time.Duration {
	perSecond, most := 4e6, time.Duration(math.MaxInt64)
	switch c := p.Config; {
	case p.Model == Base:
		perSecond = 150e6
		if p.Merges() {
			most = 20 * time.Second
		}
	case p.Model == MoveOrdering && c.Pieces >= 6:
		perSecond = 1e6
	case p.Model == MoveOrdering:
		perSecond = 2e6
	}
	return min(most, time.Millisecond+time.Duration(float64(p.Nodes)/perSecond*float64(time.Second)))
}

// Difference is a figure that was not reproduced.
type Difference struct{ Column, Published, Reproduced string }

// Compare returns the figures of a run that differ from the printed row. Rounded node counts may be
// rounded or cut off in print.
func (p PublishedRow) Compare(r Row) []Difference {
	var list []Difference
	check := func(column string, want, got any) {
		if want != got {
			list = append(list, Difference{column, fmt.Sprint(want), fmt.Sprint(got)})
		}
	}
	check("result", p.Result, r.Result())
	if rounded, cut := threeDigits(r.Nodes); !p.Rounded || p.Nodes != rounded && p.Nodes != cut {
		check("nodes", p.Nodes, r.Nodes)
	}
	check("terminals", p.Terminals, r.Terminals)
	check("cutoffs", p.Cutoffs, r.Cutoffs)
	if p.HasTable {
		check("tt_stored", p.Stored, r.Stored)
		check("tt_hits", p.Hits, r.Hits)
	}
	return list
}

// threeDigits returns a number in three significant digits: rounded, and cut off.
func threeDigits(n uint64) (rounded, cut uint64) {
	unit := uint64(1)
	for n/unit >= 1000 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit, n / unit * unit
}
