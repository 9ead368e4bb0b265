package command

import (
	"cmp"
	"context"
	"errors"
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

// dominoMatchFlags are the flags of solve domino match.
type dominoMatchFlags struct {
	out    cli.Output
	res    cli.Resources
	games  int
	scores bool
	seed   uint64
}

func newDominoMatchCommand(a *family.App) *cobra.Command {
	var f dominoMatchFlags
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
	f.out.Flags(cmd)
	f.res.ThreadFlag(cmd)
	fl := cmd.Flags()
	fl.IntVar(&f.games, "games", 1000, "tournaments, or deals with --scores, for each pair")
	fl.BoolVar(&f.scores, "scores", false, "play single deals that A starts")
	fl.Uint64Var(&f.seed, "seed", 1, "equal seeds play equal matches")
	return cmd
}

// maxMatch bounds --games.
const maxMatch = 100_000_000

func (f *dominoMatchFlags) run(a *family.App, cmd *cobra.Command, args []string) error {
	if err := f.out.Check(); err != nil {
		return err
	}
	if err := f.res.Resolve(cmd, 0, 0); err != nil {
		return err
	}
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
	var records []matchRecord
	var stopped error // after an interrupt, the pairs that are through count
	for _, p := range pairs {
		r, err := playMatch(a, cmd, p[0], p[1], f.games, f.scores, f.seed, f.res.Threads)
		if stopped = err; err != nil {
			break
		}
		records = append(records, r)
	}
	if stopped != nil && !errors.Is(stopped, cli.ErrInterrupted) {
		return stopped
	}
	err := cli.Records(&f.out, cmd, records, func(w io.Writer) error {
		t := cli.NewTable("a", "b", ">games", ">a wins", "95 %", ">score of a a deal", ">± error", ">deals")
		for _, r := range records {
			t.Row(r.A, r.B, cli.Count(r.Games), fmt.Sprintf("%.1f %%", r.Percent), fmt.Sprintf("%.1f–%.1f", r.Low, r.High),
				fmt.Sprintf("%+.3f", r.MeanScore), fmt.Sprintf("%.3f", r.StdErr), cli.Count(r.Deals))
		}
		return t.Write(w)
	})
	return cmp.Or(err, stopped)
}

// playMatch plays one pair.
func playMatch(a *family.App, cmd *cobra.Command, x, y players.Kind, n int, scores bool, seed uint64, threads int) (matchRecord, error) {
	bar := a.Progress.Start(cmd, x.Name+" – "+y.Name, int64(n))
	defer bar.Stop()
	step := func() { bar.Add(1) }
	r := matchRecord{A: x.Name, B: y.Name, Kind: "tournaments", Games: n, Seed: seed}
	var err error
	if scores {
		var s players.Scores
		s, err = players.PlayScores(cmd.Context(), x, y, n, seed, threads, step)
		r.Kind, r.Wins, r.Deals, r.MeanScore, r.StdErr = "scores", s.Wins, n, s.Score.Mean, s.Score.StdErr
	} else {
		var t players.Tournaments
		t, err = players.PlayTournaments(cmd.Context(), x, y, n, seed, threads, step)
		r.Wins, r.Deals, r.MeanScore, r.StdErr = t.WinsA, t.Deals, t.Margin.Mean, t.Margin.StdErr
	}
	if errors.Is(err, context.Canceled) {
		return r, cli.ErrInterrupted
	}
	low, high := players.Wilson(r.Wins, r.Games)
	r.Percent, r.Low, r.High = 100*float64(r.Wins)/float64(r.Games), 100*low, 100*high
	return r, err
}
