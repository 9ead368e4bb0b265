package command

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"perfectplay/game"
	"perfectplay/game/mnk/prove"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// mnkCutsRecord is a proof with parts of the search off.
type mnkCutsRecord struct {
	Game    string  `json:"game"`
	Method  string  `json:"method"`
	Without string  `json:"without"` // the parts that are off
	Value   string  `json:"value"`   // unknown if the limit ended it
	Nodes   uint64  `json:"nodes"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu"` // seconds of processor time
	Rate    float64 `json:"nodes_per_cpu_second"`
}

// mnkCutRuns are the searches that are compared: all parts, each one off, and
// the parts added one by one to a search with forced replies and a table.
func mnkCutRuns() []struct{ method, without string } {
	return []struct{ method, without string }{
		{"zones", ""},
		{"zones", "weights"}, {"zones", "pairing"}, {"zones", "zones"}, {"zones", "forks"}, {"zones", "lambda"}, {"zones", "symmetry"}, {"zones", "walls"},
		{"zones", "weights,pairing,zones,forks,lambda,walls"}, {"zones", "pairing,zones,forks,lambda,walls"}, {"zones", "pairing,zones,lambda,walls"},
		{"numbers", ""}, {"mixed", ""}, {"threats", ""},
	}
}

func newMnkCutsCommand(a *family.App) *cobra.Command {
	var out cli.Output
	var res cli.Resources
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "cuts M N K",
		Short: "prove a value with parts of the search off, side by side",
		Long: `cuts proves the value of a board again and again: with every part of the search,
with each part off, with forced replies and a table alone, with weights added,
then forks, and by the other methods. Nodes count every position looked at, those
of λ-search too. Each search begins with an empty table, on one thread unless
--threads says otherwise, and ends after --limit without an answer.`,
		Example: `  solve mnk cuts 5 5 4
  solve mnk cuts 6 6 4 --csv`,
		Args: cli.Args("M", "N", "K"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.Check(); err != nil {
				return err
			}
			if err := res.Resolve(cmd, prove.MinMemory, mnkTable); err != nil {
				return err
			}
			if !cmd.Flags().Changed("threads") {
				res.Threads = 1
			}
			if limit <= 0 {
				return cli.Usagef("--limit %v: want more than 0", limit)
			}
			records, err := mnkCutsRun(a, cmd, args, res, limit)
			if err != nil {
				return err
			}
			err = cli.Records(&out, cmd, records, func(w io.Writer) error { return mnkCutsText(w, records) })
			if err == nil && cmd.Context().Err() != nil {
				return cli.ErrInterrupted
			}
			return err
		},
	}
	out.Flags(cmd)
	res.Flags(cmd)
	cmd.Flags().DurationVar(&limit, "limit", time.Minute, "give each search up after this time")
	return cmd
}

func mnkCutsRun(a *family.App, cmd *cobra.Command, args []string, res cli.Resources, limit time.Duration) (records []mnkCutsRecord, err error) {
	g, err := mnkGame(args)
	if err != nil {
		return nil, err
	}
	bar := a.Progress.Start(cmd, g.ID()+" nodes", cli.Endless)
	defer bar.Stop()
	done := int64(0)
	for _, run := range mnkCutRuns() {
		if cmd.Context().Err() != nil {
			break
		}
		f := mnkSolveFlags{res: res, method: run.method}
		if run.without != "" {
			f.without = strings.Split(run.without, ",")
		}
		o, err := f.options()
		if err != nil {
			return nil, err
		}
		o.Progress = func(nodes uint64, _ float64) { bar.Set(done + int64(nodes)) }
		p, err := prove.New(g, o)
		if err != nil {
			return nil, cli.Usage(err)
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), limit)
		cpu := cpuTime()
		v, r := p.Value(ctx)
		used := (cpuTime() - cpu).Seconds()
		cancel()
		if err := p.Close(); err != nil {
			return nil, err
		}
		done += int64(r.Nodes)
		rec := mnkCutsRecord{Game: g.ID(), Method: run.method, Without: run.without, Value: mnkValues[v], Nodes: r.Nodes, Seconds: r.Elapsed.Seconds(), CPU: used}
		if used > 0 {
			rec.Rate = float64(r.Nodes) / used
		}
		if v != game.Unknown || cmd.Context().Err() == nil {
			records = append(records, rec)
		}
	}
	return records, nil
}

// cpuTime is the processor time of this process so far.
func cpuTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func mnkCutsText(w io.Writer, records []mnkCutsRecord) error {
	t := cli.NewTable("method", "without", "value", ">nodes", ">time", ">cpu", ">nodes/cpu s")
	for _, r := range records {
		second := float64(time.Second)
		t.Row(r.Method, r.Without, r.Value, cli.Count(r.Nodes), cli.Seconds(time.Duration(r.Seconds*second)), cli.Seconds(time.Duration(r.CPU*second)),
			cli.Rate(r.Nodes, time.Duration(r.CPU*second)))
	}
	return t.Write(w)
}
