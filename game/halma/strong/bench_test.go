package strong

import (
	"context"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma/internal/sets"
)

// BenchmarkSolve solves whole boards and checks the published counts.
func BenchmarkSolve(b *testing.B) {
	for _, c := range []struct {
		name      string
		n, pieces int
		distances bool
		wins      uint64
	}{
		{"game=7x7p2,kind=values", 7, 2, false, 1265851},
		{"game=7x7p2,kind=distances", 7, 2, true, 1265851},
		{"game=5x5p3,kind=values", 5, 3, false, 3499722},
		{"game=5x5p3,kind=distances", 5, 3, true, 3499722},
	} {
		b.Run(c.name, func(b *testing.B) {
			spec := ruled(diamond(c.n, c.pieces), "fi")
			var positions uint64
			for b.Loop() {
				s, err := Solve(context.Background(), spec, Options{Distances: c.distances, Threads: 1})
				if err != nil {
					b.Fatal(err)
				}
				if _, wins, _, _ := s.Counts().Published(); wins != c.wins {
					b.Fatalf("%d wins, want %d", wins, c.wins)
				}
				positions += s.Counts().Positions()
			}
			b.ReportMetric(float64(positions)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

// BenchmarkReach times Reach, which finds turns from all cells of a word at once.
func BenchmarkReach(b *testing.B) {
	l, err := newLayout(diamond(7, 3), false)
	if err != nil {
		b.Fatal(err)
	}
	k := l.kernel.(*kernel1)
	brd, row := k.b, k.mover[l.rows/2]
	goals := brd.Cells.And(sets.Set1{A: 0x5555_5555_5555_5555})
	var all sets.Set1
	i := 0
	for b.Loop() {
		var e sets.Edges1
		brd.Edges(&e, k.partial[i].Deposit(brd.Open.AndNot(row)).Or(row))
		all = all.Or(brd.Reach(&e, goals.And(e.Empty)))
		if i++; i == len(k.partial) {
			i = 0
		}
	}
	if !all.Within(brd.Cells) {
		b.Fatal("a cell that does not exist is reached")
	}
}

// BenchmarkRows reads a solved board in the order of a table file and counts the values.
func BenchmarkRows(b *testing.B) {
	spec := ruled(diamond(5, 3), "fi")
	s, err := Solve(context.Background(), spec, Options{})
	if err != nil {
		b.Fatal(err)
	}
	_, n, from, err := s.contents(spec, "")
	if err != nil {
		b.Fatal(err)
	}
	codes := [][]byte{make([]byte, 0, n.Per)}
	for b.Loop() {
		var count [4]uint64
		for task := range n.Size().Blocks {
			codes[0] = codes[0][:0]
			if err := from.Fill(task, codes); err != nil {
				b.Fatal(err)
			}
			for _, c := range codes[0] {
				count[c]++
			}
		}
		// The solver counts mirror images twice.
		if got, all := count[game.Win], s.Counts().Wins; got < all/2 || got > all {
			b.Fatalf("%d wins of %d with their mirror images", got, all)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n.Numbers), "ns/op")
}
