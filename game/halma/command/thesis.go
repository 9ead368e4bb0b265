package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/thesis2025"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
	"perfectplay/solve"
)

// thesisFlags are the flags of solve thesis.
type thesisFlags struct {
	family.Flags
	job   cli.Job
	model string
	algo  string
	limit int
}

func newThesisCommand(a *family.App) *cobra.Command {
	var f thesisFlags
	cmd := &cobra.Command{
		Use:   "thesis GAME --model MODEL --limit L",
		Short: "run a program of a thesis of 2025 node for node, defects included",
		Long: `thesis plays the program of a thesis of 2025 node for node, defects included, each
opening with the full limit after it. Its verdicts are not sound; it exists to be
compared with what was printed. See also solve repro halma, and solve search for
sound answers.`,
		Example:           `  solve thesis halma-star37-2p --model tables --limit 12 --csv`,
		GroupID:           cli.GroupCheck,
		Args:              cli.Args("GAME"),
		ValidArgsFunction: a.CompleteGame,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Flags(cmd, 16<<20)
	fl := cmd.Flags()
	fl.StringVar(&f.model, "model", "base", "`MODEL` of play: "+strings.Join(modelNames(), ", "))
	fl.StringVar(&f.algo, "algo", "", "`ENGINE`: alphabeta, paranoid, maxn (default: alphabeta for two seats, else paranoid)")
	fl.IntVarP(&f.limit, "limit", "l", 0, "horizon: `L` plies after each opening")
	_ = cmd.RegisterFlagCompletionFunc("model", cobra.FixedCompletions(modelNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// modelNames lists the programs of 2025.
func modelNames() []string {
	var names []string
	for m := thesis2025.Base; m <= thesis2025.MoveOrdering; m++ {
		names = append(names, strings.ToLower(m.String()))
	}
	return names
}

// config turns the flags into a run of a program.
func (f *thesisFlags) config(cmd *cobra.Command, id string) (thesis2025.Config, error) {
	var c thesis2025.Config
	model, err := thesis2025.ParseModel(f.model)
	if err != nil {
		return c, cli.Usagef("--model %q: want %s", f.model, strings.Join(modelNames(), ", "))
	}
	if f.Rules != "" && f.Rules != model.Rules() {
		return c, cli.Usagef("--rules %s: model %s plays by %s", f.Rules, strings.ToLower(model.String()), model.Rules())
	}
	f.Rules = model.Rules()
	g, err := f.Open(id)
	if err != nil {
		return c, err
	}
	h, ok := g.(*halma.Game)
	if !ok || !h.Board().IsStar() {
		return c, cli.Usagef("--model %s: %s is not a star of Chinese Checkers", f.model, id)
	}
	algorithm := thesis2025.Paranoid
	switch {
	case f.algo == "" && h.Seats() == 2, f.algo == string(solve.AlphaBeta):
		algorithm = thesis2025.Minimax
	case f.algo == "", f.algo == string(solve.Paranoid):
	case f.algo == string(solve.MaxN):
		algorithm = thesis2025.MaxN
	default:
		return c, cli.Usagef("--algo %q: the programs of 2025 have alphabeta, paranoid and maxn", f.algo)
	}
	if !cmd.Flags().Changed("limit") {
		return c, cli.Usagef("missing --limit")
	}
	if f.limit < 1 || f.limit > thesis2025.MaxLimit {
		return c, cli.Usagef("--limit %d: want 1 to %d plies", f.limit, thesis2025.MaxLimit)
	}
	c = thesis2025.Config{Model: model, Players: h.Seats(), Pieces: h.Board().Pieces(), Algorithm: algorithm, Limit: f.limit}
	return c, cli.Usage(c.Validate())
}

// run searches with a program, each opening by itself.
func (f *thesisFlags) run(a *family.App, cmd *cobra.Command, id string) error {
	c, err := f.config(cmd, id)
	if err != nil {
		return err
	}
	n, err := thesis2025.Openings(c)
	if err != nil {
		return cli.Usage(err)
	}
	configs := make([]thesis2025.Config, n)
	for i := range configs {
		configs[i] = c
		configs[i].Opening = i + 1
	}
	return cli.Run(&f.job.Output, &a.Progress, cmd, "openings", int64(n), func(ctx context.Context, bar *cli.Bar) ([]solve.Record, error) {
		begin := time.Now()
		rows, err := runThesis(ctx, configs, f.job.Resources, bar)
		return thesisRecords(rows, configs, algoName(c), time.Since(begin)), cli.Incomplete(err)
	}, func(w io.Writer, records []solve.Record) error {
		fmt.Fprintf(w, "%s, the program of 2025, model %v, %v, %d turns after the opening\n", id, c.Model, c.Algorithm, c.Limit)
		fmt.Fprintf(w, "Its verdicts are not sound; solve search answers soundly.\n\n")
		t := cli.NewTable(">opening", "move", "result", ">nodes", ">terminals", ">cutoffs", ">stored", ">hits", ">time")
		for _, r := range records {
			name := any(r.Opening)
			if r.Opening == 0 {
				name = "whole"
			}
			t.Row(name, r.Move, r.Result, r.Nodes, r.Terminals, r.Cutoffs, r.TTStored, r.TTHits, cli.Seconds(r.Seconds*float64(time.Second)))
		}
		return t.Write(w)
	})
}

// algoName is the algorithm as records name it.
func algoName(c thesis2025.Config) string {
	if c.Algorithm == thesis2025.Minimax {
		return string(solve.AlphaBeta)
	}
	return c.Algorithm.String()
}

// runThesis runs configurations on several threads, which share the memory, and
// returns a row for each, nil where it did not come to its end. One that fails
// does not keep the others from theirs. The error is that of the context, or the
// first that occurred.
func runThesis(ctx context.Context, configs []thesis2025.Config, res cli.Resources, bar *cli.Bar) ([]*thesis2025.Row, error) {
	rows := make([]*thesis2025.Row, len(configs))
	errs := make([]error, len(configs))
	threads := min(res.Threads, len(configs))
	var nodes atomic.Int64
	cli.Parallel(ctx, threads, len(configs), func(i int) {
		c := configs[i]
		c.MemoryBytes = int64(res.Mem) / int64(threads)
		seen := int64(0)
		row, err := thesis2025.Run(ctx, c, func(p thesis2025.Progress) {
			now := int64(p.Nodes)
			bar.Describe("openings, %v nodes", cli.Count(nodes.Add(now-seen)))
			seen = now
		})
		if err != nil {
			errs[i] = fmt.Errorf("opening %d: %w", c.Opening, err)
			return
		}
		nodes.Add(int64(row.Nodes) - seen)
		rows[i] = &row
		bar.Add(1)
	})
	return rows, cmp.Or(ctx.Err(), cmp.Or(errs...))
}

// thesisRecords turns rows into records: the openings, then their sum. The sum's
// result is the best of the openings by the program's own verdicts, seat 1
// choosing; unknown where one is missing.
func thesisRecords(rows []*thesis2025.Row, configs []thesis2025.Config, algo string, elapsed time.Duration) []solve.Record {
	var records []solve.Record
	var results []string
	base := func(c thesis2025.Config) solve.Record {
		return solve.Record{Game: c.Game(), Rules: c.Model.Rules(), Model: strings.ToLower(c.Model.String()), Algo: algo, Hero: "1",
			Limit: c.Limit, Opening: c.Opening, Result: game.Unknown.String()}
	}
	whole := base(configs[0])
	whole.Opening = 0
	for i, r := range rows {
		rec := base(configs[i])
		if r != nil {
			rec.Move, rec.Result, rec.Seconds = r.Move, r.Result(), r.Seconds
			rec.Nodes, rec.Terminals, rec.Cutoffs, rec.TTStored, rec.TTHits = r.Nodes, r.Terminals, r.Cutoffs, r.Stored, r.Hits
			whole.Nodes += r.Nodes
			whole.Terminals += r.Terminals
			whole.Cutoffs += r.Cutoffs
			whole.TTStored += r.Stored
			whole.TTHits += r.Hits
			results = append(results, rec.Result)
		}
		records = append(records, rec)
	}
	whole.Seconds = elapsed.Seconds()
	if len(results) == len(rows) {
		for _, want := range []string{"WIN1", "WINP1", "DRAW", results[0]} {
			if i := slices.Index(results, want); i >= 0 {
				whole.Result, whole.Move = want, records[i].Move
				break
			}
		}
	}
	return append(records, whole)
}
