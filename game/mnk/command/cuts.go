package command

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
	"perfectplay/internal/host"
)

// cutsRecord is a proof with parts of the search off.
type cutsRecord struct {
	Game    string      `json:"game"`
	Method  string      `json:"method"`
	Without string      `json:"without"` // the parts that are off
	Value   string      `json:"value"`   // unknown if the limit ended it
	Nodes   uint64      `json:"nodes"`
	Seconds cli.Seconds `json:"seconds"`
	CPU     cli.Seconds `json:"cpu"` // seconds of processor time
	Rate    float64     `json:"nodes_per_cpu_second"`
}

// cutRuns are the searches that are compared: all parts, each one off, and
// the parts added one by one to a search with forced replies and a table.
func cutRuns() []struct{ method, without string } {
	return []struct{ method, without string }{
		{"zones", ""},
		{"zones", "weights"}, {"zones", "pairing"}, {"zones", "zones"}, {"zones", "forks"}, {"zones", "lambda"}, {"zones", "symmetry"}, {"zones", "walls"},
		{"zones", "weights,pairing,zones,forks,lambda,walls"}, {"zones", "pairing,zones,forks,lambda,walls"}, {"zones", "pairing,zones,lambda,walls"},
		{"numbers", ""}, {"mixed", ""}, {"threats", ""},
	}
}

func newCutsCommand(a *family.App) *cobra.Command {
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
			if err := res.Resolve(cmd, prove.MinMemory, defaultTable); err != nil {
				return err
			}
			if !cmd.Flags().Changed("threads") {
				res.Threads = 1
			}
			if limit <= 0 {
				return cli.Usagef("--limit %v: want more than 0", limit)
			}
			g, err := readGame(args)
			if err != nil {
				return err
			}
			return cli.Run(&out, &a.Progress, cmd, g.ID()+" nodes", cli.Endless, func(ctx context.Context, bar *cli.Bar) ([]cutsRecord, error) {
				return runCuts(ctx, bar, g, res, limit)
			}, cutsText)
		},
	}
	out.Flags(cmd)
	res.Flags(cmd)
	cmd.Flags().DurationVar(&limit, "limit", time.Minute, "give each search up after this time")
	return cmd
}

// runCuts proves the value of a game by each search.
func runCuts(ctx context.Context, bar *cli.Bar, g *mnk.Game, res cli.Resources, limit time.Duration) (records []cutsRecord, err error) {
	done := int64(0)
	for _, run := range cutRuns() {
		f := solveFlags{res: res, method: run.method}
		if run.without != "" {
			f.without = strings.Split(run.without, ",")
		}
		o, err := f.options()
		if err != nil {
			return nil, err
		}
		o.Progress = func(nodes uint64, _ float64) { bar.Set(done + int64(nodes)) }
		v, r, used, err := timed(ctx, g, o, limit)
		if err != nil {
			return nil, err
		}
		if v == game.Unknown && ctx.Err() != nil {
			return records, ctx.Err()
		}
		done += int64(r.Nodes)
		rec := cutsRecord{Game: g.ID(), Method: run.method, Without: run.without, Value: values[v], Nodes: r.Nodes, Seconds: cli.Seconds(r.Elapsed), CPU: cli.Seconds(used)}
		if used > 0 {
			rec.Rate = float64(r.Nodes) / used.Seconds()
		}
		records = append(records, rec)
	}
	return records, nil
}

// timed proves a value within a time, and returns the processor time as well.
func timed(ctx context.Context, g *mnk.Game, o prove.Options, limit time.Duration) (v game.Value, r prove.Result, cpu time.Duration, err error) {
	p, err := prove.New(g, o)
	if err != nil {
		return v, r, 0, cli.Usage(err)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cpu = host.ProcessTime()
	v, r = p.Value(ctx)
	return v, r, host.ProcessTime() - cpu, p.Close()
}

// cutsText prints a table of the searches.
func cutsText(w io.Writer, records []cutsRecord) error {
	t := cli.NewTable("method", "without", "value", ">nodes", ">time", ">cpu", ">nodes/cpu s")
	for _, r := range records {
		t.Row(r.Method, r.Without, r.Value, cli.Count(r.Nodes), r.Seconds, r.CPU, cli.Rate(r.Nodes, r.CPU))
	}
	return t.Write(w)
}
