package main

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/solve/retro"
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

// coalitionLimit bounds the positions of a coalition table: about 2 GiB.
const coalitionLimit = 20_000_000

// runCoalitions prints what every coalition can force.
func (f *strongFlags) runCoalitions(a *app, cmd *cobra.Command, g game.Game) error {
	bar := a.progress.Start(cmd, "exploring", -1)
	defer bar.Stop()
	begin := time.Now()
	c, err := retro.SolveCoalitions(cmd.Context(), g, coalitionLimit)
	if errors.Is(err, context.Canceled) {
		return cli.ErrInterrupted
	}
	if err != nil {
		return err
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
			if err := writeJSON(cmd.OutOrStdout(), r); err != nil {
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
