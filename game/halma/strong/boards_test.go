package strong

import (
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
)

// Boards for tests are built from coordinates, without the rules packages.
var diamond, star = halmatest.Diamond, halmatest.Star

// ruled returns t under the rules that the letters name: f filled, g stay in
// goal, o stay out, G, H and C transit through goal, home and closed cells, i mover
// won is illegal.
func ruled(t *halma.TwoArmy, letters string) *halma.TwoArmy {
	for _, c := range letters {
		switch c {
		case 'f':
			t.Filled = true
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
		default:
			panic("strong: no such rule")
		}
	}
	t.Rules = letters
	return t
}
