package halma

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
	"perfectplay/internal/cli"
	"perfectplay/internal/host"
	"perfectplay/lab/thesis2025"
	"perfectplay/solve"
)

type thesisFlags struct {
	family.Flags
	job        cli.Job
	model      string
	algo       string
	limit      int
	noTables   bool
	noOrdering bool
}

// Thesis returns the command lab thesis.
func Thesis(a *family.App) *cobra.Command {
	var f thesisFlags
	cmd := &cobra.Command{
		Use:   "thesis GAME --limit L [--without tables,ordering]",
		Short: "run the program of the 2025 thesis with your own parameters",
		Long: `thesis runs the program of a thesis of 2025 node for node, defects included: one
search for each opening, with the full limit after it, and a total. The game says
how many play (1, 2, 3, 4, 6) and with how many pieces (1, 3, 6, 10): halma-star37-3p
is three players with three pieces. --limit 0 goes on until every board that can be
reached was visited.

--without tables and --without ordering are the program's own switches -r and -m,
independent of each other. Its third switch has no effect: the program fills its
tables of scores but never reads them. --model takes a printed version, or
readme: everything on, by the rules of the program's README. --rules replaces the
rules of the model.

By the rules base and house-code, which are the program's own, pieces cannot hop over
those of seats 3 to 6 where more than two play. By all other rules they can.

Its verdicts are not sound (see lab repro halma, which compares them with what was
printed); solve search answers soundly.`,
		Example: `  lab thesis halma-star37-2p --limit 13
  lab thesis halma-star37-2p --model base --limit 6 --csv
  lab thesis halma-star13-3p --rules base --without ordering --limit 0`,
		GroupID: cli.GroupCheck,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Flags(cmd, 16<<20)
	fl := cmd.Flags()
	cli.Choice(cmd, &f.model, "model", modelName(thesis2025.MoveOrdering), modelNames(), "`MODEL` of the thesis: "+strings.Join(modelNames(), ", "))
	cli.Choice(cmd, &f.algo, "algo", "", algoNames, "`ENGINE`: "+strings.Join(algoNames, ", ")+" (default: alphabeta for one and two seats, else paranoid)")
	fl.IntVarP(&f.limit, "limit", "l", 0, "horizon: `L` plies after each opening, 0 for no end")
	cli.Rules(cmd, cli.Within("limit", 0, thesis2025.MaxLimit))
	cli.Switches(cmd, "without", "leave out `WORDS`: tables, those of visited boards; ordering, that of moves",
		cli.Switch{Word: "tables", On: &f.noTables}, cli.Switch{Word: "ordering", On: &f.noOrdering})
	return cmd
}

// thesisRecord is a run of the program; with opening 0 it sums up all runs.
type thesisRecord struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Model    string `json:"model"` // a published model, or empty
	Tables   bool   `json:"visited_tables"`
	Ordering bool   `json:"move_ordering"`
	Algo     string `json:"algo"`
	Hero     string `json:"hero"`
	Limit    int    `json:"limit"` // limit in turns; 0 for none
	Opening  int    `json:"opening"`
	Move     string `json:"move"`
	Outcome  string `json:"outcome"` // the program's word, which proves nothing; open if it did not end
	solve.Counts
	Seconds cli.Seconds `json:"seconds"`

	Number string `json:"-"` // for the printed text
}

func modelName(m thesis2025.Model) string { return strings.ToLower(string(m)) }

// readme names the program with all switches on, under the rules of the README.
const readme = "readme"

func modelNames() (names []string) {
	for _, m := range thesis2025.Models() {
		names = append(names, modelName(m))
	}
	return append(names, readme)
}

var algoNames = []string{string(solve.AlphaBeta), string(solve.Paranoid), string(solve.MaxN)}

func (f *thesisFlags) program() (p thesis2025.Program, err error) {
	p = thesis2025.MoveOrdering.Program()
	p.Rules = thesis2025.Readme()
	for _, m := range thesis2025.Models() {
		if modelName(m) == f.model {
			p = m.Program()
		}
	}
	p.Tables = p.Tables && !f.noTables
	p.Ordering = p.Ordering && !f.noOrdering
	if f.Rules != "" {
		p.Rules, err = halma.ParseRules(f.Rules)
	}
	return p, cli.Usage(err)
}

func (f *thesisFlags) config(cmd *cobra.Command, id string) (c thesis2025.Config, err error) {
	if c.Program, err = f.program(); err != nil {
		return c, err
	}
	f.Rules = "" // skip the check of rules for a game: Validate checks them for the program
	g, err := f.Open(id)
	if err != nil {
		return c, err
	}
	h, ok := g.(*halma.Game)
	if !ok || !h.Board().IsStar() {
		return c, cli.Usagef("%s: the program plays Chinese Checkers on a star", id)
	}
	c.Players, c.Pieces, c.Algorithm = h.Seats(), h.Board().Pieces(), thesis2025.Paranoid
	if c.Game() != h.ID() {
		return c, cli.Usagef("%s: the program plays on stars whose tips are full: 1, 3, 6 or 10 pieces on 13, 37, 73 or 121 holes", id)
	}
	algo := solve.Algo(f.algo)
	switch {
	case algo != "" && (algo == solve.AlphaBeta) != (c.Players <= 2):
		return c, cli.Usagef("--algo %s: %s has %s; the program takes alphabeta for one and two, paranoid and maxn for more", f.algo, id, cli.Plural(c.Players, "seat"))
	case c.Players <= 2:
		c.Algorithm = thesis2025.Minimax
	case algo == solve.MaxN:
		c.Algorithm = thesis2025.MaxN
	}
	if !cmd.Flags().Changed("limit") {
		return c, cli.Usagef("missing --limit: plies after each opening, 0 for no end")
	}
	c.Limit = f.limit
	return c, cli.Usage(c.Validate())
}

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
	}, func(w io.Writer, records []thesisRecord) {
		turns := cli.Plural(c.Limit, "turn") + " after the opening"
		if c.Limit == 0 {
			turns = "without a limit"
		}
		fmt.Fprintf(w, "%s, the program of 2025: rules %s, tables %s, move ordering %s, %v, %s\n", id, c.Rules, onOff(c.Tables), onOff(c.Ordering), c.Algorithm, turns)
		fmt.Fprintf(w, "Its verdicts are not sound; solve search answers soundly.\n\n")
		cli.Grid[thesisRecord]("opening=Number", "move", "outcome", "nodes", "terminals", "cutoffs",
			"stored=tt_stored", "hits=tt_hits", "time=seconds")(w, records)
	})
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// thesisRuns runs the program on several threads that share memory and progress.
type thesisRuns struct {
	memory int64 // memory of each run
	bar    *cli.Bar
	what   string
	nodes  atomic.Int64 // nodes of all runs so far
}

func newThesisRuns(memory cli.Size, threads int, bar *cli.Bar, what string) *thesisRuns {
	return &thesisRuns{memory: int64(memory) / int64(threads), bar: bar, what: what}
}

func (r *thesisRuns) run(ctx context.Context, c thesis2025.Config) (thesis2025.Row, error) {
	c.MemoryBytes = r.memory
	seen := int64(0)
	tell := func(p thesis2025.Counts) {
		now := int64(p.Nodes)
		r.bar.Describe("%s, %v nodes", r.what, cli.Count(r.nodes.Add(now-seen)))
		seen = now
	}
	row, err := thesis2025.Run(ctx, c, tell)
	r.nodes.Add(int64(row.Nodes) - seen)
	return row, err
}

// runThesis searches the n openings of a configuration on several threads. An opening that fails
// does not stop the others; its outcome is open. The last record sums up: its outcome is the best
// opening for seat 1 by the program's verdicts, open if any is open. The error is the context's or
// the first of a run.
func runThesis(ctx context.Context, c thesis2025.Config, n int, res cli.Resources, bar *cli.Bar) ([]thesisRecord, error) {
	model := ""
	for _, m := range thesis2025.Models() {
		if c.Program == m.Program() {
			model = modelName(m)
		}
	}
	records := make([]thesisRecord, n+1)
	for i := range records {
		records[i] = thesisRecord{Game: c.Game(), Rules: c.Rules.String(), Model: model, Tables: c.Tables, Ordering: c.Ordering,
			Algo: string(soundAlgo(c.Algorithm)), Hero: "1", Limit: c.Limit, Opening: (i + 1) % (n + 1), Outcome: "open", Number: fmt.Sprint(i + 1)}
	}
	errs := make([]error, n)
	threads := min(res.Threads, n)
	runs := newThesisRuns(res.Mem, threads, bar, "openings")
	_ = host.Parallel(ctx, host.Threads(threads), n, func(_ struct{}, i int) error {
		c := c
		c.Opening = i + 1
		row, err := runs.run(ctx, c)
		r := &records[i]
		r.Move, r.Seconds = row.Move, cli.Seconds(row.Seconds*float64(time.Second))
		r.Counts = solve.Counts{Nodes: row.Nodes, Terminals: row.Terminals, Cutoffs: row.Cutoffs, Stored: row.Stored, Hits: row.Hits}
		if err != nil {
			errs[i] = fmt.Errorf("opening %d: %w", c.Opening, err)
			return nil
		}
		r.Outcome = row.Result()
		bar.Add(1)
		return nil
	})
	whole := &records[n]
	whole.Number = "all"
	best := slices.MinFunc(records[:n], func(a, b thesisRecord) int { return cmp.Compare(verdictRank(a.Outcome), verdictRank(b.Outcome)) })
	whole.Move, whole.Outcome = best.Move, best.Outcome
	for i := range n {
		whole.Counts.Add(&records[i].Counts)
		if records[i].Outcome == "open" {
			whole.Move, whole.Outcome = "", "open"
		}
	}
	return records, cmp.Or(ctx.Err(), cmp.Or(errs...))
}

func verdictRank(outcome string) int {
	switch outcome {
	case "WIN1", "WINP1":
		return 0
	case "DRAW":
		return 1
	}
	return 2
}
