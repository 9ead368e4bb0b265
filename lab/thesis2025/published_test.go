package thesis2025

import (
	"cmp"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	maxCost   = flag.Duration("cost", 120*time.Millisecond, "run the published rows of up to this estimated `time` each")
	tableFlag = flag.String("table", "", "run the rows of this published `table` only, whatever their cost")
	memory    = flag.Int64("memory", 2048, "`MiB` for tables")
)

// TestPublishedByReference runs small printed rows with the plain program.
func TestPublishedByReference(t *testing.T) {
	for _, p := range Published() {
		if p.Nodes > 20_000 {
			continue
		}
		s := newReference(p.Config)
		winner := s.run(s.openings()[p.Opening-1])
		report(t, p, Row{Config: p.Config, Counts: s.Counts, Winner: winner})
	}
}

// TestPublished runs the printed rows, cheapest first, up to a cost.
func TestPublished(t *testing.T) {
	rows := Published()
	slices.SortStableFunc(rows, func(a, b PublishedRow) int { return cmp.Compare(a.Estimate(), b.Estimate()) })
	n, most := 0, *maxCost
	if testing.Short() {
		most /= 8
	}
	for _, p := range rows {
		if *tableFlag != "" && *tableFlag != p.Table || *tableFlag == "" && p.Estimate() > most {
			continue
		}
		n++
		row, err := p.run()
		if err != nil {
			t.Errorf("table %s, opening %d: %v", p.Table, p.Opening, err)
			continue
		}
		report(t, p, row)
		if row.Seconds > 0.5 {
			t.Logf("table %s, opening %d: %d nodes, %.1f s, estimate %.1f s", p.Table, p.Opening, row.Nodes, row.Seconds, p.Estimate().Seconds())
		}
	}
	t.Logf("%d of %d rows", n, len(rows))
}

// run runs the row within the memory of the test.
func (p PublishedRow) run() (Row, error) {
	c := p.Config
	c.MemoryBytes = *memory << 20
	if testing.Short() {
		c.MemoryBytes = 64 << 20 // cheap rows need no more, and memory takes time to clear
	}
	return Run(context.Background(), c, nil)
}

// report fails the test for every figure that a run does not reproduce.
func report(t *testing.T, p PublishedRow, r Row) {
	t.Helper()
	for _, d := range p.Compare(r) {
		t.Errorf("table %s, opening %d: %s is %s, printed %s", p.Table, p.Opening, d.Column, d.Reproduced, d.Published)
	}
}

func TestThreeDigits(t *testing.T) {
	for _, c := range []struct{ n, rounded, cut uint64 }{
		{0, 0, 0}, {999, 999, 999}, {1004, 1000, 1000}, {1005, 1010, 1000},
		{2568866666, 2570000000, 2560000000}, {9996, 10000, 9990},
	} {
		if rounded, cut := threeDigits(c.n); rounded != c.rounded || cut != c.cut {
			t.Errorf("threeDigits(%d) = %d, %d; want %d, %d", c.n, rounded, cut, c.rounded, c.cut)
		}
	}
}

// TestCompare checks that a comparison can fail, in every column.
func TestCompare(t *testing.T) {
	var p PublishedRow
	for _, p = range Published() {
		if p.HasTable && p.Result == "DRAW" {
			break
		}
	}
	same := Row{Config: p.Config, Counts: Counts{p.Nodes, p.Terminals, p.Cutoffs, p.Stored, p.Hits}}
	if d := p.Compare(same); len(d) != 0 {
		t.Errorf("equal row differs: %v", d)
	}
	for i, change := range []func(*Row){
		func(r *Row) { r.Winner = 2 },
		func(r *Row) { r.Nodes++ },
		func(r *Row) { r.Terminals++ },
		func(r *Row) { r.Cutoffs++ },
		func(r *Row) { r.Stored++ },
		func(r *Row) { r.Hits++ },
	} {
		r := same
		change(&r)
		if len(p.Compare(r)) != 1 {
			t.Errorf("change %d makes %d differences", i, len(p.Compare(r)))
		}
	}
}

// TestPrinted checks the data: every table from 3.1 to 3.76 exists, openings count up within a
// game, and every erratum corrects a printed figure.
func TestPrinted(t *testing.T) {
	rows := Published()
	tables := map[string]bool{}
	for i, r := range rows {
		tables[r.Table] = true
		if r.Opening != 1 && (rows[i-1].Opening != r.Opening-1 || rows[i-1].Model != r.Model) {
			t.Errorf("table %s: opening %d does not follow %d", r.Table, r.Opening, rows[i-1].Opening)
		}
		if err := r.Validate(); err != nil || !slices.Contains(Models(), r.Model) {
			t.Errorf("table %s: model %q, %v", r.Table, r.Model, err)
		}
		if r.HasTable != (r.Model != Base) {
			t.Errorf("table %s: HasTable = %v for model %s", r.Table, r.HasTable, r.Model)
		}
	}
	if len(tables) != 76 || len(rows) != 320 {
		t.Errorf("%d rows of %d tables, want 320 of 76", len(rows), len(tables))
	}
	records := func(text string) [][]string {
		list, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	printed := records(rowsCSV)
	for _, e := range records(errataCSV)[1:] {
		column, found := slices.Index(printed[0], e[2]), false
		for i, f := range printed[1:] {
			if f[0] != e[0] || e[1] != "0" && f[6] != e[1] {
				continue
			}
			found = true
			if f[column] != e[3] {
				t.Errorf("table %s opening %s: %s is printed as %s, erratum quotes %s", f[0], f[6], e[2], f[column], e[3])
			}
			r := rows[i]
			correct := map[string]uint64{"turn_limit": uint64(r.Limit), "nodes": r.Nodes, "cutoffs": r.Cutoffs}[e[2]]
			if fmt.Sprint(correct) != e[4] || len(r.Errata) == 0 || e[2] == "nodes" && r.Rounded {
				t.Errorf("table %s opening %s: %s is %d, corrected %s", f[0], f[6], e[2], correct, e[4])
			}
		}
		if !found {
			t.Errorf("erratum for table %s opening %s matches no row", e[0], e[1])
		}
	}
}
