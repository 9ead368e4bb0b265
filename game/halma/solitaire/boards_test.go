package solitaire

import (
	"fmt"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
)

// Boards for tests are built from coordinates, without the rules packages.
var diamond, star = halmatest.Diamond, halmatest.Star

// plainMoves lists the placements after one turn, by halma.TwoArmy alone.
func plainMoves(t *halma.TwoArmy, x bitboard.Set128) (list []bitboard.Set128) {
	ruled := func(from, to int) bool {
		return t.StayInGoal && slices.Contains(t.Goal, from) && !slices.Contains(t.Goal, to) ||
			t.StayOut && !slices.Contains(t.Home, from) && slices.Contains(t.Home, to) || slices.Contains(t.Closed, to)
	}
	hopRuled := func(from, to int) bool {
		return t.StayInGoal && !t.GoalTransit && slices.Contains(t.Goal, from) && !slices.Contains(t.Goal, to) ||
			t.StayOut && !t.HomeTransit && !slices.Contains(t.Home, from) && slices.Contains(t.Home, to) ||
			!t.ClosedTransit && slices.Contains(t.Closed, to)
	}
	for from := range x.Cells() {
		rest := x.Without(from)
		ends := map[int]bool{}
		for d := range 6 {
			if to := int(t.Next[from][d]); to >= 0 && !rest.Has(to) {
				ends[to] = true
			}
		}
		been := map[int]bool{from: true}
		var hop func(at int)
		hop = func(at int) {
			for d := range 6 {
				over := int(t.Next[at][d])
				if over < 0 || !rest.Has(over) {
					continue
				}
				to := int(t.Next[over][d])
				if to < 0 || rest.Has(to) || been[to] || hopRuled(at, to) {
					continue
				}
				been[to], ends[to] = true, true
				hop(to)
			}
		}
		hop(from)
		for to := range ends {
			if !ruled(from, to) {
				list = append(list, rest.With(to))
			}
		}
	}
	return list
}

// plainDepths are the least numbers of moves from home to all reachable placements.
func plainDepths(t *halma.TwoArmy) map[bitboard.Set128]int {
	depth := map[bitboard.Set128]int{halma.SetOf(t.Home): 0}
	level := []bitboard.Set128{halma.SetOf(t.Home)}
	for d := 1; len(level) > 0; d++ {
		var next []bitboard.Set128
		for _, x := range level {
			for _, y := range plainMoves(t, x) {
				if _, ok := depth[y]; !ok {
					depth[y] = d
					next = append(next, y)
				}
			}
		}
		level = next
	}
	return depth
}

// boards are small games: all choices of rules, with and without a mirror,
// games that are their own dual and games that are not.
func boards() (list []*halma.TwoArmy) {
	for _, t := range []*halma.TwoArmy{diamond(3, 1), diamond(3, 2), diamond(3, 3), diamond(4, 3), diamond(5, 2), diamond(5, 3), star(1, false), star(1, true), star(2, true), diamond(4, 6)} {
		for rules := range 32 {
			c := *t
			c.StayInGoal, c.StayOut = rules&1 != 0, rules&2 != 0
			c.GoalTransit, c.HomeTransit, c.ClosedTransit = rules&4 != 0, rules&8 != 0, rules&16 != 0
			if c.GoalTransit && !c.StayInGoal || c.HomeTransit && !c.StayOut || c.ClosedTransit && len(c.Closed) == 0 {
				continue // no cell may be passed
			}
			c.Rules = fmt.Sprint(rules)
			list = append(list, &c)
		}
	}
	return append(list, star(2, false))
}
