package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/domino/players"
	"perfectplay/internal/cli"
)

// matchFlags are the flags of solve domino match.
type matchFlags struct {
	job    cli.Job
	games  int
	scores bool
	seed   uint64
}

func newMatchCommand(a *family.App) *cobra.Command {
	var f matchFlags
	about := ""
	for _, k := range players.Kinds() {
		about += fmt.Sprintf("  %-11s %s\n", k.Name, k.About)
	}
	cmd := &cobra.Command{
		Use:   "match [A B]",
		Short: "let players play against each other",
		Long: `match plays tournaments to 100 points between two players, or, with no names,
between all pairs. Every deal is random, and whom it is good for gets its score.
With --scores single deals are played instead, all started by A, and the mean
score of A is what counts.

Players:
` + about,
		Example:           "  solve domino match sampling candidates\n  solve domino match greedy random --scores --games 100000",
		Args:              cli.Args("[A]", "[B]"),
		ValidArgsFunction: cli.Words(playerNames()),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.job.Flags(cmd, leastMemory)
	cli.Number(cmd, &f.games, "games", 1000, "play `N` tournaments, or deals with --scores, for each pair")
	cmd.Flags().BoolVar(&f.scores, "scores", false, "play single deals that A starts")
	cli.SeedFlag(cmd, &f.seed)
	return cmd
}

// playerNames are the names of the players.
func playerNames() (names []string) {
	for _, k := range players.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// maxMatch bounds --games.
const maxMatch = 100_000_000

func (f *matchFlags) run(a *family.App, cmd *cobra.Command, args []string) error {
	if f.games < 1 || f.games > maxMatch {
		return cli.Usagef("--games %d: want 1 to %d", f.games, maxMatch)
	}
	if len(args) == 1 {
		return cli.Usagef("missing B")
	}
	var pairs [][2]players.Kind
	if len(args) == 2 {
		var pair [2]players.Kind
		for i, name := range args {
			k, err := players.ByName(name)
			if err != nil {
				return cli.Usage(err)
			}
			pair[i] = k
		}
		pairs = append(pairs, pair)
	} else {
		kinds := players.Kinds()
		for i, k := range kinds {
			for _, other := range kinds[:i] {
				pairs = append(pairs, [2]players.Kind{k, other})
				if f.scores {
					pairs = append(pairs, [2]players.Kind{other, k})
				}
			}
		}
	}
	return cli.Run(&f.job.Output, &a.Progress, cmd, "", int64(len(pairs)*f.games), func(ctx context.Context, bar *cli.Bar) (records []players.Match, err error) {
		for _, p := range pairs {
			// After an interrupt, the games that were played count.
			r, err := playMatch(ctx, bar, p[0], p[1], f.games, f.scores, f.seed, f.job.Threads)
			if r.Games > 0 {
				records = append(records, r)
			}
			if err != nil {
				return records, err
			}
		}
		return records, nil
	}, cli.Grid[players.Match]("a", "b", "games", "a wins=win_percent:%.1f %%", "95 %=win_percent_low,win_percent_high:%.1f–%.1f",
		"score of a a deal=mean_score:%+.3f", "± error=std_err:%.3f", "deals"))
}

// playMatch plays one pair, each game a step of the bar. After an interrupt the
// record is of the games played.
func playMatch(ctx context.Context, bar *cli.Bar, x, y players.Kind, n int, scores bool, seed uint64, threads int) (players.Match, error) {
	bar.Describe("%s – %s", x.Name, y.Name)
	play := players.PlayTournaments
	if scores {
		play = players.PlayScores
	}
	return play(ctx, x, y, n, seed, threads, func() { bar.Add(1) })
}
