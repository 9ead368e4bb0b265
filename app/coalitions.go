package app

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/internal/cli"
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
	var most int
	cmd := &cobra.Command{
		Use:   "coalitions GAME",
		Short: "solve a small game completely for every set of seats",
		Long: `coalitions finds what every set of seats can force against all others from the
start of a game, with any number of seats: a win for one of the set, a draw, or
neither. It visits every position that can be reached, on one thread and in 1 KiB
of --mem each. A game that may have more positions than --mem has room for is
refused, unless --max-positions says how many to visit before giving up.`,
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
			limit, err := coalitionLimit(a, cmd, g, job.Mem, most)
			if err != nil {
				return err
			}
			defer job.LimitHeap()()
			begin := time.Now()
			return cli.Run(&job.Output, &a.Progress, cmd, "positions", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]coalitionRecord, error) {
				c, err := coalition.Solve(ctx, g, limit, bar.Share)
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
	job.Output.Flags(cmd)
	job.MemFlag(cmd) // one thread does it
	cli.Before(cmd, func() error { return job.Resolve(cmd, cli.ProgramMemory, 0) })
	cli.Number(cmd, &most, "max-positions", 0, "give up after `N` positions (default: all that there may be must have room)")
	return cmd
}

// coalitionLimit is how many positions are visited at most. It refuses what may not
// fit the memory, unless most, the flag --max-positions, bounds it.
func coalitionLimit(a *family.App, cmd *cobra.Command, g game.Game, mem cli.Size, most int) (int, error) {
	room := int(mem / coalition.BytesPerPosition)
	if cmd.Flags().Changed("max-positions") {
		if most < 1 || most > room {
			return 0, cli.Usagef("--max-positions %d: want 1 to %d, for which --mem %v has room", most, room, mem)
		}
		return most, nil
	}
	fam, err := a.Find(g.ID())
	if err != nil || !fam.Bounded {
		return room, err
	}
	n, ok := new(big.Int).SetString(string(fam.Info(g).Positions), 10)
	if !ok || n.Cmp(big.NewInt(int64(room))) <= 0 {
		return room, nil
	}
	need := cli.Magnitude(n) + " KiB"
	if n.IsInt64() && n.Int64() < 1<<50 {
		need = "--mem " + cli.Size(n.Int64()*coalition.BytesPerPosition).Enough()
	}
	return 0, cli.Usagef("%s may have %s positions, which take %s: --mem %v has room for %v; --max-positions N visits as many and then gives up",
		g.ID(), family.Number(n.String()), need, mem, cli.Count(room))
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
