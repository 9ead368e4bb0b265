package command

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime/debug"
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
	Result    string `json:"result"`
	Distance  int    `json:"distance"` // plies until the game is over, 0 for a draw
	Longest   int    `json:"longest"`  // of all wins it can force from positions that can be reached
}

// runCoalitions prints what every coalition can force.
func (f *strongFlags) runCoalitions(a *family.App, cmd *cobra.Command, g game.Game) error {
	if err := f.res.Resolve(cmd, programMemory, 0); err != nil {
		return err
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(f.res.Mem) - codeMemory))
	bar := a.Progress.Start(cmd, "exploring", cli.Endless)
	defer bar.Stop()
	begin := time.Now()
	c, err := coalition.Solve(cmd.Context(), g, int(f.res.Mem/coalition.BytesPerPosition))
	if errors.Is(err, context.Canceled) {
		return cli.ErrInterrupted
	}
	if err != nil {
		return fmt.Errorf("with --mem %v: %w", f.res.Mem, err)
	}
	bar.Stop()
	var list []coalitionRecord
	sets := make([]int, 0, 1<<g.Seats())
	for seats := 1; seats < 1<<g.Seats(); seats++ {
		sets = append(sets, seats)
	}
	slices.SortStableFunc(sets, func(a, b int) int { return bits.OnesCount(uint(a)) - bits.OnesCount(uint(b)) })
	for _, seats := range sets {
		v, d := c.Start(uint8(seats))
		var names []string
		for s := range g.Seats() {
			if seats>>s&1 != 0 {
				names = append(names, g.SeatName(s))
			}
		}
		list = append(list, coalitionRecord{
			Game: g.ID(), Rules: g.Rules(), Positions: c.Positions(), Coalition: strings.Join(names, "+"),
			Result: v.String(), Distance: d, Longest: c.Longest(uint8(seats)),
		})
	}
	if f.json {
		for _, r := range list {
			if err := cli.JSON(cmd.OutOrStdout(), r); err != nil {
				return err
			}
		}
		return nil
	}
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "%s, rules %s: %s positions can be reached; explored and solved in %s\n\n", g.ID(), g.Rules(), cli.Count(c.Positions()), cli.Seconds(time.Since(begin)))
	t := cli.NewTable("seats", "from the start", ">longest win")
	for _, r := range list {
		t.Row(r.Coalition, worth(r.Result, r.Distance), r.Longest)
	}
	return t.Write(w)
}
