package retro

import (
	"perfectplay/game"
	"perfectplay/game/gametest"
)

// Boards for tests are built from coordinates, without the rules packages.
var diamond, star = gametest.Diamond, gametest.Star

// ruled returns t under the rules that the letters name: f filled, g stay in
// goal, o stay out, n no transit, i mover won is illegal.
func ruled(t *game.TwoArmy, letters string) *game.TwoArmy {
	for _, c := range letters {
		switch c {
		case 'f':
			t.Filled = true
		case 'g':
			t.StayInGoal = true
		case 'o':
			t.StayOut = true
		case 'n':
			t.NoTransit = true
		case 'i':
			t.MoverWonIllegal = true
		default:
			panic("retro: no such rule")
		}
	}
	t.Rules = letters
	return t
}
