// Package command holds the subcommands on m,n,k-games, and their entry in the commands on
// any game.
package command

import (
	"math/big"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/oracle"
)

const connectFour = "Connect Four is not here, but a program of its own: in a clone, cd examples/connectfour && go run . info connect4-7x6; in mnk-6x7k4 stones do not fall"

// Well-known games on our boards.
var (
	three = family.Known{IDs: []string{"mnk-3x3k3"}}
	five  = family.Known{IDs: []string{"mnk-15x15k5"}, Note: "There six and more in a row win, too"}
	all   = family.Known{IDs: []string{"mnk-3x3k3", "mnk-15x15k5"}}
	falls = family.Known{Note: connectFour}
)

// Family describes m,n,k-games to the command.
func Family() family.Family {
	return family.Family{
		Wing:      oracle.Wing(),
		Reference: func(g game.Game) (game.Game, error) { return g.(*mnk.Game).Plain(), nil },
		Info:      describe,
		Bounded:   true,
		Known: map[string]family.Known{
			"tictactoe": three, "noughtsandcrosses": three, "naughtsandcrosses": three, "xo": three, "threeinarow": three,
			"gomoku": five, "fiveinarow": five, "connectfive": five, "connect5": five, "fourinarow": {IDs: []string{"mnk-6x6k4"}},
			"mnkgame": all, "inarow": all, "connect": falls, "connect4": falls, "connectfour": falls, "fourinaline": falls,
		},
		Sets:     map[string][]string{"tournament": mnk.TournamentIDs()},
		Checker:  newChecker,
		Proved:   proved,
		Commands: commands,
	}
}

// describe counts the positions of a game: s stones on N cells, half of them,
// rounded up, of the first player.
func describe(g game.Game) family.Info {
	m := g.(*mnk.Game)
	cells := int64(m.Cells())
	positions, n := new(big.Int), big.NewInt(1)
	for s := range cells + 1 {
		positions.Add(positions, n)
		// C(N,s)·C(s,⌊s/2⌋) for one stone more follows from the number for s.
		n.Div(n.Mul(n, big.NewInt(cells-s)), big.NewInt(s/2+1))
	}
	info := family.NewInfo(positions, positions)
	info.Cells, info.Placements = m.Cells(), family.Number(positions.String())
	switch mnk.Theory(m) {
	case "first":
		info.Value = game.Win.String()
	case "draw":
		info.Value = game.Draw.String()
	}
	info.Counted, info.Stored = "stones placed in turn, unreachable ones included", " without symmetry"
	return info
}
