package solitaire

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
)

var randomBoards = flag.Int("boards", 200, "random boards of TestRandom")

// TestRandom crosses boards of random shape with random camps, closed cells and rules:
// bounds may go wrong at holes, dead ends and narrow lines.
func TestRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 9))
	crossed, mirrored, dual, longest := 0, 0, 0, 0
	for n := 0; n < *randomBoards; {
		spec := randomBoard(random)
		if spec == nil || spec.Check() != nil {
			continue
		}
		if _, _, err := newLines(spec); err != nil {
			continue // not connected, or no direction leads to the goal
		}
		n++
		want, ok := plainDepths(spec)[halma.SetOf(spec.Goal)]
		if !ok {
			continue
		}
		c, err := Cross(context.Background(), spec, Options{Threads: 1 + n%2})
		if err != nil {
			t.Fatalf("%+v: %v", spec, err)
		}
		if c.Bound != want || len(c.Moves) != want {
			t.Fatalf("%+v: %d moves, at least %d, want %d", spec, len(c.Moves), c.Bound, want)
		}
		replay(t, spec, c.Moves)
		crossed++
		longest = max(longest, want)
		if spec.Mirror != nil {
			mirrored++
		}
		if spec.StayInGoal != spec.StayOut || spec.GoalTransit != spec.HomeTransit {
			dual++
		}
	}
	t.Logf("%d crossed, %d with a mirror, %d unlike their dual; the longest takes %d moves", crossed, mirrored, dual, longest)
	if crossed < *randomBoards/3 || mirrored < *randomBoards/20 || dual < *randomBoards/10 {
		t.Error("too few boards of some kind")
	}
}

// randomBoard leaves out pairs of opposite cells of a diamond, and their mirror images if
// it is to have a mirror. It is nil if too little is left.
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
