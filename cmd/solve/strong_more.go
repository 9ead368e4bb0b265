package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/bench/strong"
	"perfectplay/game"
	"perfectplay/game/halma"
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

// solitaireRecord is one army crossing an empty board.
type solitaireRecord struct {
	Game       string   `json:"game"`
	Rules      string   `json:"rules"`
	Placements uint64   `json:"placements"`
	Shortest   int      `json:"shortest"` // moves from home to goal, -1 if there is no way
	Levels     []uint64 `json:"levels"`   // placements by moves from home
	Seconds    float64  `json:"seconds"`
}

// solitaireLimit bounds the placements: they take up to 8 bytes each.
const solitaireLimit = 1 << 31

// runSolitaire prints the level counts of one army alone.
func (f *strongFlags) runSolitaire(cmd *cobra.Command, g game.Game) error {
	h, ok := g.(*halma.Game)
	if !ok || h.Seats() != 2 {
		return cli.Usagef("--solitaire: name a game of Chinese Checkers for two; its first army is moved")
	}
	spec, err := strong.TwoArmy(h)
	if err != nil {
		return err
	}
	begin := time.Now()
	s, err := retro.SolveSolitaire(cmd.Context(), spec, solitaireLimit)
	if errors.Is(err, context.Canceled) {
		return cli.ErrInterrupted
	}
	if err != nil {
		return cli.Usage(err)
	}
	r := solitaireRecord{Game: g.ID(), Rules: g.Rules(), Placements: s.Placements, Shortest: s.Shortest, Levels: s.Levels, Seconds: time.Since(begin).Seconds()}
	if f.json {
		return writeJSON(cmd.OutOrStdout(), r)
	}
	return r.write(cmd.OutOrStdout())
}

// write prints the record for people.
func (r *solitaireRecord) write(w io.Writer) error {
	reached := uint64(0)
	for _, n := range r.Levels {
		reached += n
	}
	fmt.Fprintf(w, "%s, rules %s, one army alone\n", r.Game, r.Rules)
	fmt.Fprintf(w, "shortest crossing: %d moves\n", r.Shortest)
	fmt.Fprintf(w, "placements: %s of %s reached, %d moves at most, in %s\n\n", cli.Count(reached), cli.Count(r.Placements), len(r.Levels)-1,
		cli.Seconds(time.Duration(r.Seconds*float64(time.Second))))
	t := cli.NewTable(">moves", ">placements")
	for d, n := range r.Levels {
		t.Row(d, cli.Count(n))
	}
	return t.Write(w)
}
