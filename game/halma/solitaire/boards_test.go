package solitaire

import (
	"fmt"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
)

var diamond, star = halmatest.Diamond, halmatest.Star

// plainMoves lists the placements after one turn, by halma.TwoArmy alone.
func plainMoves(t *halma.TwoArmy, x bitboard.Set128) (list []bitboard.Set128) {
	for from := range x.Cells() {
		rest := x.Without(from)
		for to := range halmatest.Ends(t, rest, from).Cells() {
			list = append(list, rest.With(to))
		}
	}
	return list
}

// boards are small games: all choices of rules, with and without a mirror, some their own dual.
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
