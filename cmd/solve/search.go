package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
	"perfectplay/solve"
)

// searchFlags are the flags of solve search.
type searchFlags struct {
	family.Flags
	job          cli.Job
	algo         string
	hero         string
	limit        int
	time         time.Duration
	position     string
	noOpenings   bool
	openingsOnly bool
	ordering     []string
	noTable      bool
	noBound      bool
	direct       bool
}

func newSearchCommand(a *family.App) *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search GAME --limit L",
		Short: "find what can be forced within a number of turns",
		Long: `search finds what can be forced from a position within L plies, a ply being one
turn of one seat. A win or a loss is proved and comes with its distance in plies;
a draw says that nobody can force anything within the limit. Results do not
depend on --threads, --mem or --ordering; speed does.

Engines (--algo):
  alphabeta  two seats: the value for the hero (default for two seats)
  paranoid   any number of seats: the value for the hero when all others join
             against it (default for more than two)
  proof      any number of seats: whether the hero can force a win, and how fast
  maxn       any number of seats: the outcome when everybody plays for himself; a
             draw is better than a loss, then the longer loss and the shorter win,
             then the first move
  bestreply  more than two seats: a heuristic that proves nothing

The position is searched as a whole and each opening move by itself. With --time
the whole may take half of the time and each opening an equal share of the rest;
what one does not need, the others may use. A search that ends before its value
is known says how many plies it has excluded: >20 is "nothing is forced within 20".`,
		Example: `  solve search halma-star37-2p --rules house --limit 12
  solve search halma-star13-6p --algo paranoid --hero 4 --limit 30`,
		GroupID:           cli.GroupSolve,
		Args:              cli.Args("GAME"),
		ValidArgsFunction: a.CompleteGame,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.Exclusive(cmd, "no-openings", "openings-only"); err != nil {
				return err
			}
			if f.time < 0 {
				return cli.Usagef("--time %v: want a positive time", f.time)
			}
			return f.run(a, cmd, args[0])
		},
	}
	f.Flags.Flags(a, cmd)
	f.job.Flags(cmd, solve.MinMemory)
	fl := cmd.Flags()
	fl.IntVarP(&f.limit, "limit", "l", 0, "horizon: `L` plies from the position")
	fl.DurationVar(&f.time, "time", 0, "stop after this `TIME`, for instance 60s, and print what is proved (default: no limit)")
	fl.StringVar(&f.algo, "algo", "", "`ENGINE`: "+algoNames()+" (default: alphabeta for two seats, else paranoid)")
	fl.StringVar(&f.hero, "hero", "", "`SEAT` whose value is asked for, by name (default: the seat to move)")
	fl.StringVar(&f.position, "position", "start", "position to search, as `TEXT`")
	fl.BoolVar(&f.noOpenings, "no-openings", false, "search the position as a whole only")
	fl.BoolVar(&f.openingsOnly, "openings-only", false, "search each opening move by itself; the whole follows")
	fl.StringSliceVar(&f.ordering, "ordering", orderingNames(), "`WORDS` for what orders the moves, or none")
	fl.BoolVar(&f.noTable, "no-table", false, "search without a transposition table")
	fl.BoolVar(&f.noBound, "no-bound", false, "do not prune by the game's bound on the turns a win takes")
	fl.BoolVar(&f.direct, "direct", false, "search at the limit at once, without deepening step by step")
	complete := func(flag string, words func() []string) {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words(), cobra.ShellCompDirectiveNoFileComp))
	}
	complete("algo", func() []string { return strings.Split(algoNames(), ", ") })
	complete("ordering", orderingNames)
	return cmd
}

// algoNames lists the engines.
func algoNames() string {
	var names []string
	for _, a := range solve.Algos() {
		names = append(names, string(a))
	}
	return strings.Join(names, ", ")
}

// orderingSwitches are the sources of move ordering by name.
func orderingSwitches(o *solve.Ordering) map[string]*bool {
	return map[string]*bool{"table": &o.Table, "wins": &o.Wins, "killers": &o.Killers, "gain": &o.Gain, "history": &o.History}
}

// orderingNames lists the sources of move ordering in the order they count.
func orderingNames() []string { return []string{"table", "wins", "killers", "gain", "history"} }

// parseOrdering reads the flag --ordering.
func parseOrdering(words []string) (*solve.Ordering, error) {
	o := new(solve.Ordering)
	if len(words) == 1 && words[0] == "none" {
		return o, nil
	}
	switches := orderingSwitches(o)
	for _, w := range words {
		s, ok := switches[w]
		if !ok {
			return nil, cli.Usagef("--ordering %q: want some of %s, or none", w, strings.Join(orderingNames(), ", "))
		}
		*s = true
	}
	return o, nil
}

// checkLimit refuses limits that cannot be meant.
func (f *searchFlags) checkLimit(cmd *cobra.Command, most int) error {
	if !cmd.Flags().Changed("limit") {
		return cli.Usagef("missing --limit")
	}
	if f.limit < 1 || f.limit > most {
		return cli.Usagef("--limit %d: want 1 to %d plies", f.limit, most)
	}
	return nil
}

// options turns the flags into options of the search.
func (f *searchFlags) options(cmd *cobra.Command, g game.Game) (solve.Options, error) {
	var o solve.Options
	o.Algo = solve.DefaultAlgo(g)
	if f.algo != "" {
		var err error
		if o.Algo, err = solve.ParseAlgo(f.algo); err != nil {
			return o, cli.Usagef("--algo %q: want one of %s", f.algo, algoNames())
		}
	}
	most := solve.MaxLimit
	if o.Algo == solve.MaxN {
		most = solve.MaxLimitMaxN
	}
	if err := f.checkLimit(cmd, most); err != nil {
		return o, err
	}
	if f.hero != "" {
		seat, err := family.ParseSeat(g, f.hero)
		if err != nil {
			return o, err
		}
		o.Hero = &seat
	}
	ordering, err := parseOrdering(f.ordering)
	if err != nil {
		return o, err
	}
	o.Limit, o.Threads, o.Memory, o.Time = f.limit, f.job.Threads, int64(f.job.Mem), f.time
	o.Ordering, o.NoTable, o.NoBound, o.Direct = ordering, f.noTable, f.noBound, f.direct
	switch {
	case f.noOpenings:
		o.Scope = solve.WholeOnly
	case f.openingsOnly:
		o.Scope = solve.OpeningsOnly
	}
	return o, nil
}

// run searches with the engines of package solve.
func (f *searchFlags) run(a *family.App, cmd *cobra.Command, id string) error {
	g, s, err := f.OpenAt(id, f.position)
	if err != nil {
		return err
	}
	o, err := f.options(cmd, g)
	if err != nil {
		return err
	}
	if s.Result() != game.Ongoing {
		return cli.Usagef("--position %s: the game is over there: %s", s, family.ResultText(g, s.Result()))
	}
	var report *solve.Report
	return cli.Run(&f.job.Output, &a.Progress, cmd, "search", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]solve.Record, error) {
		o.Progress = func(p solve.Progress) {
			what := "whole"
			if p.Move != "" {
				what = fmt.Sprintf("%s (%d of %d)", p.Move, p.Search, p.Searches-1)
			}
			bar.Describe("%s, %d of %d plies, %v nodes, table %.0f%%", what, p.Iteration, p.Limit, cli.Count(p.Nodes), 100*p.TableFill)
			bar.Share(p.Fraction)
		}
		if report, err = solve.Run(ctx, g, s, o); errors.Is(err, solve.ErrOptions) {
			return nil, cli.Usage(err)
		} else if err != nil {
			return nil, err
		}
		if report.Interrupted {
			err = ctx.Err() // nil where the time was up, which is no interruption
		}
		return report.Records(), err
	}, func(w io.Writer, _ []solve.Record) error { return writeReport(w, g, s, f, o, report) })
}

// writeReport prints a report for people.
func writeReport(w io.Writer, g game.Game, s game.State, f *searchFlags, o solve.Options, r *solve.Report) error {
	if d, ok := s.(game.Drawer); ok {
		fmt.Fprintln(w, strings.TrimRight(d.Picture(), "\n"))
		fmt.Fprintln(w)
	}
	hero := ""
	if r.Hero >= 0 {
		hero = " for seat " + g.SeatName(r.Hero)
	}
	fmt.Fprintf(w, "%s, seat %s to move\n", family.Title(g), g.SeatName(s.Seat()))
	fmt.Fprintf(w, "%s%s within %d plies, %s, %s\n\n", r.Algo, hero, r.Limit, cli.Plural(r.Threads, "thread"), memoryText(f))

	t := cli.NewTable(">opening", "move", "result", ">distance", ">nodes", ">terminals", ">cutoffs", ">stored", ">hits", ">depth", ">time")
	row := func(name string, x *solve.Search) {
		t.Row(name, x.Name, r.Result(x), distanceText(x), x.Counts.Nodes, x.Counts.Terminals,
			x.Counts.Cutoffs, x.Counts.Stored, x.Counts.Hits, x.Counts.MaxDepth, cli.Seconds(x.Elapsed))
	}
	for i := range r.Openings {
		row(fmt.Sprint(r.Openings[i].Opening), &r.Openings[i])
	}
	row("whole", &r.Whole)
	if err := t.Write(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	t = cli.NewTable("", "")
	t.Row("value", valueText(g, r))
	if len(r.Line) > 0 {
		t.Row("line", cli.Wrap(r.Line, 12, "\n"))
	}
	t.Row("nodes", fmt.Sprintf("%s in %s, %s", cli.Count(r.Total.Nodes), cli.Seconds(r.Elapsed), cli.Rate(r.Total.Nodes, r.Elapsed)))
	if !o.NoTable {
		t.Row("table", fmt.Sprintf("%s stores, %s of them replaced another position, %s hits, %.1f%% full",
			cli.Count(r.Total.Stored), cli.Count(r.Total.Replaced), cli.Count(r.Total.Hits), 100*tableFill(r)))
	}
	if r.Interrupted {
		t.Row("note", "stopped early: an unknown result is not decided within the plies given as its distance")
	}
	if !r.Algo.Sound() {
		t.Row("note", string(r.Algo)+" is a heuristic: its results prove nothing")
	}
	return t.Write(w)
}

// valueText is the verdict as a sentence.
func valueText(g game.Game, r *solve.Report) string {
	x, hero, against := &r.Whole, "", ""
	if r.Hero >= 0 {
		hero = "seat " + g.SeatName(r.Hero)
	}
	if g.Seats() > 2 {
		against = " against all others"
	}
	switch {
	case r.Algo == solve.MaxN && x.Winner >= 0:
		return fmt.Sprintf("seat %s wins in %s when everybody plays for himself", g.SeatName(x.Winner), cli.Plural(x.Distance, "ply"))
	case r.Algo == solve.MaxN && x.Value != game.Unknown:
		return fmt.Sprintf("nobody wins within %s", cli.Plural(r.Limit, "ply"))
	case x.Value == game.Unknown:
		return fmt.Sprintf("unknown; nothing is forced within %s", cli.Plural(x.Reached, "ply"))
	case x.Value == game.Win:
		return fmt.Sprintf("%s forces a win%s in %s", hero, against, cli.Plural(x.Distance, "ply"))
	case x.Value == game.Loss:
		return fmt.Sprintf("%s loses%s in %s", hero, against, cli.Plural(x.Distance, "ply"))
	case r.Algo == solve.Proof:
		return fmt.Sprintf("%s forces no win%s within %s", hero, against, cli.Plural(r.Limit, "ply"))
	case x.Final:
		return "draw, however long the game"
	}
	return fmt.Sprintf("draw: nobody forces a win within %s", cli.Plural(r.Limit, "ply"))
}

// distanceText is the distance of a result, a dash where it has none, and how
// far an unfinished search came.
func distanceText(x *solve.Search) string {
	switch {
	case x.Value == game.Unknown:
		return fmt.Sprintf(">%d", x.Reached)
	case x.Distance == 0:
		return "-"
	}
	return fmt.Sprint(x.Distance)
}

// memoryText says what the table may take.
func memoryText(f *searchFlags) string {
	if f.noTable {
		return "no table"
	}
	return fmt.Sprintf("table up to %v", f.job.Mem)
}

// tableFill is the share of the table in use.
func tableFill(r *solve.Report) float64 {
	if r.Table.Slots == 0 {
		return 0
	}
	return float64(r.Table.Filled) / float64(r.Table.Slots)
}
