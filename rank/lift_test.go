package rank

import (
	"testing"

	"pgregory.net/rapid"

	"perfectplay/bitboard"
)

// checkLift compares each move of each piece of x with a fresh ranking.
func (s *Subsets) checkLift(t interface{ Fatalf(string, ...any) }, l *Lift, x bitboard.Set128) {
	for from := range x.Cells() {
		rest := x.Without(from)
		free := bitboard.First128(s.n).AndNot(rest)
		s.Lift(l, rest)
		for b := range free.Cells() {
			if got, want := l.Rank(b), s.Rank(rest.With(b)); got != want {
				t.Fatalf("%d of %d: %x and %d: rank %d, want %d", s.k, s.n, rest, b, got, want)
			}
		}
	}
}

func TestLiftExhaustive(t *testing.T) {
	var l Lift
	for n := range 11 {
		for k := range n + 1 {
			s := subsets(t, n, k)
			for _, x := range s.all() {
				s.checkLift(t, &l, x)
			}
		}
	}
	for _, c := range [][2]int{{66, 2}, {128, 1}, {128, 128}, {128, 127}} {
		s := subsets(t, c[0], c[1])
		for _, x := range s.all() {
			s.checkLift(t, &l, x)
		}
	}
}

func TestLiftProperties(t *testing.T) {
	var l Lift
	rapid.Check(t, func(t *rapid.T) {
		s, x := drawSubsets(t)
		s.checkLift(t, &l, x)
	})
}
