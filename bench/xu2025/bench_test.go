package xu2025

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkRow runs printed rows and checks their counts; nodes/s are those of
// the published tree.
func BenchmarkRow(b *testing.B) {
	for _, want := range []string{"3.8", "3.17", "3.2", "3.1", "3.9", "3.15"} {
		for _, p := range Published() {
			if p.Table != want || p.Opening != 1 {
				continue
			}
			c := p.Config
			name := fmt.Sprintf("model=%v/players=%d/pieces=%d/algo=%v/limit=%d/table=%s.", c.Model, c.Players, c.Pieces, c.Algorithm, c.Limit, p.Table)
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					row, err := Run(context.Background(), c, nil)
					if err != nil {
						b.Fatal(err)
					}
					for _, d := range p.Compare(row) {
						b.Fatalf("%s is %s, printed %s", d.Column, d.Reproduced, d.Published)
					}
				}
				b.ReportMetric(float64(p.Nodes)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
			})
		}
	}
}
