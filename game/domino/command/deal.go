package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/internal/cli"
)

// dealRecord is the answer about a deal.
type dealRecord struct {
	Deal     string   `json:"deal"`    // the starter's hand first
	Swapped  bool     `json:"swapped"` // the second hand given starts
	Position string   `json:"position"`
	Path     []string `json:"path"`  // moves from the deal or position given to this one
	Score    int      `json:"score"` // score of perfect play for the starter
	// Line is a line of perfect play. A pass is written without a tile.
	Line    []string         `json:"line"`
	Lines   uint64           `json:"lines"`
	Blocked uint64           `json:"blocked_lines"`
	Min     int              `json:"least_score"`
	Max     int              `json:"most_score"`
	Sign    string           `json:"sign"`
	Moves   cli.List[choice] `json:"moves"`          // moves of the first position with a choice
	Ends    []end            `json:"ends,omitempty"` // ends of all lines, if asked for

	Starter, Second domino.Set `json:"-"`
	Chooser         string     `json:"-"` // the seat with the first choice, or empty
	Play            string     `json:"-"` // Line as printed text
}

// choice is a move with the score of perfect play after it, for the starter.
type choice struct {
	Move  string `json:"move"`
	Score int    `json:"score"`
}

func (c choice) String() string { return fmt.Sprintf("%s=%d", c.Move, c.Score) }

type end struct {
	Score   int  `json:"score"` // score for the starter
	Blocked bool `json:"blocked"`

	text string
}

type dealFlags struct {
	job  cli.Job
	list string
	file string
	at   family.At
}

func newDealCommand(a *family.App) *cobra.Command {
	var f dealFlags
	cmd := &cobra.Command{
		Use:   "deal HAND / HAND | deal --position TEXT | deal --file FILE",
		Short: "value, best line and statistics of a deal",
		Long: `deal solves a deal with both hands open: its value for the starter, a line of
perfect play, the value of every move at the first choice, and the statistics of
the full tree: lines of play, how many end blocked, the lowest and the highest
score, and which signs the scores have.

--moves are played first; the answer is then about the position that they lead
to. --position is a position, or start for the deal that solve search begins
with. A deal of a smaller set is the position after its first tile.

--list leaves prints the scores of all lines: tiles in ascending order, the left end
first. Published logs hold the same scores, some in another order.

--file reads deals, one a line, and solves them on all threads.`,
		Example: `  solve domino deal "0|2 1|2 1|5 2|2 2|6 4|4 5|6 / 0|4 1|4 1|6 2|4 2|5 4|5 4|6"
  solve domino deal --list leaves "66 16 24 26 33 34 36 / 00 01 02 03 05 06 15"
  solve domino deal --position start --moves "4|4,0|4"
  solve domino deal --file deals.txt --csv`,
		Args: cli.Args("[HANDS...]"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.job.Flags(cmd, LeastMemory)
	fl := cmd.Flags()
	cli.Choice(cmd, &f.list, "list", "", []string{"tiles", "leaves"}, "`LIST` to print, too: tiles draws them; leaves are the scores of all lines of play, X where blocked")
	f.at.Flags(cmd)
	fl.StringVar(&f.file, "file", "", "solve the deals of `FILE`, one a line; - is standard input")
	cli.Rules(cmd, cli.Excludes("file", "list", "position", "moves"))
	return cmd
}

func (f *dealFlags) run(a *family.App, cmd *cobra.Command, args []string) error {
	switch {
	case f.file != "" && len(args) > 0:
		return cli.Usagef("--file does not go with hands")
	case f.file != "":
		return f.batch(a, cmd)
	case len(args) > 0 && cmd.Flags().Changed("position"):
		return cli.Usagef("--position does not go with hands")
	case len(args) == 0 && !cmd.Flags().Changed("position"):
		return cli.Usagef("missing HAND / HAND, or --position")
	}
	var r dealRecord
	start := domino.Default()
	if len(args) > 0 {
		d, swapped, err := domino.ParseDeal(strings.Join(args, " "))
		if err != nil {
			return cli.Usage(smaller(err, "--position with a position after the first tile, such as 02.12.23_04.14.24.33_44_1"))
		}
		start, r.Deal, r.Swapped = domino.New(d), d.String(), swapped
	}
	s, err := f.at.Unfinished(start)
	if err != nil {
		return err
	}
	p := s.(interface{ At() domino.Position }).At()
	r = r.describe(exact.NewSolver(), p, domino.ReferenceStats(p))
	r.Position, r.Path = p.String(), append([]string{}, f.at.Moves...)
	if f.list == "leaves" {
		r.Ends = ends(p)
	}
	return cli.Records(&f.job.Output, cmd, []dealRecord{r}, func(w io.Writer, records []dealRecord) {
		if s, err := domino.Default().Parse(p.String()); f.list == "tiles" && err == nil {
			a.Draw(w, domino.Default(), s)
		}
		cli.Fields[dealRecord]("starter=Starter", "second=Second", "value=score:%+d for the starter", "line=Play",
			"first choice=Chooser?,moves:%s: %s", "lines of play=lines", "blocked=blocked_lines", "share blocked=blocked_lines/lines",
			"scores=least_score,most_score,sign:%+d … %+d, %s")(w, records)
		if f.list == "leaves" {
			var words []string
			for _, e := range r.Ends {
				words = append(words, e.text)
			}
			fmt.Fprintln(w, strings.Join(words, " "))
		}
	})
}

// smaller adds a hint to an error about the size of a hand: how to ask for smaller deals.
func smaller(err error, how string) error {
	if errors.Is(err, domino.ErrHandSize) {
		return fmt.Errorf("%w; for smaller ones use %s", err, how)
	}
	return err
}

// ends lists the ends of all lines of play in the order of [domino.WalkLeaves].
func ends(p domino.Position) (list []end) {
	domino.WalkLeaves(p, func(leaf domino.Position) {
		list = append(list, end{leaf.Score(), leaf.Blocked(), leaf.LeafText()})
	})
	return list
}

func newDealRecord(s *exact.Solver, d domino.Deal, swapped bool) dealRecord {
	r := dealRecord{Deal: d.String(), Swapped: swapped, Position: d.Start().String(), Path: []string{}}
	return r.describe(s, d.Start(), s.Stats(d))
}

func (r dealRecord) describe(s *exact.Solver, p domino.Position, st domino.Stats) dealRecord {
	line, moves := []string{}, cli.List[choice]{}
	for _, turn := range s.Line(p) {
		line = append(line, turn.String())
		if r.Chooser != "" {
			continue
		}
		if choices := s.Choices(turn.Before, nil); len(choices) > 1 {
			r.Chooser = domino.Default().SeatName(int(turn.Before.Mover))
			for _, c := range choices {
				moves = append(moves, choice{turn.Before.MoveText(c.Move), c.Value})
			}
		}
	}
	r.Score, r.Line, r.Play, r.Moves = st.Value, line, strings.Join(line, " "), moves
	r.Lines, r.Blocked, r.Min, r.Max, r.Sign = st.Leaves, st.Blocked, st.Min, st.Max, st.Sign().String()
	r.Starter, r.Second = p.Hands[domino.Starter], p.Hands[domino.Second]
	return r
}

func (f *dealFlags) batch(a *family.App, cmd *cobra.Command) error {
	var deals []domino.Deal
	var swaps []bool // whether the second hand written starts
	err := cli.Lines(cmd, f.file, "deals", func(line string) error {
		if line[0] == '#' {
			return nil
		}
		d, swapped, err := domino.ParseDeal(line)
		deals, swaps = append(deals, d), append(swaps, swapped)
		return cli.Usage(err)
	})
	if err != nil {
		return err
	}
	return cli.Run(&f.job.Output, &a.Progress, cmd, "deals", int64(len(deals)), func(ctx context.Context, bar *cli.Bar) ([]dealRecord, error) {
		records := make([]dealRecord, len(deals))
		if err := exact.Each(ctx, len(deals), f.job.Threads, bar.Add, func(s *exact.Solver, i int) {
			records[i] = newDealRecord(s, deals[i], swaps[i])
		}); err != nil {
			return nil, err
		}
		return records, nil
	}, cli.Grid[dealRecord]("deal", "value=score", "lines", "blocked=blocked_lines", "min=least_score", "max=most_score", "signs=sign"))
}
