package xu2025

import (
	"context"
	"flag"
	"testing"
	"time"
)

var (
	// Rows that take longer stay in the data and are run with a larger budget.
	maxCost   = flag.Duration("cost", 500*time.Millisecond, "run the published rows of up to this estimated `time` each")
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
	Cheapest(rows)
	n := 0
	for _, p := range rows {
		if *tableFlag != "" && *tableFlag != p.Table || *tableFlag == "" && p.Estimate() > *maxCost {
			continue
		}
		n++
		row, err := p.Reproduce(context.Background(), *memory<<20, nil)
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

func report(t *testing.T, p PublishedRow, r Row) {
	t.Helper()
	for _, d := range p.Compare(r) {
		t.Errorf("table %s, opening %d: %s is %s, printed %s", p.Table, p.Opening, d.Column, d.Reproduced, d.Published)
	}
}
