package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
	"perfectplay/solve/coalition"
)

// coalitionRecord is what a coalition can force from the start.
type coalitionRecord struct {
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Positions int    `json:"positions"` // that can be reached, with the seat to move
	Coalition string `json:"coalition"` // names of the seats
	family.Worth
	Longest int `json:"longest_win"` // of all wins it can force from positions that can be reached
}

func newCoalitionsCommand(a *family.App) *cobra.Command {
	var f family.Flags
	var job cli.Job
	cmd := &cobra.Command{
		Use:   "coalitions GAME",
		Short: "solve a small game completely for every set of seats",
		Long: `coalitions finds what every set of seats can force against all others from the
start of a game, with any number of seats: a win for one of the set, a draw, or
neither. It visits every position that can be reached, on one thread and in 1 KiB
of --mem each.`,
		Example: `  solve coalitions halma-star13-3p --rules liou
  solve coalitions mnk-3x3k3 --json`,
		GroupID:           cli.GroupSolve,
		Args:              cli.Args("GAME"),
		ValidArgsFunction: a.CompleteGame,
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := f.Open(args[0])
			if err != nil {
				return err
			}
			defer job.LimitHeap()()
			begin := time.Now()
			return cli.Run(&job.Output, &a.Progress, cmd, "exploring", cli.Endless, func(ctx context.Context, _ *cli.Bar) ([]coalitionRecord, error) {
				c, err := coalition.Solve(ctx, g, int(job.Mem/coalition.BytesPerPosition))
				if err != nil && !errors.Is(err, context.Canceled) {
					err = fmt.Errorf("with --mem %v: %w", job.Mem, err)
				}
				if err != nil {
					return nil, err
				}
				return coalitionRecords(g, c), nil
			}, func(w io.Writer, records []coalitionRecord) error {
				fmt.Fprintf(w, "%s: %v positions can be reached; explored and solved in %v\n\n", family.Title(g), cli.Count(records[0].Positions), cli.Since(begin))
				return cli.Grid[coalitionRecord]("seats=coalition", "from the start=Worth", "longest win=longest_win")(w, records)
			})
		},
	}
	f.Flags(a, cmd)
	job.Flags(cmd, cli.ProgramMemory)
	return cmd
}

// coalitionRecords lists the sets of seats, the smallest first.
func coalitionRecords(g game.Game, c *coalition.Solution) []coalitionRecord {
	var list []coalitionRecord
	for seats := 1; seats < 1<<g.Seats(); seats++ {
		v, d := c.Start(uint8(seats))
		var names []string
		for s := range g.Seats() {
			if seats>>s&1 != 0 {
				names = append(names, g.SeatName(s))
			}
		}
		list = append(list, coalitionRecord{
			Game: g.ID(), Rules: g.Rules(), Positions: c.Positions(), Coalition: strings.Join(names, "+"),
			Worth: family.NewWorth(v, d), Longest: c.Longest(uint8(seats)),
		})
	}
	slices.SortStableFunc(list, func(a, b coalitionRecord) int {
		return strings.Count(a.Coalition, "+") - strings.Count(b.Coalition, "+")
	})
	return list
}
