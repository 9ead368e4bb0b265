package halma

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/internal/cli"
	"perfectplay/internal/host"
	"perfectplay/lab/thesis2025"
	"perfectplay/solve"
)

// halmaRow is a published row of the thesis of 2025 and the result of its run.
type halmaRow struct {
	Table              string      `json:"table"`
	Model              string      `json:"model"`
	Game               string      `json:"game"`
	Rules              string      `json:"rules"`
	Algo               string      `json:"algo"`
	Limit              int         `json:"limit"`
	Opening            int         `json:"opening"`
	Move               string      `json:"move"`
	PublishedResult    string      `json:"published_outcome"`
	Result             string      `json:"outcome"` // the program's word, empty if it was not run
	PublishedNodes     uint64      `json:"published_nodes"`
	Nodes              uint64      `json:"nodes"`
	PublishedTerminals uint64      `json:"published_terminals"`
	Terminals          uint64      `json:"terminals"`
	PublishedCutoffs   uint64      `json:"published_cutoffs"`
	Cutoffs            uint64      `json:"cutoffs"`
	PublishedTTStored  uint64      `json:"published_tt_stored"`
	TTStored           uint64      `json:"tt_stored"`
	PublishedTTHits    uint64      `json:"published_tt_hits"`
	TTHits             uint64      `json:"tt_hits"`
	PublishedSeconds   cli.Seconds `json:"published_seconds"`
	Seconds            cli.Seconds `json:"seconds"`
	Verdict            string      `json:"verdict"` // equal, differs: …, or not run: …
	// The sound value of the opening for the first seat within the same number of turns; open if it
	// was not found in time.
	Value    string `json:"value"`
	Winner   string `json:"winner"` // the winner of max^n, for its rows
	Distance *int   `json:"distance"`
	Note     string `json:"note"`

	Sound string `json:"-"` // for the printed text
}

type reproHalmaFlags struct {
	job     cli.Job
	budget  time.Duration
	rows    []string
	noSound bool
	verbose bool
}

// ReproThesis returns the command lab repro halma.
func ReproThesis(a *family.App) *cobra.Command {
	var f reproHalmaFlags
	cmd := &cobra.Command{
		Use:   "halma [--time 60s] [--only TABLES]",
		Short: "the search tables of the 2025 thesis on Chinese Checkers",
		Long: `repro halma runs again what a thesis of 2025 printed: searches of one opening move
each, by four versions of its program. It compares result, nodes, terminals,
cut-offs and the figures of its table, exactly. The shortest searches come first;
what does not fit --time is not run and says so.

The verdicts of that program are not sound: its set of visited boards ignores
depth and mover and skips what it has seen, its move ordering drops moves to
visited boards, paranoid search counts a win of seat 1 as its loss, max^n prefers
a certain loss to a draw, and a win on the last turn counts as a draw. With more
than two players its pieces cannot hop over those of seats 3 to 6. So the sound
value of each opening within the same number of turns, by the rules, stands
beside, where it is found in time.

--only takes tables and openings: 3.1,3.14/6.`,
		Example: "  lab repro halma --time 60s\n  lab repro halma --only 3.1,3.2 --csv",
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(a, cmd) },
	}
	f.job.Flags(cmd, 64<<20)
	cli.Verbose(cmd, &f.verbose)
	cli.TimeFlag(cmd, &f.budget, time.Minute)
	cli.Choices(cmd, &f.rows, "only", nil, nil, "printed tables and openings to run, as `WORDS` (default: all)")
	cli.CompleteBy(cmd, "only", cli.CompleteLast(func(*cobra.Command, []string, []string) []string { return printedTables() }))
	cli.Switches(cmd, "without", "leave out `WORDS`: sound, the sound values", cli.Switch{Word: "sound", On: &f.noSound})
	return cmd
}

// run runs the chosen rows and finds the sound values, within --time.
func (f *reproHalmaFlags) run(a *family.App, cmd *cobra.Command) error {
	printed, err := selectRows(thesis2025.Published(), f.rows)
	if err != nil {
		return err
	}
	return cli.Run(&f.job.Output, &a.Progress, cmd, "rows", int64(len(printed)), func(ctx context.Context, bar *cli.Bar) ([]halmaRow, error) {
		bar.Limit(f.budget)
		begin, share := time.Now(), f.budget
		if !f.noSound {
			share = f.budget * 2 / 3
		}
		rows := f.runRows(ctx, printed, begin.Add(share), bar)
		if !f.noSound {
			if err := f.soundValues(ctx, rows, begin.Add(f.budget), bar); err != nil {
				return nil, err
			}
		}
		differ := 0
		for _, r := range rows {
			if strings.HasPrefix(r.Verdict, cli.Differs) {
				differ++
			}
		}
		if differ > 0 && ctx.Err() == nil {
			return rows, cli.Incomplete(fmt.Errorf("%d of %d rows differ", differ, len(rows)))
		}
		return rows, ctx.Err()
	}, f.write)
}

// runRows runs the printed rows, the cheapest first, until the deadline.
func (f *reproHalmaFlags) runRows(ctx context.Context, printed []thesis2025.PublishedRow, deadline time.Time, bar *cli.Bar) []halmaRow {
	rows := make([]halmaRow, len(printed))
	order := make([]int, len(printed))
	for i, p := range printed {
		rows[i], order[i] = newHalmaRow(p), i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(printed[i].Estimate(), printed[j].Estimate()) })
	within, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	threads := min(f.job.Threads, len(rows))
	runs := newThesisRuns(f.job.Mem, threads, bar, "rows")
	_ = host.Parallel(within, host.Threads(threads), len(rows), func(_ struct{}, k int) error {
		i := order[k]
		row, err := runs.run(within, printed[i].Config)
		rows[i].fill(printed[i], row, err)
		bar.Add(1)
		return nil
	})
	for i := range rows {
		if ctx.Err() != nil && rows[i].Verdict == outOfTime {
			rows[i].Verdict = interruptedRow
		}
	}
	return rows
}

// Verdicts of rows that were not run to their end.
const (
	outOfTime      = cli.NotRun + ": out of time"
	interruptedRow = cli.NotRun + ": interrupted"
)

func newHalmaRow(p thesis2025.PublishedRow) halmaRow {
	r := halmaRow{
		Table: p.Table, Model: modelName(p.Model), Game: p.Config.Game(), Rules: p.Rules.String(), Algo: string(p.Algorithm), Limit: p.Limit, Opening: p.Opening,
		PublishedResult: p.Result, PublishedNodes: p.Nodes, PublishedTerminals: p.Terminals, PublishedCutoffs: p.Cutoffs,
		PublishedTTStored: p.Stored, PublishedTTHits: p.Hits, PublishedSeconds: cli.Seconds(p.Millis) * cli.Seconds(time.Millisecond),
		Verdict: outOfTime, Value: game.Unknown.String(),
	}
	var notes []string
	for _, e := range p.Errata {
		notes = append(notes, fmt.Sprintf("%s: %d is printed and %d meant: %s", e.Column, e.Printed, e.Correct, e.Reason))
	}
	if p.Rounded {
		notes = append(notes, "nodes are printed in three digits")
	}
	if p.Merges() {
		notes = append(notes, "nodes are counted with equal subtrees searched once")
	}
	r.Note = strings.Join(notes, "; ")
	return r
}

func (r *halmaRow) fill(p thesis2025.PublishedRow, row thesis2025.Row, err error) {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		r.Verdict = fmt.Sprintf("%s: out of time, stopped after %s", cli.NotRun, cli.Seconds(row.Seconds*float64(time.Second)))
		return
	case errors.Is(err, context.Canceled):
		r.Verdict = interruptedRow
		return
	case err != nil:
		r.Verdict = fmt.Sprintf("%s: %v", cli.NotRun, err)
		return
	}
	r.Move, r.Result, r.Seconds = row.Move, row.Result(), cli.Seconds(row.Seconds*float64(time.Second))
	r.Nodes, r.Terminals, r.Cutoffs, r.TTStored, r.TTHits = row.Nodes, row.Terminals, row.Cutoffs, row.Stored, row.Hits
	var differ []string
	for _, d := range p.Compare(row) {
		differ = append(differ, fmt.Sprintf("%s %s instead of %s", d.Column, d.Reproduced, d.Published))
	}
	r.Verdict = cli.Verdict(differ)
}

// soundValues finds the sound value of each opening that was run, until the deadline: one search
// for all openings of a game at a limit, the shallowest first, each with an equal share of the time
// left.
func (f *reproHalmaFlags) soundValues(ctx context.Context, rows []halmaRow, deadline time.Time, bar *cli.Bar) error {
	var searches [][]*halmaRow // rows of each search
	for i := range rows {
		r := &rows[i]
		if r.Move == "" {
			continue
		}
		k := slices.IndexFunc(searches, func(list []*halmaRow) bool {
			other := list[0]
			return other.Game == r.Game && other.Rules == r.Rules && other.Algo == r.Algo && other.Limit == r.Limit
		})
		if k < 0 {
			k, searches = len(searches), append(searches, nil)
		}
		searches[k] = append(searches[k], r)
	}
	slices.SortStableFunc(searches, func(a, b []*halmaRow) int { return cmp.Compare(a[0].Limit, b[0].Limit) })
	for k, list := range searches {
		if ctx.Err() != nil {
			return nil
		}
		bar.Describe("sound values, %d of %d searches", k, len(searches))
		if err := f.sound(ctx, list, max(time.Until(deadline)/time.Duration(len(searches)-k), 100*time.Millisecond)); err != nil {
			return err
		}
	}
	return nil
}

// sound enters the sound values of rows of one game and limit that a search finds within a time.
func (f *reproHalmaFlags) sound(ctx context.Context, rows []*halmaRow, within time.Duration) error {
	g, err := halma.ByID(rows[0].Game, rows[0].Rules)
	if err != nil {
		return err
	}
	// The program's limit counts turns after the opening move, the search's limit from the start.
	o := solve.Options{Algo: soundAlgo(thesis2025.Algorithm(rows[0].Algo)), Limit: rows[0].Limit + 1, Scope: solve.OpeningsOnly, Time: within, NoLine: true,
		Threads: f.job.Threads, Memory: int64(f.job.Mem)}
	report, err := solve.Run(ctx, g, g.Start(), o)
	if err != nil {
		return err
	}
	for _, x := range report.Openings {
		if x.Value == game.Unknown && x.Reached < o.Limit {
			continue // out of time
		}
		record := report.Record(&x)
		for _, r := range rows {
			if r.Move != x.Name {
				continue
			}
			r.Value, r.Winner, r.Distance, r.Sound = record.Value, record.Winner, record.Distance, record.Value
			if x.Winner >= 0 {
				r.Sound = record.Winner + " wins"
			}
		}
	}
	return nil
}

// soundAlgo is the search that corresponds to a published algorithm.
func soundAlgo(a thesis2025.Algorithm) solve.Algo {
	if a == thesis2025.Minimax {
		return solve.AlphaBeta
	}
	return solve.Algo(a)
}

// selectRows returns the published rows of a list of tables and openings, or all for an empty list.
func selectRows(all []thesis2025.PublishedRow, list []string) (rows []thesis2025.PublishedRow, err error) {
	chosen := map[string]bool{} // whether a row was found
	for _, item := range list {
		chosen[strings.TrimSpace(item)] = false
	}
	for _, p := range all {
		here := false
		for _, name := range []string{p.Table, fmt.Sprintf("%s/%d", p.Table, p.Opening)} {
			if _, ok := chosen[name]; ok {
				chosen[name], here = true, true
			}
		}
		if here || len(list) == 0 {
			rows = append(rows, p)
		}
	}
	for item, found := range chosen {
		if !found {
			return nil, cli.Usagef("--only %q: there is no such row; tables are %s to %s, an opening of one is 3.1/2", item, all[0].Table, all[len(all)-1].Table)
		}
	}
	return rows, nil
}

func printedTables() (list []string) {
	for _, p := range thesis2025.Published() {
		if !slices.Contains(list, p.Table) {
			list = append(list, p.Table)
		}
	}
	return list
}

func (f *reproHalmaFlags) write(w io.Writer, rows []halmaRow) {
	fmt.Fprintf(w, "%s, errata corrected, and its reproduction\n\n", thesis2025.Source)
	columns := []string{"table", "opening", "printed=published_outcome", "ours=outcome?", "sound=Sound?", "plies=distance", "time=seconds?", "verdict"}
	if f.verbose {
		columns = append(columns, "game", "model, algorithm=model,algo:%s, %s", "limit", "move=move?", "nodes=nodes?", "printed time=published_seconds")
	}
	cli.Grid[halmaRow](columns...)(w, rows)
	count := map[string]int{}
	var ours, theirs cli.Seconds
	noted := map[string]bool{}
	var notes strings.Builder
	for _, r := range rows {
		short, _, _ := strings.Cut(r.Verdict, ":")
		count[short]++
		if r.Result != "" {
			ours += r.Seconds
			theirs += r.PublishedSeconds
		}
		if r.Note != "" && !noted[r.Table+r.Note] {
			noted[r.Table+r.Note] = true
			fmt.Fprintf(&notes, "Table %s: %s.\n", r.Table, r.Note)
		}
	}
	fmt.Fprintf(w, "\n%d rows: %d equal, %d differ, %d not run.\nThe rows run took %s; printed are %s on the author's machine.\n%s",
		len(rows), count[cli.Equal], count[cli.Differs], count[cli.NotRun], ours, theirs, &notes)
}
