package strong

import (
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
)

var diamond, star = halmatest.Diamond, halmatest.Star

// ruled returns t under the rules that the letters name: f goal filled, e home empty, g stay in
// goal, o stay out of home, G, H and C transit through goal, home and closed cells, i a position
// that its mover has won is illegal, b two blockades.
func ruled(t *halma.TwoArmy, letters string) *halma.TwoArmy {
	for _, c := range letters {
		switch c {
		case 'f':
			t.Filled = true
		case 'e':
			t.HomeEmpty = true
		case 'g':
			t.StayInGoal = true
		case 'o':
			t.StayOut = true
		case 'G':
			t.GoalTransit = true
		case 'H':
			t.HomeTransit = true
		case 'C':
			t.ClosedTransit = true
		case 'i':
			t.MoverWonIllegal = true
		case 'b':
			for _, mover := range []bool{false, true} {
				t.Blockades = append(t.Blockades, halma.Blockade{Empty: t.Goal[0], Held: t.Goal[len(t.Goal)/2:], ByMover: mover},
					halma.Blockade{Empty: t.Home[0], Held: t.Home[len(t.Home)/2:], ByMover: mover})
			}
		default:
			panic("strong: no such rule")
		}
	}
	t.Rules = letters
	return t
}
