package command

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/internal/cli"
	"perfectplay/internal/plot"
)

// handRecord is a row of the study's tables 3.1 to 3.11.
type handRecord struct {
	Hand string `json:"hand"`
	*exact.HandStudy
}

type handFlags struct {
	job  cli.Job
	plot string
}

func newHandCommand(a *family.App) *cobra.Command {
	var f handFlags
	cmd := &cobra.Command{
		Use:   "hand HAND",
		Short: "a hand against every hand the other player may hold",
		Long: `hand solves the 116,280 games of a hand against every other: mean lines of play,
the share of games that the owner of the hand wins, starting or not, and the
share of lines that end blocked. --plot draws the games by number of lines.`,
		Example: `  solve domino hand "0|6 1|6 2|6 3|6 4|6 5|6 6|6"`,
		Args:    cli.Args("HAND..."),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.job.Flags(cmd, LeastMemory)
	plot.Flag(cmd, &f.plot, "the games by lines of play")
	return cmd
}

func (f *handFlags) run(a *family.App, cmd *cobra.Command, args []string) error {
	hand, err := domino.ParseHand(strings.Join(args, " "))
	if err != nil {
		return cli.Usage(smaller(err, "hidden hands: domino hidden, domino exploit, domino match --set"))
	}
	return cli.Run(&f.job.Output, &a.Progress, cmd, hand.String(), exact.Opponents, func(ctx context.Context, bar *cli.Bar) ([]handRecord, error) {
		h, err := exact.Study(ctx, hand, f.job.Threads, bar.Add)
		if err != nil {
			return nil, err
		}
		err = plot.Save(f.plot, linesPanel("Games of "+hand.String()+" by lines of play", h.Lines, false))
		return []handRecord{{hand.String(), h}}, err
	}, cli.Fields[handRecord]("hand", "games", "no double dealt=no_game?", "starts", "mean lines of play=mean_lines", "most lines of play=most_lines",
		"won by its owner=win_percent:%.2f %%", "draws", "mean score=mean_score:%+.3f for the owner", "blocked lines=blocked_percent:%.2f %%"))
}
