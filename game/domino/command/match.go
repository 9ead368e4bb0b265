package command

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"perfectplay/game/domino/players"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// matchRecord is the result of tournaments or deals between two players.
type matchRecord struct {
	A         string  `json:"a"`
	B         string  `json:"b"`
	Kind      string  `json:"kind"` // tournaments, or scores: a always starts
	Games     int     `json:"games"`
	Wins      int     `json:"wins"` // of a
	Percent   float64 `json:"percent"`
	Low       float64 `json:"percent_low"` // 95 % confidence interval
	High      float64 `json:"percent_high"`
	Deals     int     `json:"deals"`
	MeanScore float64 `json:"mean_score"` // of a per deal
	StdErr    float64 `json:"std_err"`
	Seed      uint64  `json:"seed"`
}

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
		Example: "  solve domino match sampling candidates\n  solve domino match greedy random --scores --games 100000",
		Args:    cli.Args("[A]", "[B]"),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.job.Flags(cmd, leastMemory)
	fl := cmd.Flags()
	fl.IntVar(&f.games, "games", 1000, "tournaments, or deals with --scores, for each pair")
	fl.BoolVar(&f.scores, "scores", false, "play single deals that A starts")
	fl.Uint64Var(&f.seed, "seed", 1, "equal seeds play equal matches")
	return cmd
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
	return cli.Run(&f.job.Output, &a.Progress, cmd, "", int64(len(pairs)*f.games), func(ctx context.Context, bar *cli.Bar) (records []matchRecord, err error) {
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
	}, func(w io.Writer, records []matchRecord) error {
		t := cli.NewTable("a", "b", ">games", ">a wins", "95 %", ">score of a a deal", ">± error", ">deals")
		for _, r := range records {
			t.Row(r.A, r.B, r.Games, fmt.Sprintf("%.1f %%", r.Percent), fmt.Sprintf("%.1f–%.1f", r.Low, r.High),
				fmt.Sprintf("%+.3f", r.MeanScore), fmt.Sprintf("%.3f", r.StdErr), r.Deals)
		}
		return t.Write(w)
	})
}

// playMatch plays one pair, each game a step of the bar. After an interrupt the
// record is of the games played.
func playMatch(ctx context.Context, bar *cli.Bar, x, y players.Kind, n int, scores bool, seed uint64, threads int) (r matchRecord, err error) {
	bar.Describe("%s – %s", x.Name, y.Name)
	step := func() { bar.Add(1) }
	r = matchRecord{A: x.Name, B: y.Name, Kind: "tournaments", Seed: seed}
	if scores {
		var s players.Scores
		s, err = players.PlayScores(ctx, x, y, n, seed, threads, step)
		r.Kind, r.Games, r.Wins, r.Deals, r.MeanScore, r.StdErr = "scores", s.Score.N, s.Wins, s.Score.N, s.Score.Mean, s.Score.StdErr
	} else {
		var t players.Tournaments
		t, err = players.PlayTournaments(ctx, x, y, n, seed, threads, step)
		r.Games, r.Wins, r.Deals, r.MeanScore, r.StdErr = t.Games, t.WinsA, t.Deals, t.Margin.Mean, t.Margin.StdErr
	}
	low, high := players.Wilson(r.Wins, r.Games)
	r.Percent, r.Low, r.High = 100*float64(r.Wins)/float64(r.Games), 100*low, 100*high
	return r, err
}
