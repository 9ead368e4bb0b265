package halma

import (
	"cmp"
	"strings"
	"testing"

	"perfectplay/game/gametest"
)

func TestConformance(t *testing.T) {
	plies := 150
	if testing.Short() {
		plies = 40
	}
	for _, g := range variants(t) {
		t.Run(g.ID()+"/"+g.Rules(), func(t *testing.T) {
			gametest.Config{Games: 1, Plies: plies, Thorough: 6}.Run(t, g)
		})
	}
	for _, id := range []string{"halma-star13-1p", "halma-star37-1p/house", "halma-star121-1p/liou", "halma-5x5p6-1p/gamesman", "halma-9x9p10-1p/filled+stay-out"} {
		id, rules, _ := strings.Cut(id, "/")
		g, err := ByID(id, cmp.Or(rules, "base"))
		if err != nil {
			t.Error(err)
			continue
		}
		t.Run(id+"/"+rules, func(t *testing.T) {
			gametest.Config{Games: 2, Plies: 150, Thorough: 6}.Run(t, g)
		})
	}
}
