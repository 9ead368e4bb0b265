package app

import (
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
	"perfectplay/game/wing"
	"perfectplay/internal/cli"
	"perfectplay/play/explore"
	"perfectplay/solve"
	"perfectplay/solve/book"
)

type searchFlags struct {
	family.Flags
	job          cli.Job
	o            solve.Options
	hero         string
	at           family.At
	verbose      bool
	book         string
	tables       string
	warn         func(error) // receives warnings about tables
	alone        bool
	about        string                      // the source that was asked, in words
	knew         map[*solve.Search]wing.Kind // the deciding source, if not the search itself
	noOpenings   bool
	openingsOnly bool
	ordering     []string
	parts        cli.Parts
	split        int // plies before the tasks of --part begin
}

func newSearchCommand(a *family.App) *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search GAME",
		Short: "find what can be forced within a number of turns",
		Long: `search finds what can be forced from a position within L plies, a ply being one
turn of one seat. A win or a loss is proved and comes with its distance in
plies, a draw is proved for however long a game. A value that is not decided is
open, and the column "not within" says for how many plies that is proved.
Without --limit it looks further and further ahead until everything is decided,
the --time is up or it is interrupted. Results do not depend on --threads, --mem
or --ordering; speed does. Within --limit a draw is found where every game ends by
then, or nobody can win any more.

A search for two seats asks a table in --tables DIR at once. If a solution of
the whole game fits into --mem, it is made as soon as the search has cost as
much. Such an answer has no horizon and says where it comes from; --without ask
searches alone.

Engines (--algo):
  alphabeta  two seats: the value for the hero (default for two seats)
  paranoid   any number of seats: the value for the hero when all others join
             against it (default for more than two)
  proof      any number of seats: whether the hero can force a win, and how fast
  maxn       any number of seats: the outcome when everybody plays for himself; a
             draw is better than a loss, then the longer loss and the shorter win,
             then the first move

proof and maxn answer other questions. If proof finds no win of the hero within n
plies, the hero may still lose within them. If maxn finds that nobody wins within n
plies, a seat may still be able to force a win.

With --part I/N the positions after --split plies (default: as few as give enough
positions) are divided among N parts. solve merge then answers as one search with
--without ask would, but for the numbers of positions: parts share no table, so
together they visit more.

The position is searched as a whole and each opening move by itself. With --limit
and --time the whole may take half of the time and each opening an equal share of
the rest; time that one opening does not need goes to the others.`,
		Example: `  solve search halma-star37-2p --rules house --limit 12
  solve search halma-star13-6p --algo paranoid --hero 4 --limit 30`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Flags(cmd, cli.ProgramMemory+solve.MinMemory)
	fl := cmd.Flags()
	fl.IntVarP(&f.o.Limit, "limit", "l", 0, "horizon: `L` plies from the position (default: deeper and deeper)")
	cli.TimeFlag(cmd, &f.o.Time, 0)
	cli.Number(cmd, &f.o.Nodes, "max-nodes", 0, "stop after `N` nodes, and say what is known by then; with one thread that is the same on every machine")
	cli.Choice(cmd, &f.o.Algo, "algo", "", algoNames, "`ENGINE`: "+strings.Join(algoNames, ", ")+" (default: alphabeta for two seats, else paranoid)")
	fl.StringVar(&f.hero, "hero", "", "`SEAT` to find the value for, by name (default: the seat to move)")
	f.at.Flags(cmd)
	cli.Verbose(cmd, &f.verbose)
	cli.Switches(cmd, "without", "leave out `WORDS`: openings, the searches of single moves; ask, tables and a solution of the whole game",
		cli.Switch{Word: "openings", On: &f.noOpenings}, cli.Switch{Word: "ask", On: &f.alone})
	cli.Switches(cmd, "only", "`WORDS`: openings searches each opening move by itself; the whole follows", cli.Switch{Word: "openings", On: &f.openingsOnly})
	cli.Choices(cmd, &f.ordering, "ordering", orderingNames, append(slices.Clone(orderingNames), "none"), "`WORDS` that order the moves, or none")
	family.BookFlag(cmd, &f.book)
	family.BookNodesFlag(cmd, &f.o.BookNodes)
	cli.Rules(cmd, cli.Needs("book-nodes", "book"),
		cli.AtLeast("split", 1), cli.Excludes("part", "time", "max-nodes", "book", "book-nodes", "tables"))
	f.warn = cli.Warner(cmd)
	cli.TablesFlag(cmd, &f.tables)
	f.parts.Flags(cmd, a.Program, &a.Merging)
	cli.SplitFlag(cmd, &f.split)
	cli.Before(cmd, func() error {
		if cmd.Flags().Changed("split") && !f.parts.One() && !f.parts.Merging() {
			return cli.Usagef("--split goes with --part")
		}
		return nil
	})
	return cmd
}

var algoNames = solve.AlgoNames()

// orderingNames are the sources of move ordering, in the order of their use. learn drops killers,
// gain or history where they cost nodes.
var orderingNames = []string{"table", "wins", "killers", "gain", "history", "learn"}

// options translates flags into options.
func (f *searchFlags) options(cmd *cobra.Command, g game.Game) error {
	o := &f.o
	most := solve.MaxLimit
	if o.Algo == solve.MaxN {
		most = solve.MaxLimitMaxN
	}
	switch {
	case o.Limit < 0 || o.Limit > most:
		return cli.Usagef("--limit %d: want 1 to %d plies, or 0 for none", o.Limit, most)
	case f.noOpenings && f.openingsOnly:
		return cli.Usagef("--without openings does not go with --only openings")
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
	switches := []*bool{&o.Ordering.Table, &o.Ordering.Wins, &o.Ordering.Killers, &o.Ordering.Gain, &o.Ordering.History, &o.Ordering.Learn}
	for _, word := range f.ordering {
		if i := slices.Index(orderingNames, word); i >= 0 {
			*switches[i] = true
		} else if len(f.ordering) > 1 {
			return cli.Usagef("--ordering: %s goes with no other word", word)
		}
	}
	o.Threads, o.Memory = f.job.Threads, int64(f.job.Mem-cli.ProgramMemory)
	if f.book != "" {
		o.Memory = f.job.TableBesideGarbage(solve.MinMemory)
	}
	return nil
}

// run searches with the engines of package solve.
func (f *searchFlags) run(a *family.App, cmd *cobra.Command, id string) (err error) {
	g, s, err := f.OpenAt(id, f.at)
	if err != nil {
		return err
	}
	if err := f.options(cmd, g); err != nil {
		return err
	}
	if s.Result() != game.Ongoing {
		return cli.Usagef("position %s: the game is over there: %s", s, family.ResultText(g, s.Result()))
	}
	if f.parts.One() {
		return f.runPart(a, cmd, g, s)
	}
	sum, undo, err := f.merged(cmd, g, s)
	if err != nil {
		return err
	}
	defer undo()
	if f.book != "" {
		var b *book.Book
		if b, err = book.Open(f.book, true); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, b.Close()) }()
		defer f.job.LimitHeapBeside(f.o.Memory)()
		f.o.Book = b
	}
	var report *solve.Report
	steps := int64(cli.Shares)
	if f.o.Limit == 0 {
		steps = cli.Endless // the search has no depth limit, only a time
	}
	err = cli.Run(&f.job.Output, &a.Progress, cmd, "search", steps, func(ctx context.Context, bar *cli.Bar) ([]searchRecord, error) {
		f.o.Progress = func(p solve.Progress) {
			what := "whole"
			if p.Move != "" {
				what = fmt.Sprintf("%s (%d of %d)", p.Move, p.Search, p.Searches-1)
			}
			plies := cli.Plural(p.Iteration, "ply")
			if f.o.Limit > 0 {
				plies = fmt.Sprintf("%d of %d plies", p.Iteration, p.Limit)
			}
			bar.Describe("%s, %s, %s nodes", what, plies, cli.Short(p.Nodes))
			bar.Share(p.Share)
		}
		bar.Limit(f.o.Time)
		report, err = f.search(ctx, a, g, s, bar)
		if err != nil && report == nil {
			return nil, err
		}
		if sum != nil {
			report.Whole.Add(&sum.Counts)
			report.Total.Add(&sum.Counts)
			report.Whole.Elapsed += sum.Elapsed
			report.Elapsed += sum.Elapsed
		}
		return f.records(s, report), err
	}, func(w io.Writer, rows []searchRecord) { f.write(w, a, s, report, rows) })
	if err == nil && report.Whole.Value == game.Unknown && f.job.Mem >= explore.MinMemory {
		f.askOthers(a, cmd, id, s)
	}
	return err
}

// search runs a search. Once the search has cost more than a source would, it asks the source
// instead.
func (f *searchFlags) search(ctx context.Context, a *family.App, g game.Game, s game.State, bar *cli.Bar) (*solve.Report, error) {
	var k *knower
	if !f.alone {
		k = knowers(a, f.warn, g, f.o.Algo, f.tables, int64(f.job.Mem))
	}
	begin, o := time.Now(), f.o
	searching, stop := context.WithCancel(ctx)
	defer stop()
	if k != nil {
		if k.Kind == wing.ByTable {
			stop() // no search is needed: the table has all values of the report
		}
		o.Progress = func(p solve.Progress) {
			if f.o.Progress(p); k.cheaper(p.Nodes) {
				stop()
			}
		}
	}
	var report *solve.Report
	err := explore.Await(ctx, g, s, func() (err error) {
		report, err = solve.Run(searching, g, s, o)
		return err
	})
	if errors.Is(err, solve.ErrOptions) {
		return nil, cli.Usage(err)
	} else if err != nil {
		return nil, err
	}
	// A short search may end before it is stopped.
	open := k != nil && report.Whole.Value == game.Unknown && (k.Kind == wing.ByTable || f.o.Limit == 0 && !report.Interrupted && k.final())
	if k != nil && (open || report.Interrupted && searching.Err() != nil) && ctx.Err() == nil {
		asking := ctx
		if f.o.Time > 0 {
			var cancel context.CancelFunc
			asking, cancel = context.WithTimeout(ctx, f.o.Time-time.Since(begin))
			defer cancel()
		}
		bar.Describe("%s", k.About)
		f.knew = map[*solve.Search]wing.Kind{}
		all, err := k.answer(asking, wing.Resources{Memory: int64(f.job.Mem), Threads: f.job.Threads}, s, report, f.knew)
		if !all && asking.Err() == nil && report.Interrupted {
			f.alone = true // the source cannot tell, so the search must find out
			return f.search(ctx, a, g, s, bar)
		}
		if all {
			f.about, report.Elapsed = k.About, time.Since(begin)
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return report, err
		}
		return report, nil
	}
	if report.Interrupted {
		return report, ctx.Err() // nil if the time was up, which is no interruption
	}
	return report, nil
}

func (f *searchFlags) askOthers(a *family.App, cmd *cobra.Command, id string, s game.State) {
	service, err := explore.New(explore.Options{Wings: a.Wings(), Memory: explore.MinMemory, Threads: f.job.Threads})
	if err != nil {
		return
	}
	defer service.Close()
	g, err := service.Game(id, f.Rules)
	if err != nil || g.Source.Kind != wing.ByDeal && g.Source.Kind != wing.ByProof {
		return
	}
	answer, err := service.Ask(cmd.Context(), explore.Query{Game: id, Rules: f.Rules, Position: s.String(), Seconds: 0.3})
	if err == nil && answer.Final {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s (%s): see solve analyse %s\n", answer.Text, answer.Source.About, id)
	}
}

// searchRecord is a row of the answer.
type searchRecord struct {
	solve.Record
	Position string   `json:"position"`
	Path     []string `json:"path"` // moves of the command line from the given position to this one
	// Mirrors is the number of an earlier opening, the mirror image of this one; 0 without such an
	// opening.
	Mirrors int `json:"mirrors"`
	// Source decided the search: another source, or the search itself.
	Source wing.Kind `json:"source"`
	// Line and LineNodes belong to the whole search, see [solve.Report].
	Line      []string `json:"line"`
	LineNodes uint64   `json:"line_nodes"`
	// For the printed text: the number of the opening, or the word whole, and the time.
	Label string      `json:"-"`
	Took  cli.Seconds `json:"-"`
}

// records returns the rows of a report.
func (f *searchFlags) records(s game.State, r *solve.Report) (rows []searchRecord) {
	mirrors := mirrored(s, r)
	for i, rec := range r.Records() {
		source, x := wing.BySearch, &r.Whole
		if rec.Opening > 0 {
			x = &r.Openings[i]
		}
		if by, ok := f.knew[x]; ok {
			source = by
		}
		row := searchRecord{Record: rec, Source: source, Position: s.String(), Path: append([]string{}, f.at.Moves...), Label: "whole",
			Line: []string{}, Took: cli.Seconds(rec.Seconds * float64(time.Second))}
		if rec.Opening == 0 {
			row.Line, row.LineNodes = append(row.Line, r.Line...), r.LineNodes
		} else {
			row.Label = fmt.Sprint(rec.Opening)
			if row.Mirrors = mirrors[i]; row.Mirrors > 0 {
				row.Label += fmt.Sprintf(" = %d", row.Mirrors)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// mirrored returns for each opening the number, from 1, of an earlier one that leads to the same
// position up to symmetry, or 0.
func mirrored(s game.State, r *solve.Report) []int {
	same := make([]int, len(r.Openings))
	first := map[string]int{}
	at := s.Clone()
	_, keys := at.(game.Keyer)
	for i := 0; keys && i < len(same); i++ {
		at.Make(r.Openings[i].Move)
		key := fmt.Sprint(keyOf(at))
		at.Unmake()
		if same[i] = first[key]; same[i] == 0 {
			first[key] = i + 1
		}
	}
	return same
}

// keyOf returns the key of a state that has keys.
func keyOf(s game.State) []uint64 {
	k := s.(game.Keyer)
	key := make([]uint64, k.KeyWords())
	k.Key(key)
	return key
}

func (f *searchFlags) columns(r *solve.Report) func(io.Writer, []searchRecord) {
	list := []string{">opening=Label", "move", "value"}
	if r.Algo == solve.MaxN {
		list = append(list, "winner")
	}
	list = append(list, "plies=distance", "not within=not_within", "nodes")
	if f.verbose {
		list = append(list, "terminals", "cutoffs", "stored=tt_stored", "hits=tt_hits", "depth=MaxDepth")
	}
	return cli.Grid[searchRecord](append(list, "time=Took")...)
}

func (f *searchFlags) write(w io.Writer, a *family.App, s game.State, r *solve.Report, rows []searchRecord) {
	g := r.Game
	a.Draw(w, g, s)
	hero := ""
	if r.Hero >= 0 {
		hero = " for seat " + g.SeatName(r.Hero)
	}
	fmt.Fprintf(w, "%s, seat %s to move\n", family.Title(g), g.SeatName(s.Seat()))
	fmt.Fprintf(w, "%s%s within %d plies, %s, table up to %v\n\n", r.Algo, hero, r.Limit, cli.Plural(r.Threads, "thread"), cli.Size(f.o.Memory))
	f.columns(r)(w, rows)
	fmt.Fprintln(w)
	t := cli.NewTable("", "")
	t.Row("value", valueText(g, r))
	if r.LineNodes > 0 || len(r.Line) > 0 {
		text := cli.Wrap(r.Line, 12, "\n")
		if len(r.Line) < r.Whole.Distance && !r.Interrupted {
			text = strings.TrimLeft(text+"\n", "\n") + fmt.Sprintf("not searched further after %s nodes, as many as for the value", cli.Count(r.LineNodes))
		}
		t.Row("line", text)
	}
	t.Row("nodes", fmt.Sprintf("%s in %s, %s", cli.Count(r.Total.Nodes), cli.Seconds(r.Elapsed), cli.Rate(r.Total.Nodes, r.Elapsed)))
	t.Row("table", fmt.Sprintf("%s stores, %s of them replaced another position, %s hits, %.1f%% full",
		cli.Count(r.Total.Stored), cli.Count(r.Total.Replaced), cli.Count(r.Total.Hits), 100*float64(r.Table.Filled)/float64(max(1, r.Table.Slots))))
	if f.book != "" {
		t.Row("book", cli.Count(r.Recalled).String()+" facts to begin with")
	}
	if f.about != "" {
		t.Row("source", f.about)
	}
	if i := slices.IndexFunc(rows, func(row searchRecord) bool { return row.Mirrors > 0 }); i >= 0 {
		t.Row("note", fmt.Sprintf("%s: opening %d is the mirror image of opening %d", rows[i].Label, rows[i].Opening, rows[i].Mirrors))
	}
	t.Write(w)
}

// valueText is the value of the position as a sentence.
func valueText(g game.Game, r *solve.Report) string {
	x, hero, against := &r.Whole, "", ""
	if r.Hero >= 0 {
		hero = "seat " + g.SeatName(r.Hero)
	}
	if g.Seats() > 2 {
		against = " against all others"
	}
	open := cli.Plural(x.Reached, "ply")
	switch {
	case r.Algo == solve.MaxN && x.Winner >= 0:
		return fmt.Sprintf("seat %s wins in %s when everybody plays for himself", g.SeatName(x.Winner), cli.Plural(x.Distance, "ply"))
	case x.Value == game.Win:
		return fmt.Sprintf("%s forces a win%s in %s", hero, against, cli.Plural(x.Distance, "ply"))
	case x.Value == game.Loss:
		return fmt.Sprintf("%s loses%s in %s", hero, against, cli.Plural(x.Distance, "ply"))
	case x.Value == game.Draw && r.Algo == solve.Proof:
		return fmt.Sprintf("%s forces no win%s, however long the game", hero, against)
	case x.Value == game.Draw:
		return "draw, however long the game"
	case r.Algo == solve.Proof:
		return fmt.Sprintf("open: %s forces no win%s within %s; whether it loses was not asked", hero, against, open)
	case r.Algo == solve.MaxN:
		return fmt.Sprintf("open: nobody wins within %s when everybody plays for himself", open)
	case against != "":
		return fmt.Sprintf("open: within %s neither %s forces a win nor all others together", open, hero)
	}
	return fmt.Sprintf("open: nobody forces a win within %s", open)
}
