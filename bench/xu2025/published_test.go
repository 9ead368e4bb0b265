package xu2025

import (
	"context"
	"flag"
	"slices"
	"testing"
)

// maxNodes is the node budget of TestPublished; all rows stay in the file.
var maxNodes = flag.Uint64("nodes", 3_000_000, "run the published rows of up to this many `nodes`")

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

// TestPublished runs the printed rows, cheapest first, up to the node budget.
func TestPublished(t *testing.T) {
	rows := Published()
	slices.SortStableFunc(rows, func(a, b PublishedRow) int { return int(min(a.Nodes, 1<<60)) - int(min(b.Nodes, 1<<60)) })
	n := 0
	for _, p := range rows {
		if p.Nodes > *maxNodes {
			break
		}
		n++
		row, err := Run(context.Background(), p.Config, nil)
		if err != nil {
			t.Errorf("table %s, opening %d: %v", p.Table, p.Opening, err)
			continue
		}
		report(t, p, row)
		if testing.Verbose() && row.Seconds > 0.2 {
			t.Logf("table %s, opening %d: %d nodes, %.2f s, %.0f M/s", p.Table, p.Opening, row.Nodes, row.Seconds, float64(row.Nodes)/row.Seconds/1e6)
		}
	}
	t.Logf("%d of %d rows within %d nodes", n, len(rows), *maxNodes)
}

func report(t *testing.T, p PublishedRow, r Row) {
	t.Helper()
	for _, d := range p.Compare(r) {
		t.Errorf("table %s, opening %d: %s is %s, printed %s", p.Table, p.Opening, d.Column, d.Reproduced, d.Published)
	}
}
