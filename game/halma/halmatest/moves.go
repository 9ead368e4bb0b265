package halmatest

import (
	"math/rand/v2"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
)

// Ends returns the cells, other than from, where one turn may lead a piece, with the pieces of
// still around it: by steps, and by hops followed cell by cell.
func Ends(t *halma.TwoArmy, still bitboard.Set128, from int) (ends bitboard.Set128) {
	forbidden := func(from, to int, goal, home, closed bool) bool {
		return goal && slices.Contains(t.Goal, from) && !slices.Contains(t.Goal, to) ||
			home && !slices.Contains(t.Home, from) && slices.Contains(t.Home, to) ||
			closed && slices.Contains(t.Closed, to)
	}
	var hop func(at int)
	seen := bitboard.Cell128(from)
	hop = func(at int) {
		for d := range halma.Dirs {
			over := int(t.Next[at][d])
			if over < 0 || !still.Has(over) {
				continue
			}
			to := int(t.Next[over][d])
			if to < 0 || still.Has(to) || seen.Has(to) ||
				forbidden(at, to, t.StayInGoal && !t.GoalTransit, t.StayOut && !t.HomeTransit, !t.ClosedTransit) {
				continue
			}
			seen = seen.With(to)
			hop(to)
		}
	}
	hop(from)
	ends = seen.Without(from)
	for _, to := range t.Next[from] {
		if to >= 0 && !still.Has(int(to)) {
			ends = ends.With(int(to))
		}
	}
	for to := range ends.Cells() {
		if forbidden(from, to, t.StayInGoal, t.StayOut, true) {
			ends = ends.Without(to)
		}
	}
	return ends
}

// Restrictions are all combinations of rules on moves, by letters: g stay in goal, o stay out,
// G, H and C transit through goal, home and closed cells.
var Restrictions = []string{"", "C", "g", "gG", "o", "oH", "go", "goG", "goH", "goGH", "gC", "gGC", "oC", "oHC", "goC", "goGC", "goHC", "goGHC"}

// Ways counts the turns that random questions cover, by the camps where they begin and end:
// home, goal, neither.
type Ways struct {
	// Others are turns between two cells of a question that are neither neighbours nor a hop apart.
	// Back are cells of a question from which hops lead to no other cell of the question.
	Others [3][3]int
	Back   [3]int
}

// Question returns random pieces that lie still, and free cells where a piece may stand.
func Question(t *halma.TwoArmy, random *rand.Rand) (still, cells bitboard.Set128) {
	sparse := func() bitboard.Set128 {
		s := bitboard.First128(t.Cells)
		for range 1 + random.IntN(3) {
			s = s.And(bitboard.Set128{Lo: random.Uint64(), Hi: random.Uint64()})
		}
		return s
	}
	still = sparse()
	cells = sparse().AndNot(still)
	for _, c := range t.Closed {
		still, cells = still.Without(c), cells.Without(c)
	}
	return still, cells
}

// Before returns the free cells from which a turn leads to another of the cells, and counts these
// turns.
func (w *Ways) Before(t *halma.TwoArmy, still, cells bitboard.Set128) (from bitboard.Set128) {
	for c := range t.Cells {
		if still.Has(c) || slices.Contains(t.Closed, c) {
			continue
		}
		ends := Ends(t, still, c)
		if ends.Meets(cells) {
			from = from.With(c)
		}
		if !cells.Has(c) {
			continue
		}
		beside, first := bitboard.Set128{}, bitboard.Set128{}
		for d, over := range t.Next[c] {
			if over < 0 {
				continue
			}
			beside = beside.With(int(over))
			if to := t.Next[over][d]; to >= 0 && still.Has(int(over)) {
				first = first.With(int(to))
			}
		}
		switch {
		case beside.Or(first).Meets(ends.And(cells)):
		case !ends.Meets(cells):
			if first.Meets(ends) {
				w.Back[camp(t, c)]++
			}
		default:
			for to := range ends.And(cells).Cells() {
				w.Others[camp(t, c)][camp(t, to)]++
			}
		}
	}
	return from
}

func camp(t *halma.TwoArmy, cell int) int {
	switch {
	case slices.Contains(t.Home, cell):
		return 0
	case slices.Contains(t.Goal, cell):
		return 1
	}
	return 2
}

// Missed lists the turns by several hops from camp to camp that the rules allow and no question
// covered.
func (w *Ways) Missed(t *halma.TwoArmy) (missed []string) {
	name := [3]string{"home", "goal", "rest"}
	for from := range 3 {
		for to := range 3 {
			forbidden := t.StayInGoal && from == 1 && to != 1 || t.StayOut && from != 0 && to == 0
			if (w.Others[from][to] == 0) != forbidden {
				missed = append(missed, name[from]+"-"+name[to])
			}
		}
		if w.Back[from] == 0 {
			missed = append(missed, name[from]+" and back")
		}
	}
	return missed
}
