// Package command holds the subcommands on Chinese Checkers, and its entry in the commands on any
// game.
package command

import (
	"context"
	"math/big"
	"runtime"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/oracle"
	"perfectplay/game/halma/verify"
)

// Well-known games and their boards.
var (
	stars    = family.Known{IDs: []string{"halma-star37-2p", "halma-star121-6p"}}
	ours     = family.Known{IDs: append(stars.IDs[:2:2], "halma-5x5p3")}
	diamonds = family.Known{IDs: []string{"halma-5x5p3", "halma-7x7p6"}}
	square   = family.Known{Note: "square Halma is not here: ids such as halma-7x7p6 are diamonds of cells with six neighbours"}
)

func Family() family.Family {
	return family.Family{
		Wing:      oracle.Wing(),
		Reference: func(g game.Game) (game.Game, error) { return g.(*halma.Game).Mailbox(), nil },
		Info:      describe,
		Bounded:   true,
		List:      list,
		Plan:      plan,
		Known: map[string]family.Known{
			"halma": ours, "sternhalma": stars, "chinesecheckers": stars, "chinesechecker": stars, "chinese": stars, "star": stars,
			"tiaoqi": {IDs: []string{"halma-star121-6p"}}, "diamond": diamonds, "squarehalma": square, "halma#x#": square,
			"halma#": square, "halma8x8": square, "halma10x10": square, "halma16x16": square,
		},
		Walker: verify.Walker,
		Solve:  solveTable,
		Strong: strongFor,
		Help:   map[string]family.Help{"strong": strongHelp},
	}
}

// countPositions returns the number of ways to place all pieces, and that number times the seats to
// move.
func countPositions(cells, pieces, seats int) (placements, positions *big.Int) {
	placements = big.NewInt(1)
	for s := range seats {
		placements.Mul(placements, new(big.Int).Binomial(int64(cells-s*pieces), int64(pieces)))
	}
	return placements, new(big.Int).Mul(placements, big.NewInt(int64(seats)))
}

func describe(g game.Game) family.Info {
	h := g.(*halma.Game)
	return sized(h.Board().Cells(), h.Board().Pieces(), h.Seats())
}

// list describes the games of all boards under their first rules.
func list() (infos []family.Info) {
	for _, s := range halma.Sizes() {
		info := sized(s.Cells, s.Pieces, s.Seats)
		info.Game, info.Seats = s.ID, s.Seats
		infos = append(infos, info)
	}
	return infos
}

// sized describes a game by its numbers of cells, pieces of a seat, and seats.
func sized(cells, pieces, seats int) family.Info {
	placements, positions := countPositions(cells, pieces, seats)
	// With two seats, turning the board and exchanging the seats gives the same game.
	states := positions
	if seats == 2 {
		states = placements
	}
	info := family.NewInfo(positions, states)
	info.Cells, info.Pieces, info.Placements = cells, pieces, family.Number(placements.String())
	info.Counted = "placements with each seat to move"
	if seats == 2 {
		info.Stored = " up to exchange of seats"
	}
	return info
}

// plan forecasts the memory and time of a strong solution of a game for two seats or more.
func plan(ctx context.Context, g game.Game, i *family.Info) error {
	if g.Seats() == 1 { // solved by the general solver
		return nil
	}
	s, err := (&strongFlags{Strong: &family.Strong{}}).solver(g.(*halma.Game))
	if err != nil {
		return err
	}
	return family.PlanInfo(ctx, g, i, s, runtime.GOMAXPROCS(0))
}
