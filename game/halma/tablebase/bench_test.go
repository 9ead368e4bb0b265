package tablebase

import (
	"testing"

	"perfectplay/bitboard"
)

// BenchmarkNumbering is what writing and probing a table ask of the numbering,
// ns per position: Walk from number to position, Index back.
func BenchmarkNumbering(b *testing.B) {
	for _, c := range []struct {
		name          string
		cells, pieces int
	}{{"game=39cells", 39, 3}, {"game=27cells", 27, 4}} {
		_, n, err := NewInfo(line(c.cells, c.pieces, true), true, "test")
		if err != nil {
			b.Fatal(err)
		}
		const count = 1 << 12
		var positions [count][2]bitboard.Set128
		from := n.Size() / 3
		b.Run(c.name+"/op=walk", func(b *testing.B) {
			for b.Loop() {
				n.Walk(from, count, func(i int, mover, other bitboard.Set128) { positions[i] = [2]bitboard.Set128{mover, other} })
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/count, "ns/position")
		})
		b.Run(c.name+"/op=index", func(b *testing.B) {
			for b.Loop() {
				for i, p := range positions {
					if got, err := n.Index(p[0], p[1]); err != nil || got != from+uint64(i) {
						b.Fatalf("position %d has number %d, %v", from+uint64(i), got, err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/count, "ns/position")
		})
	}
}
