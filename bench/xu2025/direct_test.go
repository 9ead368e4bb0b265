package xu2025

import (
	"context"
	"fmt"
	"testing"
)

func quietWatch() *watch { return &watch{ctx: context.Background()} }

// configs lists every combination that is small enough for the reference:
// node budgets decide, not hand-picked limits.
func configs(models ...Model) []Config {
	var list []Config
	for _, model := range models {
		for _, players := range []int{2, 3, 4, 6} {
			for _, pieces := range []int{1, 3, 6, 10} {
				for algorithm := Minimax; algorithm <= MaxN; algorithm++ {
					c := Config{Model: model, Players: players, Pieces: pieces, Algorithm: algorithm}
					if c.Validate() == nil {
						list = append(list, c)
					}
				}
			}
		}
	}
	return list
}

// TestDirect compares the engine of model Base with the reference, count by
// count, on growing limits until the reference needs too many nodes.
func TestDirect(t *testing.T) {
	for _, c := range configs(Base) {
		t.Run(fmt.Sprintf("players=%d/pieces=%d/algo=%v", c.Players, c.Pieces, c.Algorithm), func(t *testing.T) {
			for c.Limit = 0; c.Limit < 30; c.Limit++ {
				s := newReference(c)
				e := newDirect(c, quietWatch())
				total := uint64(0)
				for i, m := range s.openings() {
					want := s.run(m)
					e.Counts = Counts{}
					got := e.run(c, m.piece, e.at[m.to])
					if got != want || e.Counts != s.Counts {
						t.Fatalf("limit %d, opening %d: winner %d, %+v; reference %d, %+v", c.Limit, i+1, got, e.Counts, want, s.Counts)
					}
					total += s.Nodes
				}
				if total > 20_000 {
					t.Logf("up to limit %d", c.Limit)
					break
				}
			}
		})
	}
}
