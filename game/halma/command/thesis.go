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

	"perfectplay/app/family"
	"perfectplay/game/halma"
	"perfectplay/game/halma/thesis2025"
	"perfectplay/internal/cli"
	"perfectplay/internal/host"
	"perfectplay/solve"
)

// thesisFlags are the flags of lab thesis.
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
compared with what was printed. See also lab repro halma, and solve search for
sound answers.`,
		Example:           `  lab thesis halma-star37-2p --model tables --limit 12 --csv`,
		GroupID:           cli.GroupCheck,
		Args:              cli.Args("GAME"),
		ValidArgsFunction: a.CompleteGame,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Flags(cmd, 16<<20)
	fl := cmd.Flags()
	cli.Choice(cmd, &f.model, "model", "base", modelNames, "`MODEL` of play: "+strings.Join(modelNames, ", "))
	cli.Choice(cmd, &f.algo, "algo", "", algoNames, "`ENGINE`: "+strings.Join(algoNames, ", ")+" (default: alphabeta for two seats, else paranoid)")
	fl.IntVarP(&f.limit, "limit", "l", 0, "horizon: `L` plies after each opening")
	return cmd
}

// thesisRecord is a run of a program, or with opening 0 what they sum up to.
type thesisRecord struct {
	Game    string `json:"game"`
	Rules   string `json:"rules"`
	Model   string `json:"model"`
	Algo    string `json:"algo"`
	Hero    string `json:"hero"`
	Limit   int    `json:"limit"`
	Opening int    `json:"opening"`
	Move    string `json:"move"`
	Outcome string `json:"outcome"` // the program's own word, which proves nothing; open if it did not end
	solve.Counts
	Seconds cli.Seconds `json:"seconds"`
}

// modelNames are the programs of 2025.
var modelNames = []string{"base", "tables", "specialrules", "moveordering"}

// algoNames are the engines that they have.
var algoNames = []string{string(solve.AlphaBeta), string(solve.Paranoid), string(solve.MaxN)}

// config turns the flags into a run of a program.
func (f *thesisFlags) config(cmd *cobra.Command, id string) (thesis2025.Config, error) {
	var c thesis2025.Config
	model, err := thesis2025.ParseModel(f.model)
	if err != nil {
		return c, cli.Usage(err)
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
	switch solve.Algo(cmp.Or(f.algo, string(solve.DefaultAlgo(g)))) {
	case solve.AlphaBeta:
		algorithm = thesis2025.Minimax
	case solve.MaxN:
		algorithm = thesis2025.MaxN
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
	return cli.Run(&f.job.Output, &a.Progress, cmd, "openings", int64(n), func(ctx context.Context, bar *cli.Bar) ([]thesisRecord, error) {
		begin := time.Now()
		records, err := runThesis(ctx, c, n, f.job.Resources, bar)
		records[n].Seconds = cli.Since(begin)
		return records, cli.Incomplete(err)
	}, func(w io.Writer, records []thesisRecord) error {
		fmt.Fprintf(w, "%s, the program of 2025, model %v, %v, %d turns after the opening\n", id, c.Model, c.Algorithm, c.Limit)
		fmt.Fprintf(w, "Its verdicts are not sound; solve search answers soundly.\n\n")
		return cli.Grid[thesisRecord]("opening=opening?", "move", "outcome", "nodes", "terminals", "cutoffs",
			"stored=tt_stored", "hits=tt_hits", "time=seconds")(w, records)
	})
}

// runThesis searches the n openings of a configuration on several threads, which
// share the memory. One that fails does not keep the others from theirs; its
// outcome is open. The last record sums up: its outcome is the best of the
// openings by the program's own verdicts, seat 1 choosing, open where one is
// missing. The error is that of the context, or the first that occurred.
func runThesis(ctx context.Context, c thesis2025.Config, n int, res cli.Resources, bar *cli.Bar) ([]thesisRecord, error) {
	records := make([]thesisRecord, n+1)
	for i := range records {
		records[i] = thesisRecord{Game: c.Game(), Rules: c.Model.Rules(), Model: strings.ToLower(c.Model.String()), Algo: c.Algorithm.String(),
			Hero: "1", Limit: c.Limit, Opening: (i + 1) % (n + 1), Outcome: "open"}
		if c.Algorithm == thesis2025.Minimax {
			records[i].Algo = string(solve.AlphaBeta)
		}
	}
	errs := make([]error, n)
	threads := min(res.Threads, n)
	c.MemoryBytes = int64(res.Mem) / int64(threads)
	var nodes atomic.Int64
	_ = host.Parallel(ctx, host.Threads(threads), n, func(_ struct{}, i int) error {
		c, seen := c, int64(0)
		c.Opening = i + 1
		row, err := thesis2025.Run(ctx, c, func(p thesis2025.Counts) {
			now := int64(p.Nodes)
			bar.Describe("openings, %v nodes", cli.Count(nodes.Add(now-seen)))
			seen = now
		})
		if err != nil {
			errs[i] = fmt.Errorf("opening %d: %w", c.Opening, err)
			return nil
		}
		nodes.Add(int64(row.Nodes) - seen)
		r := &records[i]
		r.Move, r.Outcome, r.Seconds = row.Move, row.Result(), cli.Seconds(row.Seconds*float64(time.Second))
		r.Counts = solve.Counts{Nodes: row.Nodes, Terminals: row.Terminals, Cutoffs: row.Cutoffs, Stored: row.Stored, Hits: row.Hits}
		bar.Add(1)
		return nil
	})
	whole := &records[n]
	best := -1
	order := []string{"WIN1", "WINP1", "DRAW"}
	rank := func(i int) int { return slices.Index(order, records[i].Outcome) }
	for i := range n {
		whole.Counts.Add(&records[i].Counts)
		if records[i].Move == "" {
			best = n
		} else if best < 0 || best < n && uint(rank(i)) < uint(rank(best)) { // none of them comes last
			best = i
		}
	}
	whole.Move, whole.Outcome = records[best].Move, records[best].Outcome
	return records, cmp.Or(ctx.Err(), cmp.Or(errs...))
}
