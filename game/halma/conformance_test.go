package halma

import (
	"testing"

	"perfectplay/game/gametest"
)

func TestConformance(t *testing.T) {
	for _, g := range variants(t) {
		t.Run(g.ID()+"/"+g.Rules(), func(t *testing.T) {
			gametest.Config{Games: 4, Plies: 150, Thorough: 6}.Run(t, g)
		})
	}
}
