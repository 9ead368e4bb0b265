package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/solve"
	"perfectplay/solve/book"
)

func newBookCommand(a *family.App) *cobra.Command {
	cmd := cli.Group(&cobra.Command{
		Use:   "book",
		Short: "facts that searches have proved, kept in a file",
		Long: `book works on the files of solve search --book and solve mnk solve --book: facts
about positions whose proof took many nodes, each an interval for the plies
within which the seat to move can force a win, and one for the other side. A
fact belongs to a game, its rules and a position. If a rule set changes its
meaning, its older facts are not used. One file may hold facts about any number
of games.

Any number of processes may use a book at once. A process that is killed at any
instant leaves it whole.`,
		Example: `  solve book list star73.book
  solve book verify star73.book --sample 100`,
	})
	cmd.AddCommand(newBookListCommand(a), newBookExportCommand(a), newBookVerifyCommand(a), newBookMergeCommand(a))
	return cmd
}

// shelfRecord counts the facts about a game in a book.
type shelfRecord struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// Current reports whether the facts hold under the present rules.
	Current bool   `json:"current"`
	Facts   int    `json:"facts"`
	Wins    int    `json:"wins"` // facts that the seat to move wins
	Losses  int    `json:"losses"`
	Draws   int    `json:"draws"`
	Open    int    `json:"open_facts"`
	Nodes   uint64 `json:"nodes"` // nodes of the costliest proof
	// Start is the value of the start for the seat to move, the plies within which it is open, or
	// a word if the rules have changed.
	Start string `json:"start_worth"`
}

func newBookListCommand(a *family.App) *cobra.Command {
	var out cli.Output
	cmd := &cobra.Command{
		Use:   "list FILE",
		Short: "count the facts of a book by game",
		Long: `list prints a row for each game and rule set of a book: how many facts there
are, by the value of the position for the seat to move, the nodes of the dearest
proof, and what is known of the start. A fact is open, too, if it shows only
that one side never wins. Rows that are not current belong to an earlier meaning
of the rules or to other keys, and are not used.`,
		Example: `  solve book list star73.book`,
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := book.Open(args[0], false)
			if err != nil {
				return err
			}
			var rows []shelfRecord
			var last book.Shelf
			var g game.Game
			err = b.Each(func(it book.Item) error {
				if it.Shelf != last || rows == nil {
					last, g = it.Shelf, currentGame(a, it.Shelf)
					rows = append(rows, shelfRecord{Game: last.Game, Rules: last.Rules, Current: g != nil})
					if g == nil {
						rows[len(rows)-1].Start = "not current"
					}
				}
				r, f := &rows[len(rows)-1], it.Fact
				r.Facts++
				r.Nodes = max(r.Nodes, f.Nodes)
				switch v, _, _ := f.Value(); v {
				case game.Win:
					r.Wins++
				case game.Loss:
					r.Losses++
				case game.Draw:
					r.Draws++
				default:
					r.Open++
				}
				if g != nil && (g.Seats() <= 2 || it.Hero == g.Start().Seat()) && it.Position == g.Start().String() {
					r.Start = factText(f)
				}
				return nil
			})
			if err != nil {
				return err
			}
			return cli.Records(&out, cmd, rows, cli.Grid[shelfRecord]("game", "rules", "facts", "wins", "losses", "draws", "open=open_facts", "start=start_worth"))
		},
	}
	out.Flags(cmd)
	return cmd
}

func currentGame(a *family.App, s book.Shelf) game.Game {
	g, err := a.Open(s.Game, s.Rules)
	if err != nil {
		return nil
	}
	if now, err := book.ShelfOf(g); err != nil || now != s {
		return nil
	}
	return g
}

// factText describes a fact in a few words.
func factText(f solve.Fact) string {
	v, over, by := f.Value()
	switch {
	case v == game.Draw:
		return "draw"
	case v == game.Unknown && f.WinOver == f.LossOver:
		return fmt.Sprintf("open within %d", f.WinOver)
	case v == game.Unknown && f.WinOver == solve.Never && f.LossOver == 0:
		return "no win ever"
	case v == game.Unknown && f.LossOver == solve.Never && f.WinOver == 0:
		return "no loss ever"
	case v == game.Unknown:
		return fmt.Sprintf("no win %s, no loss %s", within(f.WinOver), within(f.LossOver))
	case over+1 == by:
		return fmt.Sprintf("%v in %d", v, by)
	case over == 0:
		return fmt.Sprintf("%v within %d", v, by)
	}
	return fmt.Sprintf("%v in %d to %d", v, over+1, by)
}

func within(plies int) string {
	if plies == solve.Never {
		return "ever"
	}
	return fmt.Sprintf("within %d", plies)
}

// factRecord is a fact of a book. Plies are null for a win or loss that cannot be forced in any
// number of plies.
type factRecord struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Hero     string `json:"hero"` // the seat of the fact; empty with two seats
	Position string `json:"position"`
	Value    string `json:"value"` // for the seat to move, or with more than two seats for its side: hero or opponents
	WinOver  *int   `json:"win_over"`
	WinBy    *int   `json:"win_by"`
	LossOver *int   `json:"loss_over"`
	LossBy   *int   `json:"loss_by"`
	Nodes    uint64 `json:"nodes"`

	text string
}

func newBookExportCommand(a *family.App) *cobra.Command {
	var out cli.Output
	cmd := &cobra.Command{
		Use:   "export FILE [GAME]",
		Short: "write the facts of a book as rows",
		Long: `export writes every fact of a book, or those on GAME: the position, what it is worth to the seat to
move, and the interval of each side. The seat to move forces no win within
win_over plies and one within win_by; the other side none within loss_over and one
within loss_by. Where win_over is null although nothing is won, no win can be
forced at all, however long the game. With more than two seats the sides are the
hero and all others together.`,
		Example: `  solve book export star73.book --csv -o facts.csv`,
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := book.Open(args[0], false)
			if err != nil {
				return err
			}
			return cli.Stream(&out, cmd, func(w io.Writer, r factRecord) {
				fmt.Fprintf(w, "%s  %s, %s nodes\n", r.Position, r.text, cli.Count(r.Nodes))
			}, func(put func(factRecord) error) error {
				return b.Each(func(it book.Item) error {
					if err := cmd.Context().Err(); err != nil {
						return err
					}
					if len(args) > 1 && it.Shelf.Game != args[1] {
						return nil
					}
					return put(newFactRecord(a, it))
				})
			})
		},
	}
	out.Flags(cmd)
	return cmd
}

func newFactRecord(a *family.App, it book.Item) factRecord {
	plies := func(n int) *int {
		if n == solve.Never {
			return nil
		}
		return &n
	}
	f := it.Fact
	v, _, _ := f.Value()
	r := factRecord{
		Game: it.Shelf.Game, Rules: it.Shelf.Rules, Position: it.Position, Value: v.String(), WinOver: plies(f.WinOver),
		WinBy: plies(f.WinBy), LossOver: plies(f.LossOver), LossBy: plies(f.LossBy), Nodes: f.Nodes, text: factText(f),
	}
	if g, err := a.Open(r.Game, r.Rules); err == nil && g.Seats() > 2 {
		r.Hero = g.SeatName(it.Hero)
	}
	return r
}

// checkRecord counts the facts of a game that were proved again.
type checkRecord struct {
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Facts     int    `json:"facts"`
	Checked   int    `json:"checked"`
	Wrong     int    `json:"wrong"`
	Undecided int    `json:"undecided"`
	// Source is the source of the comparison, empty if no fact was checked.
	Source wing.Kind `json:"source"`
}

func newBookVerifyCommand(a *family.App) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "prove the facts of a book again",
		Long: `verify proves every fact of a book again without the book, or a random --sample of
them. It fails if a fact is wrong or damaged, or could be neither proved nor
refuted. Facts about rules that are not current are left out.

Where a game has a table in --tables, or can be solved within --mem for less than its
facts have cost, facts are compared with the values of all positions, which share
nothing with searches; --without ask searches each position again. On large boards
of m,n,k-games the search of solve mnk solve proves the facts, and checks the zones
and moves that are kept with them.`,
		Example: `  solve book verify star73.book --sample 100`,
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := book.Open(args[0], false)
			if err != nil {
				return err
			}
			defer f.job.LimitHeapBeside(f.job.TableBesideGarbage(solve.MinMemory))()
			if err := f.count(b); err != nil {
				return err
			}
			return cli.Run(&f.job.Output, &a.Progress, cmd, "facts", f.sample, func(ctx context.Context, bar *cli.Bar) ([]checkRecord, error) {
				return f.check(ctx, a, cmd.ErrOrStderr(), b, bar)
			}, cli.Grid[checkRecord]("game", "rules", "facts", "checked", "wrong", "undecided", "source"))
		},
	}
	f.job.Flags(cmd, cli.ProgramMemory+solve.MinMemory)
	cli.Number(cmd, &f.sample, "sample", 0, "prove `N` facts drawn at random (default: all)")
	cli.SeedFlag(cmd, &f.seed)
	f.warn = cli.Warner(cmd)
	cli.TablesFlag(cmd, &f.tables)
	cli.Switches(cmd, "without", "leave out `WORDS`: ask, tables and solutions of whole games", cli.Switch{Word: "ask", On: &f.alone})
	return cmd
}

type checkFlags struct {
	job    cli.Job
	sample int64
	seed   uint64
	tables string
	alone  bool
	warn   func(error)

	facts int64                  // number of facts in the book
	nodes map[book.Shelf]float64 // estimated cost of the sample's facts, by shelf
}

// count counts the facts and their cost. The default sample is all facts.
func (f *checkFlags) count(b *book.Book) error {
	f.nodes = map[book.Shelf]float64{}
	err := b.Each(func(it book.Item) error {
		f.facts++
		f.nodes[it.Shelf] += float64(it.Fact.Nodes)
		return nil
	})
	if f.sample == 0 || f.sample > f.facts {
		f.sample = f.facts
	}
	for sh := range f.nodes {
		f.nodes[sh] *= float64(f.sample) / float64(f.facts)
	}
	return err
}

// check proves the facts of the sample again and counts them by game.
func (f *checkFlags) check(ctx context.Context, a *family.App, messages io.Writer, b *book.Book, bar *cli.Bar) (rows []checkRecord, err error) {
	var last book.Shelf
	var g game.Game
	var c family.Checker
	end := func() error {
		if c == nil {
			return nil
		}
		defer func() { c = nil }()
		return c.Close()
	}
	defer func() { err = errors.Join(err, end()) }()
	random, left, want := rand.New(rand.NewPCG(f.seed, 0)), f.facts, f.sample
	err = b.Each(func(it book.Item) error {
		// Each fact left has the same chance, and the number drawn is exact.
		if left--; left < 0 || random.Int64N(left+1) >= want {
			return ctx.Err()
		}
		want--
		if rows == nil || it.Shelf != last {
			if err := end(); err != nil {
				return err
			}
			last, g = it.Shelf, currentGame(a, it.Shelf)
			rows = append(rows, checkRecord{Game: last.Game, Rules: last.Rules})
			if g != nil {
				var err error
				if c, err = f.checker(ctx, a, g, f.nodes[last], bar); err != nil {
					return err
				}
				rows[len(rows)-1].Source = c.Kind()
			}
		}
		row := &rows[len(rows)-1]
		row.Facts++
		bar.Add(1)
		if g == nil {
			return ctx.Err()
		}
		wrong, err := checkFact(ctx, g, c, it)
		if err != nil {
			return err
		}
		row.Checked++
		if errors.Is(wrong, solve.ErrUndecided) {
			row.Undecided++
		} else if wrong != nil {
			row.Wrong++
		}
		if wrong != nil {
			fmt.Fprintf(messages, "%s %s: %v\n", row.Game, row.Rules, wrong)
		}
		return nil
	})
	if err != nil {
		return rows, err
	}
	wrong, undecided := 0, 0
	for _, row := range rows {
		wrong += row.Wrong
		undecided += row.Undecided
	}
	switch {
	case wrong > 0:
		err = fmt.Errorf("%s wrong", cli.Plural(wrong, "fact"))
	case undecided > 0:
		err = fmt.Errorf("%s neither proved nor refuted", cli.Plural(undecided, "fact"))
	}
	return rows, cli.Incomplete(err)
}

// fromNothing is the estimated factor by which a fact costs more nodes to prove again: the first
// search found it with a filled table.
const fromNothing = 16

// checker returns a checker of facts about a game: a source with all positions, if it costs
// less than the facts did, else the family's.
func (f *checkFlags) checker(ctx context.Context, a *family.App, g game.Game, nodes float64, bar *cli.Bar) (family.Checker, error) {
	search, err := a.NewChecker(ctx, g, solve.Options{Threads: f.job.Threads, Memory: f.job.TableBesideGarbage(solve.MinMemory)})
	if err != nil || f.alone || search.Kind() != wing.BySearch {
		return search, err
	}
	k := knowers(a, f.warn, g, solve.DefaultAlgo(g), f.tables, int64(f.job.Mem))
	if k == nil {
		return search, nil
	}
	if nodes*fromNothing < float64(k.after) {
		return search, nil
	}
	bar.Describe("%s", k.About)
	o, err := k.Open(ctx, wing.Resources{Memory: int64(f.job.Mem), Threads: f.job.Threads})
	if err != nil {
		return nil, err
	}
	return bySource{g, search, o, k.Kind}, nil
}

// bySource compares facts with a source.
type bySource struct {
	game           game.Game
	family.Checker // for positions or distances that the source lacks
	oracle         wing.Oracle
	kind           wing.Kind
}

func (k bySource) Check(ctx context.Context, s game.State, it book.Item) (wrong, err error) {
	seat := s.Seat()
	if k.game.Seats() > 2 {
		seat = it.Hero
	}
	w, err := wing.WorthTo(ctx, k.oracle, s, seat)
	if err != nil || w.Value == game.Unknown || w.Value != game.Draw && w.Distance < 0 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return k.Checker.Check(ctx, s, it)
	}
	v := w.Value
	if s.Seat() != seat {
		v = v.Negate()
	}
	if !it.Fact.Holds(v, w.Distance) {
		return fmt.Errorf("%s: %v in %d plies for the seat to move by the %s, not %+v", s, v, w.Distance, k.kind, it.Fact), nil
	}
	return nil, nil
}

func (k bySource) Kind() wing.Kind { return k.kind }
func (k bySource) Close() error    { return errors.Join(k.oracle.Close(), k.Checker.Close()) }

// checkFact proves a fact again. The key of the fact must be the key of its position, and the value
// must be true.
func checkFact(ctx context.Context, g game.Game, c family.Checker, it book.Item) (wrong, err error) {
	s, wrong := g.Parse(it.Position)
	if wrong != nil {
		return wrong, nil
	}
	if key := keyOf(s); !slices.Equal(key, it.Key) { // the game of a current shelf has keys
		return fmt.Errorf("%s: its key is %x, not %x", s, key, it.Key), nil
	}
	if s.Result() != game.Ongoing {
		return fmt.Errorf("the game is over at %s", s), nil
	}
	return c.Check(ctx, s, it)
}

type mergeRecord struct {
	File string `json:"file"`
	News int    `json:"news"`
}

func newBookMergeCommand(a *family.App) *cobra.Command {
	var out cli.Output
	cmd := &cobra.Command{
		Use:   "merge FILE FROM...",
		Short: "add the facts of other books to one",
		Long: `merge adds all facts of the books FROM to FILE, a new one if it does not exist, and
prints how many were new or better. Where books know the same position their
intervals are combined. Facts that contradict each other are an error.`,
		Example: `  solve book merge star73.book part1.book part2.book`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			var from []*book.Book
			for _, name := range args[1:] {
				if err := files.Apart(files.Named{What: "the book", Name: args[0]}, files.Named{What: "the book to add", Name: name}); err != nil {
					return cli.Usage(err)
				}
				b, err := book.Open(name, false)
				if err != nil {
					return err
				}
				from = append(from, b)
			}
			to, err := book.Open(args[0], true)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, to.Close()) }()
			return cli.Run(&out, &a.Progress, cmd, "books", int64(len(from)), func(ctx context.Context, bar *cli.Bar) (rows []mergeRecord, err error) {
				for i, b := range from {
					if err := ctx.Err(); err != nil {
						return rows, err
					}
					news, err := to.Merge(b)
					if err != nil {
						return rows, err
					}
					rows = append(rows, mergeRecord{args[i+1], news})
					bar.Add(1)
				}
				return rows, nil
			}, cli.Grid[mergeRecord]("file", "news"))
		},
	}
	out.Flags(cmd)
	return cmd
}
