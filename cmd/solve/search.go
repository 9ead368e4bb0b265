package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

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
	o            solve.Options
	hero         string
	position     string
	noOpenings   bool
	openingsOnly bool
	ordering     []string
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
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Flags(cmd, solve.MinMemory)
	fl := cmd.Flags()
	fl.IntVarP(&f.o.Limit, "limit", "l", 0, "horizon: `L` plies from the position")
	fl.DurationVar(&f.o.Time, "time", 0, "stop after this `TIME`, for instance 60s, and print what is proved (default: no limit)")
	fl.TextVar(&f.o.Algo, "algo", solve.Algo(""), "`ENGINE`: "+algoNames+" (default: alphabeta for two seats, else paranoid)")
	fl.StringVar(&f.hero, "hero", "", "`SEAT` whose value is asked for, by name (default: the seat to move)")
	fl.StringVar(&f.position, "position", "start", "position to search, as `TEXT`")
	fl.BoolVar(&f.noOpenings, "no-openings", false, "search the position as a whole only")
	fl.BoolVar(&f.openingsOnly, "openings-only", false, "search each opening move by itself; the whole follows")
	fl.StringSliceVar(&f.ordering, "ordering", orderingNames, "`WORDS` for what orders the moves, or none")
	fl.BoolVar(&f.o.NoTable, "no-table", false, "search without a transposition table")
	fl.BoolVar(&f.o.NoBound, "no-bound", false, "do not prune by the game's bound on the turns a win takes")
	fl.BoolVar(&f.o.Direct, "direct", false, "search at the limit at once, without deepening step by step")
	for flag, words := range map[string][]string{"algo": strings.Split(algoNames, ", "), "ordering": orderingNames} {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	return cmd
}

// algoNames lists the engines.
var algoNames = solve.AlgoNames()

// orderingNames are the sources of move ordering in the order they count.
var orderingNames = []string{"table", "wins", "killers", "gain", "history"}

// options fills in what the flags say by names.
func (f *searchFlags) options(cmd *cobra.Command, g game.Game) error {
	o := &f.o
	most := solve.MaxLimit
	if o.Algo == solve.MaxN {
		most = solve.MaxLimitMaxN
	}
	switch {
	case !cmd.Flags().Changed("limit"):
		return cli.Usagef("missing --limit")
	case o.Limit < 1 || o.Limit > most:
		return cli.Usagef("--limit %d: want 1 to %d plies", o.Limit, most)
	case o.Time < 0:
		return cli.Usagef("--time %v: want a positive time", o.Time)
	case f.noOpenings:
		o.Scope = solve.WholeOnly
	case f.openingsOnly:
		o.Scope = solve.OpeningsOnly
	}
	if f.hero != "" {
		seat, err := family.ParseSeat(g, f.hero)
		if err != nil {
			return err
		}
		o.Hero = &seat
	}
	o.Ordering = new(solve.Ordering)
	switches := []*bool{&o.Ordering.Table, &o.Ordering.Wins, &o.Ordering.Killers, &o.Ordering.Gain, &o.Ordering.History}
	for _, word := range f.ordering {
		if i := slices.Index(orderingNames, word); i >= 0 {
			*switches[i] = true
		} else if word != "none" || len(f.ordering) > 1 {
			return cli.Usagef("--ordering %q: want some of %s, or none", word, strings.Join(orderingNames, ", "))
		}
	}
	o.Threads, o.Memory = f.job.Threads, int64(f.job.Mem)
	return cli.Exclusive(cmd, "no-openings", "openings-only")
}

// run searches with the engines of package solve.
func (f *searchFlags) run(a *family.App, cmd *cobra.Command, id string) error {
	g, s, err := f.OpenAt(id, f.position)
	if err != nil {
		return err
	}
	if err := f.options(cmd, g); err != nil {
		return err
	}
	if s.Result() != game.Ongoing {
		return cli.Usagef("--position %s: the game is over there: %s", s, family.ResultText(g, s.Result()))
	}
	var report *solve.Report
	return cli.Run(&f.job.Output, &a.Progress, cmd, "search", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]solve.Record, error) {
		f.o.Progress = func(p solve.Progress) {
			what := "whole"
			if p.Move != "" {
				what = fmt.Sprintf("%s (%d of %d)", p.Move, p.Search, p.Searches-1)
			}
			bar.Describe("%s, %d of %d plies, %v nodes, table %.0f%%", what, p.Iteration, p.Limit, cli.Count(p.Nodes), 100*p.TableFill)
			bar.Share(p.Fraction)
		}
		if report, err = solve.Run(ctx, g, s, f.o); errors.Is(err, solve.ErrOptions) {
			return nil, cli.Usage(err)
		} else if err != nil {
			return nil, err
		}
		if report.Interrupted {
			err = ctx.Err() // nil where the time was up, which is no interruption
		}
		return report.Records(), err
	}, func(w io.Writer, _ []solve.Record) error { return writeReport(w, g, s, f, report) })
}

// searchRow is a search as a line for people; the distance of one that was not
// finished says how far it came.
type searchRow struct {
	Opening, Result, Distance string
	*solve.Search
}

// searchColumns are the columns for people.
var searchColumns = cli.Grid[searchRow](">opening=Opening", "move=Name", "result=Result", ">distance=Distance", "nodes", "terminals",
	"cutoffs", "stored=tt_stored", "hits=tt_hits", "depth=MaxDepth", ">time=Elapsed")

// writeReport prints a report for people.
func writeReport(w io.Writer, g game.Game, s game.State, f *searchFlags, r *solve.Report) error {
	if d, ok := s.(game.Drawer); ok {
		fmt.Fprintln(w, strings.TrimRight(d.Picture(), "\n"))
		fmt.Fprintln(w)
	}
	hero := ""
	if r.Hero >= 0 {
		hero = " for seat " + g.SeatName(r.Hero)
	}
	memory := "no table"
	if !f.o.NoTable {
		memory = fmt.Sprintf("table up to %v", f.job.Mem)
	}
	fmt.Fprintf(w, "%s, seat %s to move\n", family.Title(g), g.SeatName(s.Seat()))
	fmt.Fprintf(w, "%s%s within %d plies, %s, %s\n\n", r.Algo, hero, r.Limit, cli.Plural(r.Threads, "thread"), memory)

	var rows []searchRow
	for i := range r.Openings {
		rows = append(rows, searchRow{Opening: fmt.Sprint(i + 1), Search: &r.Openings[i]})
	}
	rows = append(rows, searchRow{Opening: "whole", Search: &r.Whole})
	for i := range rows {
		x := &rows[i]
		switch x.Result = r.Result(x.Search); {
		case x.Value == game.Unknown:
			x.Distance = fmt.Sprintf(">%d", x.Reached)
		case x.Search.Distance == 0:
			x.Distance = "-"
		default:
			x.Distance = fmt.Sprint(x.Search.Distance)
		}
	}
	if err := searchColumns(w, rows); err != nil {
		return err
	}
	fmt.Fprintln(w)
	t := cli.NewTable("", "")
	t.Row("value", valueText(g, r))
	if len(r.Line) > 0 {
		t.Row("line", cli.Wrap(r.Line, 12, "\n"))
	}
	t.Row("nodes", fmt.Sprintf("%s in %s, %s", cli.Count(r.Total.Nodes), cli.Seconds(r.Elapsed), cli.Rate(r.Total.Nodes, r.Elapsed)))
	if !f.o.NoTable {
		t.Row("table", fmt.Sprintf("%s stores, %s of them replaced another position, %s hits, %.1f%% full",
			cli.Count(r.Total.Stored), cli.Count(r.Total.Replaced), cli.Count(r.Total.Hits), 100*float64(r.Table.Filled)/float64(max(1, r.Table.Slots))))
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
