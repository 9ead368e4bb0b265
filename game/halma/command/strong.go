package command

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/numbering"
	"perfectplay/game/halma/strong"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/plot"
	"perfectplay/solve/frame"
	"perfectplay/solve/table"
)

// strongFlags are the flags of solve strong for games of this package.
type strongFlags struct {
	*family.Strong
	app      *family.App
	interval time.Duration
	named    bool
	plot     string
}

var strongHelp = family.Help{
	Text: `Chinese Checkers for two takes --distances for the plies. For three, four or six
--named adds whether a set of seats can force the win of one of them that is named,
and the shortest games that a seat wins with the help of all.`,
	Example: `  solve strong halma-5x5p3 --rules sturtevant --distances --table .
  solve strong halma-star37-2p --rules house --distances
  solve strong halma-7x7p3 --rules sturtevant --work 7x7p3.work`,
}

// strongFor adds this package's flags to solve strong, and returns the function that runs it.
func strongFor(a *family.App, cmd *cobra.Command, common *family.Strong) func(*cobra.Command, game.Game) error {
	f := strongFlags{Strong: common, app: a}
	fl := cmd.Flags()
	cli.IntervalFlag(cmd, &f.interval, 5*time.Minute)
	plot.Flag(cmd, &f.plot, "counts by distance")
	fl.BoolVar(&f.named, "named", false, "find who can force the win of a named seat, too")
	return f.run
}

// solveTable solves a game for two and returns a table in memory.
func solveTable(ctx context.Context, g game.Game, threads int, memory uint64) (*table.Table, error) {
	if g.Seats() != 2 {
		return nil, nil
	}
	spec, err := g.(*halma.Game).TwoArmy()
	if err != nil {
		return nil, err
	}
	o := strong.Options{Distances: true, Threads: threads}
	plan, err := strong.NewPlan(spec, o)
	if err != nil {
		return nil, err
	}
	room := plan.Positions + 1<<20 // bytes of the table
	if need := plan.Bytes + numbering.TwoMemory(spec) + room; need > memory {
		return nil, cli.Usagef("%s: to solve it takes %v, and --mem is %v: --mem %v is enough, or a table by solve strong %s --distances --table FILE",
			g.ID(), cli.Size(need), cli.Size(memory), cli.Size(need).Enough(), g.ID())
	}
	s, err := strong.Solve(ctx, spec, o)
	if err != nil {
		return nil, err
	}
	return strong.Make(ctx, g.(*halma.Game), spec, s, threads, room, memory-plan.Bytes-room)
}

func (f *strongFlags) run(cmd *cobra.Command, g game.Game) error {
	h, several := g.(*halma.Game), g.Seats() > 2
	switch {
	case several && cmd.Flags().Changed("interval"):
		return cli.Usagef("--interval is for games of two: %s has %d seats", g.ID(), g.Seats())
	case !several && f.named:
		return cli.Usagef("--named is for games of more than two: %s has %d seats", g.ID(), g.Seats())
	case !several && f.plot != "" && !f.Distances:
		return cli.Usagef("--plot goes with --distances")
	}
	o := frame.Options{Interval: f.interval, Named: f.named}
	s, err := f.solver(h)
	if err != nil {
		return cli.Usage(err)
	}
	forecast := s.Plan
	s.Plan = func(o frame.Options) (frame.Plan, error) {
		p, err := forecast(o)
		switch {
		case err != nil:
			_, positions := countPositions(h.Board().Cells(), h.Board().Pieces(), h.Seats())
			err = cli.Usagef("%s has %s positions: %w; solve search %s looks ahead from its start", g.ID(), cli.Magnitude(positions), err, g.ID())
		case o.Reachable && p.Files(o):
			err = cli.Usagef("--reachable is counted in memory: it takes %v, and --mem is %v", cli.Size(p.Bytes), cli.Size(o.Memory))
		}
		return p, err
	}
	return family.Complete(f.app, cmd, f.Strong, g, s, o)
}

func (f *strongFlags) solver(g *halma.Game) (family.Solver, error) {
	s := family.Solver{Distances: f.Distances, Files: []files.Named{{What: "the plot", Name: f.plot}}}
	var err error
	if g.Seats() > 2 {
		err = f.severalArmies(g, &s)
	} else {
		err = f.twoArmies(g, &s)
	}
	return s, err
}

func (f *strongFlags) twoArmies(g *halma.Game, s *family.Solver) error {
	spec, err := g.TwoArmy()
	s.Exact = true
	s.Plan = func(o frame.Options) (frame.Plan, error) { return strong.NewPlan(spec, o) }
	s.Estimate = func(context.Context, frame.Options) (time.Duration, error) {
		w, err := strong.NewWork(spec)
		return w.Time, err
	}
	s.TableBytes = func(distances bool) (uint64, error) {
		info, _, err := numbering.TwoInfo(spec, distances, "")
		return (info.Numbers*uint64(info.Bits) + 7) / 8, err
	}
	s.State = strong.State{Dir: f.Work, Game: spec, Distances: f.Distances}
	s.Solve = func(ctx context.Context, o frame.Options) (family.Solution, error) {
		solved, err := strong.Solve(ctx, spec, o)
		if err != nil {
			return family.Solution{}, err
		}
		return family.Solution{
			Resumed: solved.Resumed,
			Value: func(s game.State, seats uint8) (game.Value, int, error) {
				v, d := solved.Value(halma.Sides(g, s))
				if !solved.HasDistances() {
					d = -1
				}
				if seats>>s.Seat()&1 == 0 {
					v = v.Negate()
				}
				return v, d, solved.Err()
			},
			Mover: func(context.Context) (frame.Count, error) { return solved.Count(), nil },
			Reach: func(ctx context.Context) (*frame.Count, error) {
				c, err := solved.Reachable(ctx)
				return &c, err
			},
			Save: func(ctx context.Context, name, program string, report func(done float64)) (table.Info, error) {
				packers := o.Threads
				if solved.Tiles() != nil {
					packers = 1 // each packer takes megabytes that the plan does not count
				}
				return strong.Save(ctx, name, spec, solved, program, packers, report)
			},
			More:  func(_ context.Context, r *family.Solved, _ func(float64)) error { return f.more(r, solved) },
			Close: func() {},
		}, nil
	}
	return err
}

// more adds counts of positions to the answer about a solved game for two seats.
func (f *strongFlags) more(r *family.Solved, solved *strong.Solution) error {
	c := solved.Count()
	r.Distances, r.Passes, r.Illegal = solved.HasDistances(), solved.Passes, &c.Illegal
	positions, wins, draws, illegal := c.Published()
	r.PublishedPositions, r.PublishedWins, r.PublishedDraws, r.PublishedIllegal = &positions, &wins, &draws, &illegal
	if t := solved.Tiles(); t != nil {
		sum, err := t.Traffic()
		if err != nil {
			return err
		}
		r.Traffic = &family.Traffic{Tiles: t.Count(), Read: cli.Size(sum.Read), Written: cli.Size(sum.Written), Peak: cli.Size(sum.Peak)}
		r.Files = fmt.Sprintf("%s: %v read, %v written, %v at once at most", cli.Plural(r.Traffic.Tiles, "tile"), r.Traffic.Read, r.Traffic.Written, r.Traffic.Peak)
	}
	return plot.Save(f.plot, panel(r.Game+", rules "+r.Rules, "won", "lost", r.WinsIn, r.LossesIn))
}

// panel draws the numbers of positions won and lost by the plies to the end.
func panel(title, won, lost string, wins, losses []uint64) plot.Panel {
	bars := func(name string, counts []uint64, down bool) plot.Bars {
		b := plot.Bars{Name: name, Start: -0.5, Width: 1, Down: down}
		for _, n := range counts {
			b.Heights = append(b.Heights, float64(n))
		}
		return b
	}
	return plot.Panel{Title: title, X: "plies to the end", Y: "positions", Bars: []plot.Bars{bars(won, wins, false), bars(lost, losses, true)}}
}
