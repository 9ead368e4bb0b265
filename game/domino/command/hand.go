package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
	"perfectplay/internal/plot"
)

// handRecord is a row of the study's tables 3.1 to 3.11.
type handRecord struct {
	Hand           string  `json:"hand"`
	Deals          int     `json:"deals"`
	NoDeal         int     `json:"no_deal"`
	Starts         int     `json:"starts"`
	MeanLeaves     float64 `json:"mean_leaves"`
	MostLeaves     uint64  `json:"most_leaves"`
	WinPercent     float64 `json:"owner_win_percent"`
	Draws          int     `json:"draws"`
	MeanScore      float64 `json:"mean_score"`
	BlockedPercent float64 `json:"blocked_leaf_percent"`
}

// dominoHandFlags are the flags of solve domino hand.
type dominoHandFlags struct {
	out  cli.Output
	res  cli.Resources
	plot string
}

func newDominoHandCommand(a *family.App) *cobra.Command {
	var f dominoHandFlags
	cmd := &cobra.Command{
		Use:   "hand HAND",
		Short: "a hand against every hand the other player may hold",
		Long: `hand solves the 116,280 deals of a hand against every other: mean lines of play,
the share of deals that the owner of the hand wins, starting or not, and the
share of lines that end blocked. --plot draws the deals by number of lines.`,
		Example: `  solve domino hand "0|6 1|6 2|6 3|6 4|6 5|6 6|6"`,
		Args:    cli.Args("HAND..."),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.out.Flags(cmd)
	f.res.ThreadFlag(cmd)
	cmd.Flags().StringVar(&f.plot, "plot", "", "draw the deals by lines of play into `FILE`: svg, png or pdf by its name")
	return cmd
}

func (f *dominoHandFlags) run(a *family.App, cmd *cobra.Command, args []string) error {
	if err := f.out.Check(); err != nil {
		return err
	}
	if err := f.res.Resolve(cmd, 0, 0); err != nil {
		return err
	}
	if err := plot.Check(f.plot); err != nil {
		return err
	}
	hand, err := domino.ParseHand(joinArgs(args))
	if err != nil {
		return cli.Usage(err)
	}
	h, err := studyHand(a, cmd, hand, f.res.Threads)
	if err != nil {
		return err
	}
	if f.plot != "" {
		var lines []int64
		for n, deals := range h.Lines {
			for int(n) >= len(lines) {
				lines = append(lines, make([]int64, n+1)...)
			}
			lines[n] += int64(deals)
		}
		if err := plot.Save(f.plot, linesPanel("Deals of "+hand.String()+" by lines of play", lines, false)); err != nil {
			return err
		}
	}
	r := newHandRecord(h)
	return cli.Records(&f.out, cmd, []handRecord{r}, func(w io.Writer) error {
		t := cli.NewTable("", "")
		t.Row("hand", r.Hand)
		t.Row("deals", cli.Count(r.Deals))
		if r.NoDeal > 0 {
			t.Row("no double dealt", cli.Count(r.NoDeal))
		}
		t.Row("starts", cli.Count(r.Starts))
		t.Row("mean lines of play", fmt.Sprintf("%.2f", r.MeanLeaves))
		t.Row("most lines of play", cli.Count(r.MostLeaves))
		t.Row("owner wins", fmt.Sprintf("%.2f %%", r.WinPercent))
		t.Row("draws", cli.Count(r.Draws))
		t.Row("mean score", fmt.Sprintf("%+.3f for the owner", r.MeanScore))
		t.Row("blocked lines", fmt.Sprintf("%.2f %%", r.BlockedPercent))
		return t.Write(w)
	})
}

// studyHand runs exact.Study with progress.
func studyHand(a *family.App, cmd *cobra.Command, hand domino.Set, threads int) (*exact.HandStudy, error) {
	bar := a.Progress.Start(cmd, hand.String(), 116280)
	defer bar.Stop()
	h, err := exact.Study(cmd.Context(), hand, threads, func(done int) { bar.Set(int64(done)) })
	if errors.Is(err, context.Canceled) {
		return nil, cli.ErrInterrupted
	}
	return h, err
}

// newHandRecord makes the record of a hand.
func newHandRecord(h *exact.HandStudy) handRecord {
	return handRecord{
		Hand: h.Hand.String(), Deals: h.Deals, NoDeal: h.NoDeal, Starts: h.Starts,
		MeanLeaves: h.MeanLeaves(), MostLeaves: h.Most, WinPercent: h.WinPercent(), Draws: h.Draws,
		MeanScore: float64(h.Score) / float64(h.Deals), BlockedPercent: h.BlockedPercent(),
	}
}
