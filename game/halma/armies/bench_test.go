package armies

import (
	"context"
	"path/filepath"
	"testing"

	"perfectplay/game/halma"
	"perfectplay/solve/table"
)

// fewer is the star of 37 holes for three with one or two pieces each, in the outermost cells of
// their tips.
func fewer(t testing.TB, pieces int, rules string) *halma.Armies {
	t.Helper()
	_, spec := described(t, "halma-star37-3p", rules)
	spec.ID, spec.Pieces = "fewer", pieces
	turn := sixthTurns(spec.At, 2)
	home, goal := []int{36, 34}[:pieces], []int{0, 2}[:pieces]
	next := func(cells []int) (list []int) {
		for _, c := range cells {
			list = append(list, int(turn[c]))
		}
		return list
	}
	for seat := range 3 {
		spec.Home[seat], spec.Goal[seat] = home, goal
		home, goal = next(home), next(goal)
	}
	if err := spec.Check(); err != nil {
		t.Fatal(err)
	}
	return spec
}

func BenchmarkSolve(b *testing.B) {
	for _, rules := range []string{"liou", "house", "house-code"} {
		b.Run("pieces=2,rules="+rules, func(b *testing.B) {
			spec := fewer(b, 2, rules)
			var n uint64
			for b.Loop() {
				s, err := Solve(context.Background(), spec, Options{Threads: 1})
				if err != nil {
					b.Fatal(err)
				}
				n = s.Positions
				s.Close()
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

// BenchmarkTable writes a table, counts its positions meanwhile, and then checks it.
func BenchmarkTable(b *testing.B) {
	spec := fewer(b, 2, "liou")
	s := solved(b, spec, Options{})
	name := filepath.Join(b.TempDir(), "table")
	b.Run("work=write,pieces=2", func(b *testing.B) {
		for b.Loop() {
			write(b, s, name, s.Census(nil), 1, table.LongDistance)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.Positions), "ns/op")
	})
	b.Run("work=count,pieces=2", func(b *testing.B) {
		for b.Loop() {
			if err := s.Census(nil).Count(context.Background(), 1, func(float64) {}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.Positions), "ns/op")
	})
	b.Run("work=check,pieces=2", func(b *testing.B) {
		table := opened(b, name)
		for b.Loop() {
			if err := table.Check(context.Background(), 1, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.Positions), "ns/op")
	})
}
