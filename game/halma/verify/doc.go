// Package verify lists the positions of Chinese Checkers for checks of tables against the rules,
// see package solve/retro/verify.
//
// It shares nothing with the makers of tables: moves come from the game's own generators, illegal
// positions are recognised here again, and positions of two armies are numbered again by FORMAT.md
// of package solve/table.
package verify

import (
	"fmt"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/solve/table"
)

// Walker returns a function that makes a lister of a table's positions for a goroutine, within
// memory bytes. reference uses the game's plain second move generator, which is slow.
func Walker(t *table.Table, reference bool, memory uint64) (func() table.Walker, error) {
	g := t.Game().(*halma.Game)
	play := game.Game(g)
	if reference {
		play = g.Mailbox()
	}
	switch name := t.Info().Numbering; name {
	case "mirror-colex":
		return two(g, play, t.Info(), memory)
	case "armies":
		return several(g, play, t)
	default:
		return nil, fmt.Errorf("verify: numbers by %q are not known", name)
	}
}
