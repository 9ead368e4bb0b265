package main

import (
	"fmt"
	"math/big"

	"perfectplay/game"
	"perfectplay/game/domino"
)

// dominoFamily is block dominoes with open hands as one more game to search and
// count, from any deal or position: who wins, not by how much, which solve
// domino deal tells.
func dominoFamily() family {
	return family{
		name:  "domino",
		about: "block dominoes with open hands; --position takes a deal or a position",
		open: func(id, rules string) (game.Game, error) {
			g := domino.Default()
			switch {
			case id != g.ID():
				return nil, fmt.Errorf("game %q: want %s", id, g.ID())
			case rules != "":
				return nil, fmt.Errorf("rules %q: block dominoes have one rule set only", rules)
			}
			return g, nil
		},
		info:  dominoInfo,
		ids:   func() []string { return []string{domino.Default().ID()} },
		rules: []ruleDoc{{"", "whoever the score favours wins; a score of 0 is a draw"}},
	}
}

// dominoInfo counts the deals: tiles stand for cells, and the starter's hand for
// one seat.
func dominoInfo(game.Game) gameInfo {
	games := big.NewInt(domino.GameCount)
	quarter := new(big.Int).Rsh(new(big.Int).Add(games, big.NewInt(3)), 2)
	return gameInfo{
		Cells: domino.Tiles, Pieces: domino.HandSize,
		Placements: games.String(), Positions: games.String(), Bits: new(big.Int).Sub(games, big.NewInt(1)).BitLen(),
		TableStates: games.String(), ValueBytes: quarter.String(), DistBytes: games.String(),
		counted: "deals before the first tile", stored: "before the first tile",
	}
}
