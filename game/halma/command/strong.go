package command

import (
	"context"
	"fmt"
	"io"
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
	"perfectplay/solve/table"
)

// strongFlags are the flags of solve strong for games of this package.
type strongFlags struct {
	*family.Strong
	app      *family.App
	interval time.Duration
	named    bool
	plot     string
	tiles    tilesFlags
	nodes    nodesFlags
}

// strongRecord is the answer of solve strong.
type strongRecord struct {
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Distances bool   `json:"distances"`
	// Value of the start, for the first seat.
	family.Worth
	Openings family.SolvedMoves `json:"moves"`
	// Over all positions from the mover's side.
	Positions uint64 `json:"positions"`
	Wins      uint64 `json:"wins"`
	Losses    uint64 `json:"losses"`
	Draws     uint64 `json:"draws"`
	Illegal   uint64 `json:"illegal"`
	// As published: over both seats to move, wins of the first seat.
	PublishedPositions uint64 `json:"published_positions"`
	PublishedWins      uint64 `json:"published_wins"`
	PublishedDraws     uint64 `json:"published_draws"`
	PublishedIllegal   uint64 `json:"published_illegal"`
	// Of the positions that can be reached, if asked for.
	Reachable *family.Reached `json:"reachable,omitempty"`
	// By distance, if asked for.
	WinsIn   []uint64 `json:"wins_in,omitempty"`
	LossesIn []uint64 `json:"losses_in,omitempty"`

	Passes int `json:"passes"`
	family.Spent
	PerSecond   *float64       `json:"positions_per_second"` // nil if resumed
	MemoryBytes cli.Size       `json:"memory_bytes"`         // largest resident memory
	Traffic     *trafficRecord `json:"traffic,omitempty"`    // of a solve in tiles
	family.Written

	// For the printed text.
	Speed, Files string `json:"-"`
}

// strongFor adds this package's flags to solve strong, and returns the function that runs
// it.
func strongFor(a *family.App, cmd *cobra.Command, common *family.Strong) func(*cobra.Command, game.Game) error {
	f := strongFlags{Strong: common, app: a}
	cmd.Long = `strong gives every position of a game for two players its value: won, lost, or
drawn if play can go on for ever. With --distances it also finds how many plies
the winner needs while the loser delays.

It prints the value of the start and of each opening move, how many positions
have each value, and by distance. With --table it writes a table for solve probe
and solve verify; where FILE is a directory, the table is named by its content.
The table is the same, byte for byte, for any number of threads. A file that is
there is replaced only by a table of the same game, rules and kind, or with
--force.

Of a game for three, four or six it finds what every set of seats can force
against all others, in how many plies; --named adds whether a set can force the
win of one of them that is named, and the shortest games that a seat wins with
the help of all. One army alone is solved as any other game.

With --work DIR it saves its state there from time to time and when it is
interrupted; the same command goes on from there, --fresh begins anew. Where --mem
is too small for the table while it is made, it works pass by pass over files in
DIR, and says how much it has read and written; without DIR the solve is refused.
When the table is on the disk the state is removed; without --table it stays, and
the same command answers from it. That of another game, of other rules or of
another kind is refused and stays. --plan says how large the table gets, and about how long it
takes; with --nodes N what the solve takes on N machines of --threads each.

Machines that share DIR divide the work: tasks of a pass (--pass P --part I/N) in
any order, then the end of the pass (--pass P --finish), from pass 0 until one says
that it is the last; then the same command without --pass writes the table and the
answer. A task may be killed, run twice and run late.`
	cmd.Example = `  solve strong halma-5x5p3 --rules sturtevant --distances --table .
  solve strong halma-star37-2p --rules house --distances
  solve strong halma-7x7p3 --rules sturtevant --work 7x7p3.work`
	fl := cmd.Flags()
	fl.Lookup("distances").Hidden = false
	cli.IntervalFlag(cmd, &f.interval, 5*time.Minute)
	fl.StringVar(&f.plot, "plot", "", "draw wins and losses by distance to `FILE`: svg, png or pdf by its name")
	fl.BoolVar(&f.named, "named", false, "with more than two seats: find who can force the win of a named seat, too")
	f.tiles.flags(cmd)
	f.nodes.flags(cmd)
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
	room := plan.Positions + 1<<20 // for the table
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

// run solves.
func (f *strongFlags) run(cmd *cobra.Command, g game.Game) error {
	h := g.(*halma.Game)
	if h.Seats() > 2 {
		if f.tiles.given() {
			return cli.Usagef("tiles are for games of two: %s has %d seats", g.ID(), g.Seats())
		}
		return f.runArmies(cmd, h)
	}
	if f.named {
		return cli.Usagef("--named is for games of more than two: %s has %d seats", g.ID(), g.Seats())
	}
	if f.plot != "" && !f.Distances {
		return cli.Usagef("--plot needs --distances")
	}
	spec, err := h.TwoArmy()
	if err != nil {
		return cli.Usage(err)
	}
	o := strong.Options{Distances: f.Distances, Reachable: f.Reachable, Threads: f.Job.Threads, Work: f.Work, Interval: f.interval, Stripes: f.tiles.stripes}
	plan, err := strong.NewPlan(spec, o)
	if err != nil {
		return tooLarge(g, err)
	}
	switch {
	case f.Plan:
		return f.printPlan(cmd, spec, o)
	case f.tiles.pass >= 0:
		return f.runPass(cmd, g, spec, o)
	}
	if err := f.resolve(cmd, plan, o); err != nil {
		return err
	}
	if err := f.checkFiles(cmd, g, f.Distances); err != nil {
		return err
	}
	if o.Threads, o.Memory = f.Job.Threads, uint64(f.Job.Mem); f.Work != "" && o.Memory < plan.Bytes {
		defer f.Job.LimitHeap()()
	}
	return family.Complete(f.app, cmd, f.Strong, family.Solver[strongRecord]{
		Whole:   plan.Bytes,
		Saved:   func() (bool, error) { return strong.Saved(f.Work, spec, f.Distances) },
		Discard: func() error { return strong.Discard(f.Work, spec, f.Distances) },
		Remove:  func() error { return strong.RemoveWork(f.Work) },
		Solve: func(ctx context.Context, bar *cli.Bar) (family.Answer[strongRecord], error) {
			return f.solve(ctx, bar, g, spec, o, plan.Places)
		},
		Text: (*strongRecord).write,
	})
}

// resolve settles the memory of a solve; more than the plan's gains nothing. A larger solve
// uses files only if the command line names a directory for them; --reachable is then refused.
func (f *strongFlags) resolve(cmd *cobra.Command, plan strong.Plan, o strong.Options) error {
	use := plan.Bytes
	if f.Work != "" {
		use = 0 // an existing state may take more than this solve would
	}
	err := f.Job.Resolve(cmd, cli.Size(plan.Need(o)), cli.Size(use))
	switch {
	case err != nil && f.Work == "" && plan.InFiles < plan.Least:
		return cli.Usagef("%w; --work DIR works in files with %s", err, cli.Size(plan.InFiles).Enough())
	case err == nil && f.Reachable && f.Work != "" && uint64(f.Job.Mem) < plan.Bytes:
		return cli.Usagef("--reachable is counted in memory: it takes %v, and --mem is %v", cli.Size(plan.Bytes), f.Job.Mem)
	}
	return err
}

// solve solves a game.
func (f *strongFlags) solve(ctx context.Context, bar *cli.Bar, g game.Game, spec *halma.TwoArmy, o strong.Options, places uint64) (a family.Answer[strongRecord], err error) {
	o.Progress = func(p strong.Progress) {
		bar.Describe("pass %d, %v of %v places decided", p.Pass, cli.Count(p.Decided), cli.Count(places))
		bar.Share(p.Share)
	}
	solved, err := strong.Solve(ctx, spec, o)
	if err != nil {
		return a, err
	}
	r := newStrongRecord(g, solved)
	return family.Answer[strongRecord]{
		Resumed: solved.Resumed,
		Reach: func(ctx context.Context) error {
			reached, err := solved.Reachable(ctx)
			if err != nil {
				return err
			}
			r.Reachable = &family.Reached{Positions: reached.Positions(), Wins: reached.Wins, Losses: reached.Losses, Draws: reached.Draws}
			if f.Distances {
				r.Reachable.LongestWin, r.Reachable.LongestLoss = &reached.LongestWin, &reached.LongestLoss
			}
			return nil
		},
		Save: func(ctx context.Context, name, program string, report func(done float64)) (table.Info, error) {
			packers := o.Threads
			if solved.Tiles() != nil {
				packers = 1 // each takes megabytes that are not in the plan
			}
			return strong.Save(ctx, name, spec, solved, program, packers, report)
		},
		Record: func(spent family.Spent, to family.Written) (_ *strongRecord, err error) {
			r.Spent, r.MemoryBytes, r.Written, r.Speed = spent, spent.Memory, to, spent.Speed(r.Positions)
			if !r.Resumed {
				speed := float64(r.Positions) / time.Duration(r.Seconds).Seconds()
				r.PerSecond = &speed
			}
			if t := solved.Tiles(); t != nil {
				if r.Traffic, err = traffic(t); err != nil {
					return nil, err
				}
				r.Files = fmt.Sprintf("%s: %v read, %v written, %v at once at most", cli.Plural(r.Traffic.Tiles, "tile"), r.Traffic.Read, r.Traffic.Written, r.Traffic.Peak)
			}
			if err := solved.Err(); err != nil || f.plot == "" {
				return r, err
			}
			return r, plot.Save(f.plot, panel(r.Game+", rules "+r.Rules, "won", "lost", r.WinsIn, r.LossesIn))
		},
		Close: func() {},
	}, nil
}

// tooLarge refuses a game that cannot be solved completely, and names the command that looks
// ahead.
func tooLarge(g game.Game, err error) error {
	return cli.Usagef("%w; solve search %s looks ahead from its start", err, g.ID())
}

// checkFiles refuses, before the work begins, files that could not be written after it.
func (f *strongFlags) checkFiles(cmd *cobra.Command, g game.Game, distances bool) error {
	if err := f.Check(cmd, &f.Job, g, distances, files.Named{What: "the plot", Name: f.plot}); err != nil {
		return err
	}
	return plot.Check(cmd, f.plot)
}

// newStrongRecord fills the record from a solved game.
func newStrongRecord(g game.Game, solved *strong.Solution) *strongRecord {
	h := g.(*halma.Game)
	c := solved.Counts()
	r := &strongRecord{
		Game: g.ID(), Rules: g.Rules(), Distances: solved.HasDistances(), Passes: solved.Passes,
		Positions: c.Positions(), Wins: c.Wins, Losses: c.Losses, Draws: c.Draws, Illegal: c.Illegal,
	}
	r.PublishedPositions, r.PublishedWins, r.PublishedDraws, r.PublishedIllegal = c.Published()
	r.WinsIn, r.LossesIn = solved.Histogram()
	value := func(s game.State, seats uint8) (game.Value, int, error) {
		v, d := solved.Value(halma.Sides(h, s))
		if !solved.HasDistances() {
			d = -1
		}
		if seats>>s.Seat()&1 == 0 {
			v = v.Negate()
		}
		return v, d, nil
	}
	s := g.Start()
	v, d, _ := value(s, 1)
	r.Worth = family.NewWorth(v, d)
	r.Openings, _ = family.Judge(s, value)
	return r
}

// strongText is the head of the printed text.
var strongText = cli.Fields[*strongRecord]("game=game,rules:%s, rules %s", "start=Worth", "positions=positions:%s from the mover's side",
	"  won=wins", "  lost=losses", "  drawn=draws", "  illegal=illegal",
	"both movers=published_positions,published_wins,published_draws,published_illegal:%s positions, %s won by the first player, %s drawn, %s illegal",
	"reachable=reachable?", "solved in=seconds,passes,threads,Speed,memory_bytes:%s, %d passes, %d threads, %s, %s of memory",
	"files=Files?", "table=file?", "signature=table_signature?")

// write prints the record as text.
func (r *strongRecord) write(w io.Writer) error {
	if err := strongText(w, []*strongRecord{r}); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nOpening moves, best first:")
	if err := family.WriteJudged(w, r.Openings); err != nil || len(r.WinsIn) == 0 {
		return err
	}
	return family.WriteByPlies(w, r.WinsIn, r.LossesIn)
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
