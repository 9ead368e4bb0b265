package solitaire

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/rank"
)

var solvedBoards = flag.Int("solved", 100, "random boards of TestCrosser")

// TestCrosser compares shortest ways from home and from other placements, on boards of random
// shape, camps and rules, with a search backwards over plain moves: bounds may go wrong at holes,
// dead ends and narrow lines.
func TestCrosser(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 12))
	ctx := context.Background()
	crossed, boards := 0, *solvedBoards
	if testing.Short() {
		boards /= 4
	}
	for n := 0; n < boards; {
		spec := randomBoard(random)
		if spec == nil || spec.Check() != nil {
			continue
		}
		n++
		all, want := plainDistances(t, spec)
		if _, _, err := newLines(spec); err != nil {
			continue // the board is not connected, or no direction leads to the goal
		}
		c, err := NewCrosser(spec, Options{Threads: 1 + n%2})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 8 {
			x := all[random.IntN(len(all))]
			if i == 0 {
				x = halma.SetOf(spec.Home)
			}
			d, ok := want[x]
			if !ok {
				continue
			}
			way, err := c.Cross(ctx, x)
			if err != nil || way.Bound != d || len(way.Moves) != d {
				t.Fatalf("%+v: from %v: %+v, %v: want %d moves", spec, x, way, err, d)
			}
			replay(t, spec, x, way.Moves)
			crossed++
		}
	}
	if crossed < boards {
		t.Errorf("%d ways", crossed)
	}
}

// plainDistances lists all placements off closed cells, and the distance to the goal of placements
// with a way.
func plainDistances(t *testing.T, spec *halma.TwoArmy) (all []bitboard.Set128, turns map[bitboard.Set128]int) {
	t.Helper()
	sets, err := rank.NewSubsets(spec.Cells, spec.Pieces)
	if err != nil {
		t.Fatal(err)
	}
	from := map[bitboard.Set128][]bitboard.Set128{}
	for i := range sets.Size() {
		x := sets.Unrank(i)
		if !x.And(halma.SetOf(spec.Closed)).IsEmpty() {
			continue
		}
		all = append(all, x)
		for _, y := range plainMoves(spec, x) {
			from[y] = append(from[y], x)
		}
	}
	goal := halma.SetOf(spec.Goal)
	turns = map[bitboard.Set128]int{goal: 0}
	for level := []bitboard.Set128{goal}; len(level) > 0; {
		var next []bitboard.Set128
		for _, y := range level {
			for _, x := range from[y] {
				if _, ok := turns[x]; !ok {
					turns[x] = turns[y] + 1
					next = append(next, x)
				}
			}
		}
		level = next
	}
	return all, turns
}
