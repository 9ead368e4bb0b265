package xu2025

import (
	"context"
	"testing"
)

// TestPublished runs every printed row up to a number of nodes that the
// reference takes a few seconds for.
func TestPublishedByReference(t *testing.T) {
	for _, p := range Published() {
		if p.Nodes > 40_000 {
			continue
		}
		s := newReference(p.Config)
		w := s.run(s.openings()[p.Opening-1])
		r := Row{Config: p.Config, Counts: s.Counts, Winner: w}
		for _, d := range p.Compare(r) {
			t.Errorf("table %s, opening %d: %s is %s, printed %s", p.Table, p.Opening, d.Column, d.Reproduced, d.Published)
		}
	}
	_ = context.Background
}
