// Package halma holds the laboratory's commands on Chinese Checkers: shortest crossings of one
// army, the program of a thesis, published figures computed again, and solves on many machines.
package halma

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/halma"
	"perfectplay/game/halma/solitaire"
	"perfectplay/internal/cli"
	"perfectplay/internal/host"
	"perfectplay/rank"
)

type solitaireRecord struct {
	Game       string            `json:"game"`
	Rules      string            `json:"rules"`
	Bound      int               `json:"bound"`    // proved lower bound on the moves of a crossing
	Shortest   *int              `json:"shortest"` // moves of the shortest crossing; nil if none was found or exists
	Moves      []string          `json:"line"`
	Rounds     []solitaire.Round `json:"rounds"`     // lengths tried; the last one succeeded
	Placements *uint64           `json:"placements"` // number of placements of the army; nil if it exceeds 64 bits
	Threads    int               `json:"threads"`
	Memory     cli.Size          `json:"memory_bytes"`
	Seconds    cli.Seconds       `json:"seconds"`
}

// Solitaire returns the command lab solitaire.
func Solitaire(a *family.App) *cobra.Command {
	var f family.Flags
	var job cli.Job
	cmd := &cobra.Command{
		Use:   "solitaire GAME",
		Short: "find a shortest crossing of one army alone on an empty board",
		Long: `solitaire moves the first army of a game for one or two across an empty board. It prints
a shortest way, with what proves that there is no shorter one. Where placements are few,
solve strong solves the game of one army.`,
		Example: `  lab solitaire halma-7x7p6
  lab solitaire halma-star121-2p --mem 2GiB`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := f.Open(args[0])
			if err != nil {
				return err
			}
			h, ok := g.(*halma.Game)
			if !ok || h.Seats() > 2 {
				return cli.Usagef("%s: name a game of Chinese Checkers for one or two; its first army is moved", args[0])
			}
			spec, err := h.FirstArmy()
			if err != nil {
				return err
			}
			if err := job.Resolve(cmd, 0, 0); err != nil {
				return err
			}
			least, err := solitaire.CrossMemory(spec, job.Threads)
			if err != nil {
				return cli.Usage(err)
			}
			if err := job.Resolve(cmd, cli.Size(least)+cli.ProgramMemory, 0); err != nil {
				return err
			}
			defer job.LimitHeap()()
			return cli.Run(&job.Output, &a.Progress, cmd, "crossing", cli.Endless, func(ctx context.Context, bar *cli.Bar) ([]solitaireRecord, error) {
				return cross(ctx, h, spec, job.Resources, bar)
			}, func(w io.Writer, records []solitaireRecord) { records[0].write(w) })
		},
	}
	f.Flags(a, cmd)
	job.Output.Flags(cmd)
	job.Resources.Flags(cmd)
	return cmd
}

// cross finds a shortest crossing. If interrupted or out of memory it returns the results so far.
func cross(ctx context.Context, g *halma.Game, spec *halma.TwoArmy, res cli.Resources, bar *cli.Bar) ([]solitaireRecord, error) {
	o := solitaire.Options{Threads: res.Threads, Memory: uint64(res.Mem - cli.ProgramMemory)}
	r := &solitaireRecord{Game: g.ID(), Rules: g.Rules(), Moves: []string{}, Threads: o.Threads}
	if all, err := rank.Binomial(spec.Cells-len(spec.Closed), spec.Pieces); err == nil {
		r.Placements = &all
	}
	begin := time.Now()
	o.Progress = func(p solitaire.Progress) {
		bar.Describe("%d moves: %v placements after %d", p.Length, cli.Count(p.Placements), p.Depth)
	}
	c, stopped := solitaire.Cross(ctx, spec, o)
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return nil, stopped
	}
	r.Bound, r.Rounds = c.Bound, c.Rounds
	for _, m := range c.Moves {
		r.Moves = append(r.Moves, g.Board().CellName(m.From)+"-"+g.Board().CellName(m.To))
	}
	switch {
	case stopped != nil:
	case c.Full:
		stopped = cli.Incomplete(fmt.Errorf("solitaire: crossings of %d moves: the placements do not fit --mem %v", c.Bound, res.Mem))
	default:
		shortest := len(c.Moves)
		r.Shortest = &shortest
	}
	r.Seconds, r.Memory = cli.Since(begin), cli.Size(host.PeakMemory())
	return []solitaireRecord{*r}, stopped
}

func (r *solitaireRecord) write(w io.Writer) {
	fmt.Fprintf(w, "%s, rules %s, one army alone\n", r.Game, r.Rules)
	switch {
	case r.Shortest != nil:
		fmt.Fprintf(w, "shortest crossing: %d moves\n", *r.Shortest)
		for line := range slices.Chunk(r.Moves, 9) {
			fmt.Fprintf(w, "  %s\n", strings.Join(line, " "))
		}
	default:
		fmt.Fprintf(w, "shortest crossing: not found, at least %d moves\n", r.Bound)
	}
	fmt.Fprintf(w, "in %v on %d threads, %v of memory\n", r.Seconds, r.Threads, r.Memory)
	r.writeRounds(w)
}

func (r *solitaireRecord) all() string {
	if r.Placements == nil {
		return "more than 10^19"
	}
	return cli.Count(*r.Placements).String()
}

type halfRow struct {
	Length int
	Name   string
	solitaire.Half
	Placements cli.Count
}

func (r *solitaireRecord) writeRounds(w io.Writer) {
	fmt.Fprintf(w, "\nproof: the two halves of a crossing, by its number of moves, in %s placements\n\n", r.all())
	var rows []halfRow
	for _, round := range r.Rounds {
		for i, h := range []solitaire.Half{round.Home, round.Goal} {
			row := halfRow{Length: round.Length, Name: []string{"first", "other"}[i], Half: h}
			for _, n := range h.Levels {
				row.Placements += cli.Count(n)
			}
			rows = append(rows, row)
		}
	}
	cli.Grid[halfRow]("length=Length", "half=Name", "moves=plies", "progress needed=progress", "possible=most", "placements=Placements")(w, rows)
}
