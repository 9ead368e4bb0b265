package halma

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/internal/cli"
)

type reproStrongFlags struct {
	job       cli.Job
	most      uint64
	distances bool
	verbose   bool
}

type strongRow struct {
	Game               string      `json:"game"`
	Rules              string      `json:"rules"`
	Source             string      `json:"source"`
	PublishedPositions uint64      `json:"published_positions"`
	Positions          uint64      `json:"positions"`
	PublishedWins      uint64      `json:"published_wins"`
	Wins               uint64      `json:"wins"`
	PublishedDraws     uint64      `json:"published_draws"`
	Draws              uint64      `json:"draws"`
	PublishedIllegal   uint64      `json:"published_illegal"`
	Illegal            uint64      `json:"illegal"`
	family.Worth                   // value of the start; open if the board was not run
	Seconds            cli.Seconds `json:"seconds"`
	Verdict            string      `json:"verdict"` // equal, differs: …, not run: …
}

// ReproStrong returns the command lab repro strong.
func ReproStrong(a *family.App) *cobra.Command {
	var f reproStrongFlags
	cmd := &cobra.Command{
		Use:   "strong [--max-positions N]",
		Short: "the complete solutions of diamonds, 2019 and 2026",
		Long: `repro strong solves the diamonds whose solutions were published and compares the
numbers of positions, wins, draws and illegal positions, exactly. Where two
publications differ on a board, each row is compared, under the rules as the
paper states them.

Boards of more than --max-positions positions are not run.`,
		Example: "  lab repro strong\n  lab repro strong --max-positions 1e11 --csv",
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(a, cmd) },
	}
	f.job.Flags(cmd, 0)
	cli.Number(cmd, &f.most, "max-positions", 1_000_000_000, "leave out boards of more than `N` positions")
	cmd.Flags().BoolVar(&f.distances, "distances", false, "find distances, too")
	cli.Verbose(cmd, &f.verbose)
	return cmd
}

const reproRules = "sturtevant"

func (f *reproStrongFlags) run(a *family.App, cmd *cobra.Command) error {
	printed, err := strong.Published()
	if err != nil {
		return err
	}
	o := strong.Options{Distances: f.distances, Threads: f.job.Threads}
	games := map[string]*halma.Game{} // games to run
	var most strong.Plan              // the largest of their plans
	all := uint64(0)                  // positions of all games to run
	for _, p := range printed {
		id := p.Game()
		if p.Positions > f.most || games[id] != nil {
			continue
		}
		all += p.Positions
		if games[id], err = halma.ByID(id, reproRules); err != nil {
			return err
		}
		spec, err := games[id].TwoArmy()
		if err != nil {
			return err
		}
		plan, err := strong.NewPlan(spec, o)
		if err != nil {
			return err
		}
		most.Least, most.Bytes = max(most.Least, plan.Least), max(most.Bytes, plan.Bytes)
	}
	if err := f.job.Resolve(cmd, cli.Size(most.Least), cli.Size(most.Bytes)); err != nil {
		return err
	}
	o.Memory = uint64(f.job.Mem)
	return cli.Run(&f.job.Output, &a.Progress, cmd, "solving", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]strongRow, error) {
		var rows []strongRow
		solved, done := map[string]strongRow{}, uint64(0)
		for _, p := range printed {
			id := p.Game()
			r, ok := solved[id]
			if g := games[id]; !ok && g != nil {
				bar.Describe("%s", id)
				done += p.Positions
				bar.Part(float64(done)/float64(all), cli.Shares)
				o.Progress = func(p strong.Progress) { bar.Share(p.Share) }
				if r, err = solveRow(ctx, g, o); err != nil {
					return nil, err
				}
				solved[id] = r
			}
			r.Game, r.Rules, r.Source = id, reproRules, p.Source
			r.PublishedPositions, r.PublishedWins, r.PublishedDraws, r.PublishedIllegal = p.Positions, p.Wins, p.Draws, p.Illegal
			r.judge(games[id] != nil)
			rows = append(rows, r)
		}
		return rows, nil
	}, f.write)
}

func solveRow(ctx context.Context, g *halma.Game, o strong.Options) (strongRow, error) {
	var r strongRow
	spec, err := g.TwoArmy()
	if err != nil {
		return r, err
	}
	begin := time.Now()
	s, err := strong.Solve(ctx, spec, o)
	if err != nil {
		return r, err
	}
	r.Seconds = cli.Since(begin)
	r.Positions, r.Wins, r.Draws, r.Illegal = s.Counts().Published()
	v, d := s.Value(halma.Sides(g, g.Start()))
	if !s.HasDistances() {
		d = -1
	}
	r.Worth = family.NewWorth(v, d)
	return r, nil
}

func (r *strongRow) judge(ran bool) {
	if !ran {
		r.Verdict = cli.NotRun + ": more than --max-positions"
		return
	}
	var differ []string
	for _, c := range []struct {
		what      string
		got, want uint64
	}{
		{"positions", r.Positions, r.PublishedPositions}, {"wins", r.Wins, r.PublishedWins},
		{"draws", r.Draws, r.PublishedDraws}, {"illegal", r.Illegal, r.PublishedIllegal},
	} {
		if c.got != c.want {
			differ = append(differ, fmt.Sprintf("%s %v instead of %v", c.what, cli.Count(c.got), cli.Count(c.want)))
		}
	}
	r.Verdict = cli.Verdict(differ)
}

func (f *reproStrongFlags) write(w io.Writer, rows []strongRow) {
	fmt.Fprintf(w, "%s\nPublished figures; two publications disagree on some boards, and the rules as stated give one of them.\n\n", strong.PublishedSource)
	columns := []string{"game", "positions=published_positions", "start=value?", "plies=distance", "time=seconds?", "verdict"}
	if f.verbose {
		columns = append(columns, "wins=published_wins", "draws=published_draws", "illegal=published_illegal")
	}
	cli.Grid[strongRow](columns...)(w, rows)
}
