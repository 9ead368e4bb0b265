// Package command holds the subcommands on Chinese Checkers, and what the
// commands on any game know of it.
package command

import (
	"context"
	"fmt"
	"math/big"
	"runtime"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/internal/family"
)

// Family describes Chinese Checkers to the command.
func Family() family.Family {
	f := family.Family{
		Name:  "halma",
		About: "Chinese Checkers (Sternhalma): stars of 13, 37, 73, 121 holes for 2, 3, 4, 6 players; diamonds for 2",
		Open: func(id, rules string) (game.Game, error) {
			if rules == "" {
				rules = "base"
			}
			g, err := halma.ByID(id, rules)
			if err != nil {
				return nil, err // not g: a nil pointer in an interface is not nil
			}
			return g, nil
		},
		Reference: func(g game.Game) (game.Game, error) { return g.(*halma.Game).Mailbox(), nil },
		Info:      describe,
		Plan:      plan,
		IDs:       ids,
		Known: map[string][]string{
			"halma": {"halma-star37-2p", "halma-star121-6p", "halma-5x5p3"}, "sternhalma": {"halma-star37-2p", "halma-star121-6p"},
			"chinesecheckers": {"halma-star37-2p", "halma-star121-6p"}, "chinesechecker": {"halma-star37-2p", "halma-star121-6p"},
			"checkers": {"halma-star37-2p", "halma-star121-6p"}, "chinese": {"halma-star37-2p", "halma-star121-6p"},
			"tiaoqi": {"halma-star121-6p"}, "star": {"halma-star37-2p", "halma-star121-6p"}, "diamond": {"halma-5x5p3", "halma-7x7p6"},
		},
		Commands: func(a *family.App) []*cobra.Command {
			return []*cobra.Command{newStrongCommand(a), newSolitaireCommand(a), newProbeCommand(a), newVerifyCommand(a), newThesisCommand(a)}
		},
		Repro: func(a *family.App) []*cobra.Command {
			return []*cobra.Command{newReproThesisCommand(a), newReproStrongCommand(a)}
		},
	}
	for _, name := range halma.Presets() {
		r, err := halma.Preset(name)
		if err != nil {
			continue // a preset that is listed is known
		}
		f.Rules = append(f.Rules, family.RuleDoc{Name: name, About: r.Describe()})
	}
	return f
}

// ids lists every board and number of seats.
func ids() []string {
	var ids []string
	for _, holes := range []int{13, 37, 73, 121} {
		for _, seats := range []int{2, 3, 4, 6} {
			ids = append(ids, fmt.Sprintf("halma-star%d-%dp", holes, seats))
		}
	}
	for n := 2; n <= 11; n++ {
		for _, pieces := range []int{1, 2, 3, 4, 6, 10} {
			if _, err := halma.Diamond(n, pieces); err == nil {
				ids = append(ids, fmt.Sprintf("halma-%dx%dp%d", n, n, pieces))
			}
		}
	}
	return ids
}

// describe counts the positions of a game.
func describe(g game.Game) family.Info {
	h := g.(*halma.Game)
	cells, pieces, seats := h.Board().Cells(), h.Board().Pieces(), h.Seats()
	placements := big.NewInt(1)
	for s := range seats {
		placements.Mul(placements, new(big.Int).Binomial(int64(cells-s*pieces), int64(pieces)))
	}
	positions := new(big.Int).Mul(placements, big.NewInt(int64(seats)))
	// With two seats the board turned and the seats exchanged is the same game.
	states := positions
	if seats == 2 {
		states = placements
	}
	info := family.NewInfo(positions, states)
	info.Cells, info.Pieces, info.Placements = cells, pieces, family.Number(placements.String())
	info.Counted, info.Stored = "placements with each seat to move", "up to exchange of seats"
	return info
}

// plan finds out what a strong solution takes, if there is one for such games.
func plan(ctx context.Context, g game.Game, i *family.Info) error {
	h := g.(*halma.Game)
	if h.Seats() != 2 {
		return nil
	}
	spec, err := h.TwoArmy()
	if err != nil {
		return err
	}
	o := strong.Options{Threads: runtime.GOMAXPROCS(0)}
	if _, err := strong.NewPlan(spec, o); err != nil {
		i.Values = "no: " + err.Error()
		return nil
	}
	whole, err := strong.Estimate(ctx, spec)
	if err != nil {
		return err
	}
	values, err := newPlanRecord(spec, o, whole)
	if err != nil {
		return err
	}
	o.Distances = true
	distances, err := newPlanRecord(spec, o, whole)
	if err != nil {
		return err
	}
	i.ValuesMemory, i.ValuesLeast = &values.Bytes, &values.Least
	i.DistancesMemory, i.DistancesLeast = &distances.Bytes, &distances.Least
	i.StrongSeconds = &values.Seconds
	i.Values, i.ValuesTable = values.Memory, values.Compressed
	i.Distances, i.DistancesTable, i.Time = distances.Memory, distances.Compressed, values.Time
	return nil
}
