package thesis2025

import (
	"context"
	"fmt"
	"testing"

	"perfectplay/internal/host"
)

// BenchmarkRow runs printed rows and checks their counts. The rate is nodes of the published tree a
// second of processor time.
func BenchmarkRow(b *testing.B) {
	for _, want := range []string{"3.8", "3.17", "3.2", "3.1", "3.3", "3.9", "3.15", "3.31", "3.69", "3.74"} {
		for _, p := range Published() {
			if p.Table != want || p.Opening != 1 {
				continue
			}
			c := p.Config
			b.Run(fmt.Sprintf("%s/limit=%d.", c.name(), c.Limit), func(b *testing.B) {
				start := host.ProcessTime()
				for b.Loop() {
					row, err := Run(context.Background(), c, nil)
					if err != nil {
						b.Fatal(err)
					}
					for _, d := range p.Compare(row) {
						b.Fatalf("%s is %s, printed %s", d.Column, d.Reproduced, d.Published)
					}
				}
				b.ReportMetric(float64(p.Nodes)*float64(b.N)/(host.ProcessTime()-start).Seconds(), "nodes/s")
			})
		}
	}
}
