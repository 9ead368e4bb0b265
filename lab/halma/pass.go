package halma

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/store"
)

type passFlags struct {
	family.Flags
	job       cli.Job
	dir       string
	stripes   int
	distances bool // distances are wanted; read only for a new directory
	pass      int
	part      string
	finish    bool
	short     time.Duration
}

type taskRecord struct {
	Pass int    `json:"pass"`
	Part string `json:"part"`
	Done int    `json:"done"` // number of tiles done
}

// passRecord counts the positions decided in a pass; with distances, the positions at distance
// Pass−1.
type passRecord struct {
	Pass    int      `json:"pass"`
	Wins    uint64   `json:"wins"`
	Losses  uint64   `json:"losses"`
	Decided uint64   `json:"decided"` // places decided for the next pass
	Read    cli.Size `json:"read_bytes"`
	Written cli.Size `json:"written_bytes"`
	Last    bool     `json:"last"`
}

// Pass returns the command lab cluster pass.
func Pass(a *family.App) *cobra.Command {
	var f passFlags
	cmd := &cobra.Command{
		Use:   "pass GAME --work DIR --tasks N --pass P --part I/N | --finish",
		Short: "do tasks of a pass of a solve on machines that share DIR",
		Long: `pass does a part of the work of solve strong on a game of Chinese Checkers for two,
as the scripts of lab cluster slurm and kubernetes ask for it: tasks of a pass
(--pass P --part I/N) in any order, then the end of the pass (--pass P --finish),
from pass 0 until one says that it is the last. Then solve strong --work DIR writes
the table and the answer. A task may be killed, run twice and run late.`,
		Example: `  lab cluster pass halma-5x5p3 --work tiles --tasks 4 --pass 0 --part 1/1
  lab cluster pass halma-5x5p3 --work tiles --pass 0 --finish`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Flags(cmd, 1)
	cli.WorkFlag(cmd, &f.dir)
	fl := cmd.Flags()
	fl.BoolVar(&f.distances, "distances", false, "find distances, too: in a new DIR")
	cli.Number(cmd, &f.stripes, "tasks", 0, "divide the table into `N` tiles (default: by --mem)")
	cli.Number(cmd, &f.pass, "pass", 0, "do tasks of pass `P`, from 0 on")
	fl.StringVar(&f.part, "part", "", "do part `I/N` of the work only; auto/N takes I from a scheduler's array")
	fl.BoolVar(&f.finish, "finish", false, "check what the tasks of the pass have written, and say whether it is the last")
	fl.DurationVar(&f.short, "short", 0, "also do following passes estimated below `TIME` of processor time")
	cli.Rules(cmd, cli.Wants("work"), cli.Wants("pass"), cli.Wants("part", "finish"),
		cli.AtLeast("tasks", 1), cli.Excludes("part", "finish"), cli.Needs("short", "finish"), cli.AtLeast("short", 0))
	return cmd
}

func (f *passFlags) run(a *family.App, cmd *cobra.Command, id string) error {
	spec, err := InTasks(f.Open(id))
	if err != nil {
		return err
	}
	o := strong.Options{Distances: f.distances, Threads: f.job.Threads, Memory: uint64(f.job.Mem), Work: f.dir, Stripes: f.stripes}
	if _, err := strong.NewPlan(spec, o); err != nil {
		return cli.Usage(err)
	}
	if err := errors.Join(f.job.Outside("the directory of the state "+f.dir, f.dir), files.MakeDir("the state", f.dir)); err != nil {
		return err
	}
	defer f.job.LimitHeap()()
	tiles, err := strong.OpenTiles(spec, o)
	if errors.Is(err, store.ErrChanged) {
		return fmt.Errorf("%w: start over in another directory", err)
	} else if err != nil {
		return err
	}
	if f.finish {
		return cli.Run(&f.job.Output, &a.Progress, cmd, "checking", cli.Shares, func(ctx context.Context, _ *cli.Bar) ([]passRecord, error) {
			ended, err := tiles.FinishOn(ctx, f.pass, f.job.Threads, f.short)
			var records []passRecord
			for _, r := range ended {
				records = append(records, passRecord{r.Pass, r.Wins, r.Losses, r.Sent, cli.Size(r.Read), cli.Size(r.Written), r.Final})
			}
			return records, err
		}, cli.Fields[passRecord]("pass=pass", "won=wins", "lost=losses", "decided=decided:%s places for the next pass", "files=read_bytes,written_bytes:%s read, %s written", "last=last"))
	}
	part, err := cli.ReadPart(f.part)
	if err != nil {
		return err
	}
	from, to := (part.I-1)*tiles.Count()/part.N, part.I*tiles.Count()/part.N
	return cli.Run(&f.job.Output, &a.Progress, cmd, "solving", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]taskRecord, error) {
		err := tiles.Tasks(ctx, f.pass, from, to, f.job.Threads, func(done int) { bar.Share(float64(done) / float64(to-from)) })
		if err != nil {
			return nil, err
		}
		return []taskRecord{{f.pass, part.String(), to - from}}, nil
	}, cli.Fields[taskRecord]("pass=pass", "part=part,done:%s, %s tiles done"))
}

// InTasks returns the data of a game, as it was opened, that tasks can solve.
func InTasks(g game.Game, err error) (*halma.TwoArmy, error) {
	if err != nil {
		return nil, err
	}
	h, ok := g.(*halma.Game)
	if !ok || h.Seats() != 2 {
		return nil, cli.Usagef("%s: tasks are for Chinese Checkers for two", g.ID())
	}
	spec, err := h.TwoArmy()
	return spec, cli.Usage(err)
}
