package command

import (
	"fmt"
	"math/big"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/internal/family"
)

// Family describes block dominoes with open hands to the command: one more game
// to search and count, from any deal or position. They say who wins, not by how
// much, which solve domino deal tells.
func Family() family.Family {
	return family.Family{
		Name:  "domino",
		About: "block dominoes with open hands; --position takes a deal or a position",
		Open: func(id, rules string) (game.Game, error) {
			g := domino.Default()
			switch {
			case id != g.ID():
				return nil, fmt.Errorf("game %q: want %s", id, g.ID())
			case rules != "":
				return nil, fmt.Errorf("rules %q: block dominoes have one rule set only", rules)
			}
			return g, nil
		},
		Info:     describe,
		IDs:      func() []string { return []string{domino.Default().ID()} },
		Known:    map[string][]string{"dominoes": {"domino"}, "dominos": {"domino"}, "blockdominoes": {"domino"}, "bones": {"domino"}},
		Rules:    []family.RuleDoc{{About: "whoever the score favours wins; a score of 0 is a draw"}},
		Commands: commands,
		Repro:    func(a *family.App) []*cobra.Command { return []*cobra.Command{newReproCommand(a)} },
	}
}

// describe counts the deals: tiles stand for cells, and the starter's hand for
// one seat.
func describe(game.Game) family.Info {
	games := big.NewInt(domino.GameCount)
	info := family.NewInfo(games, games)
	info.Cells, info.Pieces, info.Placements = domino.Tiles, domino.HandSize, family.Number(games.String())
	info.Counted, info.Stored = "deals before the first tile", "before the first tile"
	return info
}
