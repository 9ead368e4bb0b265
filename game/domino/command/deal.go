package command

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// dealRecord is what solve domino deal says about a deal.
type dealRecord struct {
	Deal    string `json:"deal"`    // the starter's hand first
	Swapped bool   `json:"swapped"` // the second hand given starts
	Value   int    `json:"value"`   // for the starter
	Line    string `json:"line"`    // of perfect play
	Leaves  uint64 `json:"leaves"`
	Blocked uint64 `json:"blocked"`
	Min     int    `json:"min"`
	Max     int    `json:"max"`
	Sign    string `json:"sign"`
	Moves   string `json:"moves,omitempty"` // the first choice: move=value
	Scores  string `json:"scores,omitempty"`

	chooser string // who has the first choice, empty if nobody has one
}

// dominoDealFlags are the flags of solve domino deal.
type dominoDealFlags struct {
	out    cli.Output
	res    cli.Resources
	leaves bool
	draw   bool
	file   string
}

func newDominoDealCommand(a *family.App) *cobra.Command {
	var f dominoDealFlags
	cmd := &cobra.Command{
		Use:   "deal HAND / HAND | deal --file FILE",
		Short: "value, best line and statistics of a deal",
		Long: `deal solves a deal with both hands open: its value for the starter, a line of
perfect play, the value of every move at the first choice, and the statistics of
the full tree: lines of play, how many end blocked, the lowest and the highest
score, and the class by their signs.

--file reads deals, one a line, and solves them on all threads.`,
		Example: `  solve domino deal "0|2 1|2 1|5 2|2 2|6 4|4 5|6 / 0|4 1|4 1|6 2|4 2|5 4|5 4|6"
  solve domino deal --leaves "66 16 24 26 33 34 36 / 00 01 02 03 05 06 15"
  solve domino deal --file deals.txt --csv`,
		Args: cli.Args("[HANDS...]"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.out.Flags(cmd)
	f.res.ThreadFlag(cmd)
	fl := cmd.Flags()
	fl.BoolVar(&f.leaves, "leaves", false, "list the scores of all lines of play in the order of the published logs, X where blocked")
	fl.BoolVar(&f.draw, "draw", false, "draw the tiles")
	fl.StringVar(&f.file, "file", "", "solve the deals of `FILE`, one a line; - is standard input")
	return cmd
}

func (f *dominoDealFlags) run(a *family.App, cmd *cobra.Command, args []string) error {
	if err := f.out.Check(); err != nil {
		return err
	}
	if err := f.res.Resolve(cmd, 0, 0); err != nil {
		return err
	}
	switch {
	case f.file != "" && len(args) > 0:
		return cli.Usagef("--file and hands exclude each other")
	case f.file != "" && (f.leaves || f.draw):
		return cli.Usagef("--leaves and --draw go with a single deal")
	case f.file != "":
		return f.batch(a, cmd)
	case len(args) == 0:
		return cli.Usagef("missing HAND / HAND")
	}
	d, swapped, err := domino.ParseDeal(joinArgs(args))
	if err != nil {
		return cli.Usage(err)
	}
	s := exact.NewSolver()
	r := newDealRecord(s, d, swapped)
	if f.leaves {
		var list []string
		domino.WalkLeaves(d.Start(), func(leaf domino.Position) { list = append(list, leaf.LeafText()) })
		r.Scores = strings.Join(list, " ")
	}
	return cli.Records(&f.out, cmd, []dealRecord{r}, func(w io.Writer) error {
		if f.draw {
			fmt.Fprint(w, d.Start().Picture())
		}
		t := cli.NewTable("", "")
		t.Row("starter", d.Starter.String())
		t.Row("second", d.Second.String())
		t.Row("value", fmt.Sprintf("%+d for the starter", r.Value))
		t.Row("line", r.Line)
		if r.chooser != "" {
			t.Row("first choice", r.chooser+": "+r.Moves)
		}
		t.Row("lines of play", cli.Count(r.Leaves))
		t.Row("blocked", fmt.Sprintf("%s (%s)", cli.Count(r.Blocked), cli.Percent(int64(r.Blocked), int64(r.Leaves))))
		t.Row("scores", fmt.Sprintf("%+d … %+d, %s", r.Min, r.Max, r.Sign))
		if err := t.Write(w); err != nil {
			return err
		}
		if f.leaves {
			fmt.Fprintln(w, r.Scores)
		}
		return nil
	})
}

// newDealRecord solves a deal and describes it.
func newDealRecord(s *exact.Solver, d domino.Deal, swapped bool) dealRecord {
	st := s.Stats(d)
	var line, moves []string
	var chooser string
	for _, turn := range s.Line(d.Start()) {
		line = append(line, turn.String())
		if chooser != "" {
			continue
		}
		if choices := s.Choices(turn.Before, nil); len(choices) > 1 {
			chooser = domino.Default().SeatName(int(turn.Before.Mover))
			for _, c := range choices {
				moves = append(moves, fmt.Sprintf("%s=%d", turn.Before.MoveText(c.Move), c.Value))
			}
		}
	}
	return dealRecord{
		Deal: d.String(), Swapped: swapped, Value: st.Value, Line: strings.Join(line, " "),
		Leaves: st.Leaves, Blocked: st.Blocked, Min: st.Min, Max: st.Max, Sign: st.Sign().String(),
		Moves: strings.Join(moves, " "), chooser: chooser,
	}
}

// batch solves the deals of a file.
func (f *dominoDealFlags) batch(a *family.App, cmd *cobra.Command) error {
	in := cmd.InOrStdin()
	if f.file != "-" {
		file, err := os.Open(f.file)
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	var deals []domino.Deal
	var swaps []bool
	scan := bufio.NewScanner(in)
	for n := 1; scan.Scan(); n++ {
		line := strings.TrimSpace(scan.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		d, swapped, err := domino.ParseDeal(line)
		if err != nil {
			return cli.Usagef("%s:%d: %w", f.file, n, err)
		}
		deals, swaps = append(deals, d), append(swaps, swapped)
	}
	if err := scan.Err(); err != nil {
		return fmt.Errorf("%s: %w", f.file, err)
	}
	bar := a.Progress.Start(cmd, "deals", int64(len(deals)))
	defer bar.Stop()
	records := make([]dealRecord, len(deals))
	err := exact.Each(cmd.Context(), len(deals), f.res.Threads, func(s *exact.Solver, i int) {
		records[i] = newDealRecord(s, deals[i], swaps[i])
		bar.Add(1)
	})
	if err != nil {
		return cli.ErrInterrupted
	}
	bar.Stop()
	return cli.Records(&f.out, cmd, records, func(w io.Writer) error {
		t := cli.NewTable("deal", ">value", ">lines", ">blocked", ">min", ">max", "signs")
		for _, r := range records {
			t.Row(r.Deal, r.Value, cli.Count(r.Leaves), cli.Count(r.Blocked), r.Min, r.Max, r.Sign)
		}
		return t.Write(w)
	})
}
