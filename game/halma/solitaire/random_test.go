package solitaire

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
)

// randomBoard leaves out pairs of opposite cells of a diamond, and their mirror images if it is to
// have a mirror. The board is nil if too few cells are left.
func randomBoard(random *rand.Rand) *halma.TwoArmy {
	n := 3 + random.IntN(3)
	symmetric := random.IntN(2) == 0
	point := func(x, y int) halma.Point { return halma.Point{X: x, Y: y} }
	gone := map[halma.Point]bool{}
	for range random.IntN(2 * n) {
		p := point(random.IntN(n), random.IntN(n))
		q := point(n-1-p.X, n-1-p.Y)
		gone[p], gone[q] = true, true
		if symmetric {
			gone[point(p.Y, p.X)], gone[point(q.Y, q.X)] = true, true
		}
	}
	var cells []halma.Point
	for k := range 2*n - 1 {
		for x := range n {
			if p := point(x, k-x); p.Y >= 0 && p.Y < n && !gone[p] {
				cells = append(cells, p)
			}
		}
	}
	pieces := 1 + random.IntN(3)
	if len(cells) < 3*pieces || len(cells) < 4 {
		return nil
	}
	t := halmatest.Lattice(fmt.Sprintf("random%d", len(cells)), cells, halmatest.First(pieces))
	if !symmetric {
		t.Mirror = nil
	}
	if random.IntN(2) == 0 {
		// Camps anywhere, each in its half of the list.
		t.Home = random.Perm(len(cells) / 2)[:pieces]
		t.Goal = nil
		for _, c := range t.Home {
			t.Goal = append(t.Goal, int(t.Turn[c]))
			if t.Mirror != nil && !slices.Contains(t.Home, int(t.Mirror[c])) {
				t.Mirror = nil
			}
		}
	}
	if random.IntN(3) == 0 {
		c := random.IntN(len(cells))
		shut := []int{c, int(t.Turn[c])}
		if t.Mirror != nil {
			shut = append(shut, int(t.Mirror[c]), int(t.Turn[t.Mirror[c]]))
		}
		slices.Sort(shut)
		t.Closed = slices.Compact(shut)
	}
	t.StayInGoal, t.StayOut = random.IntN(2) == 0, random.IntN(2) == 0
	t.GoalTransit, t.HomeTransit, t.ClosedTransit = random.IntN(2) == 0, random.IntN(2) == 0, random.IntN(2) == 0
	t.Rules = fmt.Sprint(t.StayInGoal, t.StayOut, t.GoalTransit, t.HomeTransit, t.ClosedTransit)
	return t
}
