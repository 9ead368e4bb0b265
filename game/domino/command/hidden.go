package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/domino/equilibrium"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
)

// hiddenRecord is what is known of the value of a game with hidden hands: of all its
// deals, or of those that begin with one tile.
type hiddenRecord struct {
	Game   string            `json:"game"`
	Rules  equilibrium.Rules `json:"rules"`
	Opener string            `json:"opener"`
	equilibrium.Bounds
	Deals      uint64      `json:"opening_deals"`
	Iterations int         `json:"iterations"`
	Numbers    int64       `json:"numbers"`
	Memory     uint64      `json:"memory_bytes"`
	Seconds    cli.Seconds `json:"seconds"`

	openings []equilibrium.Opening
}

// hiddenFlags are the flags of solve domino hidden.
type hiddenFlags struct {
	job        cli.Job
	rules      string
	gap        float64
	iterations int
	time       time.Duration
	every      time.Duration
	checkpoint string
}

func newHiddenCommand(a *family.App) *cobra.Command {
	var f hiddenFlags
	cmd := &cobra.Command{
		Use:   "hidden SET TILES",
		Short: "the value of dominoes with hidden hands, between bounds",
		Long: `hidden solves dominoes where nobody sees the other's hand: SET is double-1 to
double-6, TILES the number that each player gets. It prints first an interval that
holds the value for the starter, in pips a deal: what the starter's strategy gets
against the best answer to it, and what the second player's leaves. Then the same by
opener, the double that starts.

It goes on until the interval of every opener is at most --gap wide, or for
--iterations, or --time. With --checkpoint what is learnt is kept in a directory, every
--interval and at the end; the same command goes on from there, and ends where a run
in one piece does. Memory is refused before the work, with what is needed.

Rules: study is the highest double and the difference of pips; openspiel is that of
OpenSpiel's python_block_dominoes, where the first player starts with any tile, and
who has fewer pips left gets those of the other.`,
		Example: `  solve domino hidden double-3 3
  solve domino hidden double-4 4 --gap 1e-5
  solve domino hidden double-2 2 --rules openspiel --iterations 20000 --gap 0`,
		Args:              cli.Args("SET", "TILES"),
		ValidArgsFunction: cli.Words(equilibrium.SetNames()),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.job.Flags(cmd, leastMemory)
	fl := cmd.Flags()
	fl.StringVar(&f.rules, "rules", string(equilibrium.Study), "`RULES`: study or openspiel")
	_ = cmd.RegisterFlagCompletionFunc("rules", cli.Words([]string{string(equilibrium.Study), string(equilibrium.OpenSpiel)}))
	fl.Float64Var(&f.gap, "gap", 0.001, "stop where every interval is at most so many `PIPS` wide")
	cli.Number(cmd, &f.iterations, "iterations", 0, "stop after `N` iterations")
	fl.StringVar(&f.checkpoint, "checkpoint", "", "keep checkpoints in `DIR`, and go on from one that is there")
	cli.TimeFlag(cmd, &f.time, 0)
	cli.IntervalFlag(cmd, &f.every, 5*time.Minute)
	return cmd
}

// game reads the arguments, and refuses too little memory.
func (f *hiddenFlags) game(cmd *cobra.Command, args []string) (g equilibrium.Game, r hiddenRecord, err error) {
	tiles, err := strconv.Atoi(args[1])
	if err != nil {
		return g, r, cli.Usagef("%q: want a number of tiles", args[1])
	}
	if g, err = equilibrium.ParseGame(args[0], tiles, equilibrium.Rules(f.rules)); err != nil {
		return g, r, cli.Usage(err)
	}
	if !(f.gap >= 0) {
		return g, r, cli.Usagef("--gap %v: want 0 or more", f.gap)
	}
	most := uint64(cli.Machine())
	if cmd.Flags().Changed("mem") {
		most = uint64(f.job.Mem)
	}
	counts, bytes := g.Size(most, f.job.Threads)
	if counts.Numbers > equilibrium.MaxNumbers {
		return g, r, cli.Usagef("%v: more than %v numbers, of %v at least: too large to solve", g, cli.Count(equilibrium.MaxNumbers), cli.Size(bytes))
	}
	r = hiddenRecord{Game: g.String(), Rules: g.Rules, Opener: "all", Numbers: counts.Numbers, Memory: bytes}
	return g, r, f.job.Resolve(cmd, cli.Size(bytes), 0)
}

func (f *hiddenFlags) run(a *family.App, cmd *cobra.Command, args []string) error {
	g, whole, err := f.game(cmd, args)
	if err != nil {
		return err
	}
	defer f.job.LimitHeap()()
	if f.checkpoint != "" {
		if err := files.MakeDir("the checkpoint", f.checkpoint); err != nil {
			return err
		}
		claim, err := files.Take("the checkpoint", f.checkpoint)
		if err != nil {
			return err
		}
		defer claim.Release()
	}
	begin := time.Now()
	s, err := equilibrium.New(g)
	if err != nil {
		return cli.Usage(err)
	}
	if f.checkpoint != "" {
		if err := s.Load(f.checkpoint); err != nil {
			return err
		}
	}
	return cli.Run(&f.job.Output, &a.Progress, cmd, g.String(), cli.Endless, func(ctx context.Context, bar *cli.Bar) ([]hiddenRecord, error) {
		limited := ctx
		if f.time > 0 {
			var cancel context.CancelFunc
			limited, cancel = context.WithTimeout(ctx, f.time-time.Since(begin))
			defer cancel()
		}
		saved := time.Now()
		o := equilibrium.Options{Threads: f.job.Threads, Iterations: f.iterations, Gap: f.gap}
		o.Progress = func(list []equilibrium.Opening) {
			v := equilibrium.Value(list)
			bar.Describe("%v: %.6f to %.6f", g, v.Low, v.High)
		}
		o.Save = func() error {
			if f.checkpoint == "" || time.Since(saved) < f.every {
				return nil
			}
			saved = time.Now()
			return s.Save(f.checkpoint)
		}
		list, stopped := s.Run(limited, o)
		if errors.Is(stopped, context.DeadlineExceeded) && ctx.Err() == nil {
			stopped = nil
		}
		if stopped != nil && ctx.Err() == nil {
			return nil, stopped
		}
		if f.checkpoint != "" {
			if err := s.Save(f.checkpoint); err != nil {
				return nil, err
			}
			stopped = cli.Saved(stopped)
		}
		whole.Seconds = cli.Since(begin)
		return hiddenRecords(whole, list), stopped
	}, writeHidden)
}

// hiddenRecords are the whole game and its openings.
func hiddenRecords(whole hiddenRecord, list []equilibrium.Opening) []hiddenRecord {
	whole.Bounds, whole.openings = equilibrium.Value(list), list
	records := []hiddenRecord{whole}
	for _, o := range list {
		records[0].Deals += o.Deals
		records[0].Iterations = max(records[0].Iterations, o.Iterations)
		r := whole
		r.Opener, r.Bounds, r.Deals, r.Iterations = o.Opener, o.Bounds, o.Deals, o.Iterations
		records = append(records, r)
	}
	return records
}

// writeHidden prints the interval, then the openings.
func writeHidden(w io.Writer, records []hiddenRecord) error {
	all := records[0]
	if _, err := fmt.Fprintf(w, "%s, hidden hands, %s rules: the value for the starter is between %.9f and %.9f pips a deal, %.2g apart\n"+
		"%v numbers, %v of memory, %v iterations, %v\n",
		all.Game, all.Rules, all.Low, all.High, all.Gap, cli.Count(all.Numbers), cli.Size(all.Memory), cli.Count(int64(all.Iterations)), all.Seconds); err != nil {
		return err
	}
	return cli.Grid[hiddenRecord]("opener", "deals=opening_deals", "low=low:%.9f", "high=high:%.9f", "gap=gap:%.2g", "iterations")(w, records)
}
