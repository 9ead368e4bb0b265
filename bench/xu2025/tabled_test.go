package xu2025

import (
	"fmt"
	"testing"
)

// TestTabled compares the engine of the other models with the reference, count
// by count, on growing limits until the reference needs too many nodes.
func TestTabled(t *testing.T) {
	for _, c := range configs(Tables, SpecialRules, MoveOrdering) {
		t.Run(fmt.Sprintf("model=%v/players=%d/pieces=%d/algo=%v", c.Model, c.Players, c.Pieces, c.Algorithm), func(t *testing.T) {
			for c.Limit = 0; c.Limit < 40; c.Limit++ {
				s := newReference(c)
				total := uint64(0)
				for i, m := range s.openings() {
					want := s.run(m)
					e, err := newTabled(c, quietWatch())
					if err != nil {
						t.Fatal(err)
					}
					got := e.run(c, m.piece, e.at[m.to])
					if got != want || e.Counts != s.Counts {
						t.Fatalf("limit %d, opening %d: winner %d, %+v; reference %d, %+v", c.Limit, i+1, got, e.Counts, want, s.Counts)
					}
					total += s.Nodes
				}
				if total > 5_000 {
					break
				}
			}
		})
	}
}
