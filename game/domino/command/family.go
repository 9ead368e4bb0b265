package command

import (
	"math/big"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/domino/census"
	"perfectplay/game/domino/exact"
	"perfectplay/game/domino/oracle"
)

var ours = family.Known{IDs: []string{"domino"}}

// Family describes block dominoes with open hands to the command. Its values say who wins; solve
// domino deal says by how much.
func Family() family.Family {
	return family.Family{
		Wing:   oracle.Wing(),
		Info:   describe,
		Known:  map[string]family.Known{"dominoes": ours, "dominos": ours, "blockdominoes": ours, "bones": ours},
		IsPart: census.Begins, MergeParts: []string{"domino", "merge"},
		Commands: commands,
	}
}

// describe counts the deals: tiles stand for cells, and the starter's hand for a seat's pieces.
func describe(game.Game) family.Info {
	games := big.NewInt(domino.GameCount)
	info := family.NewInfo(games, games)
	info.Cells, info.Pieces, info.Placements = domino.Tiles, domino.HandSize, family.Number(games.String())
	value := game.Draw
	switch score := exact.NewSolver().PositionValue(domino.Default().Start().(interface{ At() domino.Position }).At()); {
	case score > 0:
		value = game.Win
	case score < 0:
		value = game.Loss
	}
	info.Value = value.String()
	info.Counted, info.Stored = "deals before the first tile", " before the first tile"
	return info
}
