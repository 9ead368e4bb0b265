package command

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// reproStrongFlags are the flags of solve repro strong.
type reproStrongFlags struct {
	job       cli.Job
	limit     uint64
	distances bool
}

// strongRow is a printed row beside ours.
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
	Result             string      `json:"result"` // of the start
	Distance           int         `json:"distance"`
	Seconds            cli.Seconds `json:"seconds"`
	Verdict            string      `json:"verdict"` // equal, differs: …, not run: …

	start string // result and distance for people
}

func newReproStrongCommand(a *family.App) *cobra.Command {
	var f reproStrongFlags
	cmd := &cobra.Command{
		Use:   "strong [--limit N]",
		Short: "the complete solutions of diamonds, 2019 and 2026",
		Long: `repro strong solves the diamonds whose solutions were published and compares the
numbers of positions, wins, draws and illegal positions, exactly. Where two
publications differ on a board, each row is compared, under the rules as the
paper states them.

Boards of more than --limit positions are not run.`,
		Example: "  solve repro strong\n  solve repro strong --limit 1e11 --csv",
		Args:    cli.Args(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(a, cmd) },
	}
	f.job.Flags(cmd, 0)
	fl := cmd.Flags()
	fl.Uint64Var(&f.limit, "limit", 1_000_000_000, "run boards of at most `N` published positions")
	fl.BoolVar(&f.distances, "distances", false, "find distances, too")
	return cmd
}

// reproRules are the rules as the paper states them.
const reproRules = "sturtevant"

func (f *reproStrongFlags) options() strong.Options {
	return strong.Options{Distances: f.distances, Threads: f.job.Threads}
}

// openTwoArmy opens a game for two and describes it.
func openTwoArmy(id, rules string) (*halma.Game, *halma.TwoArmy, error) {
	g, err := halma.ByID(id, rules)
	if err != nil {
		return nil, nil, err
	}
	spec, err := twoArmy(g)
	return g, spec, err
}

// run reproduces the rows.
func (f *reproStrongFlags) run(a *family.App, cmd *cobra.Command) error {
	printed, err := strong.Published()
	if err != nil {
		return err
	}
	least := uint64(0) // memory for every board that is run
	for _, p := range printed {
		if p.Positions > f.limit {
			continue
		}
		_, spec, err := openTwoArmy(p.Game(), reproRules)
		if err != nil {
			return err
		}
		plan, err := strong.NewPlan(spec, f.options())
		if err != nil {
			return err
		}
		least = max(least, plan.Least)
	}
	if err := f.job.Resolve(cmd, cli.Size(least), 0); err != nil {
		return err
	}
	differ := 0
	return cli.Run(&f.job.Output, &a.Progress, cmd, "solving", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]strongRow, error) {
		var rows []strongRow
		solved := map[string]strongRow{}
		for _, p := range printed {
			id := p.Game()
			r, ok := solved[id]
			if !ok && p.Positions <= f.limit {
				bar.Describe("%s", id)
				if r, err = f.solve(ctx, id, bar); err != nil {
					return nil, err
				}
				solved[id], ok = r, true
			}
			r.Game, r.Rules, r.Source = id, reproRules, p.Source
			r.PublishedPositions, r.PublishedWins, r.PublishedDraws, r.PublishedIllegal = p.Positions, p.Wins, p.Draws, p.Illegal
			r.judge(ok)
			if r.Verdict != cli.Equal && ok {
				differ++
			}
			rows = append(rows, r)
		}
		return rows, nil
	}, func(w io.Writer, rows []strongRow) error { return writeStrongRows(w, rows, differ) })
}

// solve finds our figures of a game.
func (f *reproStrongFlags) solve(ctx context.Context, id string, bar *cli.Bar) (strongRow, error) {
	var r strongRow
	g, spec, err := openTwoArmy(id, reproRules)
	if err != nil {
		return r, err
	}
	o := f.options()
	o.Memory = uint64(f.job.Mem)
	o.Progress = func(p strong.Progress) { bar.Share(p.Share) }
	begin := time.Now()
	s, err := strong.Solve(ctx, spec, o)
	if err != nil {
		return r, err
	}
	defer s.Close()
	r.Seconds = cli.Since(begin)
	r.Positions, r.Wins, r.Draws, r.Illegal = s.Counts().Published()
	start := newStrongRecord(g, s)
	r.Result, r.Distance, r.start = start.Result.String(), start.Distance, family.Worth(start.Result, start.Distance)
	return r, nil
}

// judge compares a row.
func (r *strongRow) judge(ran bool) {
	if !ran {
		r.Verdict = cli.NotRun + ": above the limit"
		return
	}
	r.Verdict = cli.Equal
	for _, c := range []struct {
		what      string
		got, want uint64
	}{
		{"positions", r.Positions, r.PublishedPositions}, {"wins", r.Wins, r.PublishedWins},
		{"draws", r.Draws, r.PublishedDraws}, {"illegal", r.Illegal, r.PublishedIllegal},
	} {
		if c.got != c.want {
			if r.Verdict == cli.Equal {
				r.Verdict = cli.Differs + ":"
			} else {
				r.Verdict += ","
			}
			r.Verdict += fmt.Sprintf(" %s %s instead of %s", c.what, cli.Count(c.got), cli.Count(c.want))
		}
	}
}

// writeStrongRows prints the rows for people.
func writeStrongRows(w io.Writer, rows []strongRow, differ int) error {
	fmt.Fprintln(w, strong.PublishedSource)
	fmt.Fprintln(w)
	t := cli.NewTable("game", ">positions", ">wins", ">draws", ">illegal", "start", ">time", "verdict")
	for _, r := range rows {
		if r.Result == "" {
			t.Row(r.Game, r.PublishedPositions, r.PublishedWins, r.PublishedDraws, r.PublishedIllegal, "", "", r.Verdict)
			continue
		}
		t.Row(r.Game, r.Positions, r.Wins, r.Draws, r.Illegal, r.start, r.Seconds, r.Verdict)
	}
	if err := t.Write(w); err != nil {
		return err
	}
	if differ > 0 {
		_, err := fmt.Fprintf(w, "\n%d rows differ: two publications disagree on these boards, and the rules as stated give one of them.\n", differ)
		return err
	}
	return nil
}
