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
	"perfectplay/solve/retro/table"
)

// strongFlags are the flags of solve strong.
type strongFlags struct {
	family.Flags
	family.Output
	job       cli.Job
	distances bool
	interval  time.Duration
	fresh     bool
	plan      bool
	reachable bool
	named     bool
	plot      string
	tiles     tilesFlags
	nodes     nodesFlags
}

// strongRecord is what solve strong says.
type strongRecord struct {
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Distances bool   `json:"distances"`
	// From the start, for the first seat.
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

	Passes      int            `json:"passes"`
	Threads     int            `json:"threads"`
	Resumed     bool           `json:"resumed"` // the time is that from the state in DIR on
	Seconds     cli.Seconds    `json:"seconds"`
	PerSecond   *float64       `json:"positions_per_second"` // nil if resumed
	MemoryBytes cli.Size       `json:"memory_bytes"`         // from the operating system
	Traffic     *trafficRecord `json:"traffic,omitempty"`    // of a solve in tiles
	File        string         `json:"file,omitempty"`
	Signature   string         `json:"table_signature,omitempty"`

	// For people.
	Speed, Files string `json:"-"`
}

func newStrongCommand(a *family.App) *cobra.Command {
	var f strongFlags
	cmd := &cobra.Command{
		Use:   "strong GAME",
		Short: "solve a game completely: the value of every position",
		Long: `strong gives every position of a game for two players its value: won, lost, or
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
answer. A task may be killed, run twice and run late.`,
		Example: `  solve strong halma-5x5p3 --rules sturtevant --distances --table .
  solve strong halma-star37-2p --rules house --distances
  solve strong halma-7x7p3 --rules sturtevant --work 7x7p3.work`,
		GroupID:           cli.GroupSolve,
		Args:              cli.Args("GAME"),
		ValidArgsFunction: a.CompleteGame,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Output.Flags(cmd)
	f.job.Resources.Flags(cmd)
	fl := cmd.Flags()
	f.Output.Flags(cmd)
	fl.BoolVar(&f.distances, "distances", false, "find distances, too")
	cli.IntervalFlag(cmd, &f.interval, 5*time.Minute)
	fl.BoolVar(&f.fresh, "fresh", false, "discard the state that is there, and begin anew")
	fl.StringVar(&f.plot, "plot", "", "draw wins and losses by distance to `FILE`: svg, png or pdf by its name")
	fl.BoolVar(&f.reachable, "reachable", false, "count the positions that can be reached from the start, too")
	fl.BoolVar(&f.named, "named", false, "with more than two seats: find who can force the win of a named seat, too")
	fl.BoolVar(&f.plan, "plan", false, "say what it would take, and do nothing")
	f.tiles.flags(cmd)
	f.nodes.flags(cmd)
	return cmd
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

// twoArmy returns the description of a game for the two-army solver.
func twoArmy(g game.Game) (*halma.TwoArmy, error) {
	h, ok := g.(*halma.Game)
	if !ok {
		return nil, cli.Usagef("%s is no game of Chinese Checkers", g.ID())
	}
	t, err := h.TwoArmy()
	return t, cli.Usage(err)
}

// run solves.
func (f *strongFlags) run(a *family.App, cmd *cobra.Command, id string) error {
	if f.fresh && f.Work == "" {
		return cli.Usagef("--fresh needs --work")
	}
	g, err := f.Open(id)
	if err != nil {
		return err
	}
	if h, ok := g.(*halma.Game); ok && h.Seats() > 2 {
		if f.tiles.given() {
			return cli.Usagef("tiles are for games of two: %s has %d seats", g.ID(), g.Seats())
		}
		return f.runArmies(a, cmd, h)
	}
	if f.named {
		return cli.Usagef("--named is for games of more than two: %s has %d seats", g.ID(), g.Seats())
	}
	if f.plot != "" && !f.distances {
		return cli.Usagef("--plot needs --distances")
	}
	spec, err := twoArmy(g)
	if err != nil {
		return err
	}
	o := strong.Options{Distances: f.distances, Reachable: f.reachable, Threads: f.job.Threads, Dir: f.Work, Interval: f.interval, Stripes: f.tiles.stripes}
	plan, err := strong.NewPlan(spec, o)
	if err != nil {
		return tooLarge(g, err)
	}
	switch {
	case f.plan:
		return f.printPlan(cmd, spec, o)
	case f.tiles.pass >= 0:
		return f.runPass(a, cmd, g, spec, o)
	}
	if err := resolve(cmd, &f.job.Resources, id, plan, f.Work); err != nil {
		return err
	}
	o.Threads, o.Memory = f.job.Threads, uint64(f.job.Mem)
	if f.Work != "" && o.Memory < plan.Bytes {
		if f.reachable {
			return cli.Usagef("--reachable is counted in memory: it takes %v, and --mem is %v", cli.Size(plan.Bytes), f.job.Mem)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "working from files: %v would not need to, %v are allowed\n", cli.Size(plan.Bytes), f.job.Mem)
		defer f.job.LimitHeap()()
	}
	if err := f.checkFiles(cmd, g, f.distances); err != nil {
		return err
	}
	release, err := f.Claim(func() (err error) {
		if f.fresh {
			return strong.Discard(f.Work, spec, f.distances)
		} else if f.Work != "" {
			_, err = strong.Saved(f.Work, spec, f.distances)
		}
		return err
	})
	if err != nil {
		return err
	}
	defer release()
	decided := false // and in the directory
	err = cli.Run(&f.job.Output, &a.Progress, cmd, "solving", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]strongRecord, error) {
		r, err := f.solve(ctx, bar, "perfectplay "+a.Program, g, spec, o, plan.Places)
		decided = r != nil
		if err != nil {
			return nil, err
		}
		return []strongRecord{*r}, nil
	}, func(w io.Writer, records []strongRecord) error { return records[0].write(w) })
	if f.Work == "" {
		return err
	}
	if err == nil {
		err = f.job.Settled(cmd)
	}
	if err == nil && f.Table != "" {
		return strong.RemoveWork(f.Work)
	}
	if saved, _ := strong.Saved(f.Work, spec, f.distances); saved && err != nil && (decided || cli.Code(err) == cli.ExitInterrupted) {
		return cli.Saved(err)
	}
	return err
}

// solve solves a game, and does with the solution what the flags say. The record is nil if
// the solve has failed.
func (f *strongFlags) solve(ctx context.Context, bar *cli.Bar, program string, g game.Game, spec *halma.TwoArmy, o strong.Options, places uint64) (*strongRecord, error) {
	o.Progress = func(p strong.Progress) {
		bar.Describe("pass %d, %v of %v places decided", p.Pass, cli.Count(p.Decided), cli.Count(places))
		bar.Share(p.Share)
	}
	if f.Table != "" || f.reachable {
		const passes = 0.9 // of the work
		bar.Part(passes, cli.Shares)
	}
	begin := time.Now()
	solved, err := strong.Solve(ctx, spec, o)
	if err != nil {
		return nil, err
	}
	r := newStrongRecord(g, solved)
	r.Seconds, r.Threads = cli.Since(begin), o.Threads
	if !r.Resumed {
		speed := float64(r.Positions) / time.Duration(r.Seconds).Seconds()
		r.PerSecond = &speed
	}
	if err := solved.Err(); err != nil {
		return r, err
	}
	if f.reachable {
		bar.Describe("counting what can be reached")
		reached, err := solved.Reachable(ctx)
		if err != nil {
			return r, err
		}
		r.Reachable = &family.Reached{Positions: reached.Positions(), Wins: reached.Wins, Losses: reached.Losses, Draws: reached.Draws}
		if f.distances {
			r.Reachable.LongestWin, r.Reachable.LongestLoss = &reached.LongestWin, &reached.LongestLoss
		}
	}
	r.MemoryBytes = cli.MemoryInUse()
	packers := o.Threads
	if t := solved.Tiles(); t != nil {
		packers = 1 // each takes megabytes, which the plan has no room for
		if r.Traffic, err = traffic(t); err != nil {
			return r, err
		}
	}
	if f.Table != "" {
		bar.Describe("writing the table")
		bar.Part(1, cli.Shares)
		info, err := strong.Save(ctx, f.Table, spec, solved, program, packers, bar.Share)
		if err != nil {
			return r, err
		}
		r.File, r.Signature = f.Table, info.Signature
	}
	if f.plot != "" {
		err = f.draw(r)
	}
	return r, err
}

// tooLarge is the refusal of a game that cannot be solved completely, with what can be asked.
func tooLarge(g game.Game, err error) error {
	return cli.Usagef("%w; solve search %s looks ahead from its start", err, g.ID())
}

// checkFiles refuses before the work begins what cannot be written after it.
func (f *strongFlags) checkFiles(cmd *cobra.Command, g game.Game, distances bool) error {
	if err := f.Check(cmd, &f.job, g, distances, files.Named{What: "the plot", Name: f.plot}); err != nil {
		return err
	}
	return plot.Check(cmd, f.plot)
}

// newStrongRecord asks a solved game what it is worth.
func newStrongRecord(g game.Game, solved *strong.Solution) *strongRecord {
	h := g.(*halma.Game)
	c := solved.Counts()
	r := &strongRecord{
		Game: g.ID(), Rules: g.Rules(), Distances: solved.HasDistances(), Passes: solved.Passes, Resumed: solved.Resumed,
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

// strongText is the head of what is printed for people.
var strongText = cli.Fields[*strongRecord]("game=game,rules:%s, rules %s", "start=Worth", "positions=positions:%s from the mover's side",
	"  won=wins", "  lost=losses", "  drawn=draws", "  illegal=illegal",
	"both movers=published_positions,published_wins,published_draws,published_illegal:%s positions, %s won by the first player, %s drawn, %s illegal",
	"reachable=reachable?", "solved in=seconds,passes,threads,Speed,memory_bytes:%s, %d passes, %d threads, %s, %s of memory",
	"files=Files?", "table=file?", "signature=table_signature?")

// write prints the record for people.
func (r *strongRecord) write(w io.Writer) error {
	r.Speed = cli.Rate(r.Positions, r.Seconds) + " positions"
	if r.Resumed {
		r.Speed = "from what was there on"
	}
	if t := r.Traffic; t != nil {
		r.Files = fmt.Sprintf("%s: %v read, %v written, %v at once at most", cli.Plural(t.Tiles, "tile"), t.Read, t.Written, t.Peak)
	}
	if err := strongText(w, []*strongRecord{r}); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nOpening moves, best first:")
	if err := family.WriteJudged(w, r.Openings); err != nil || len(r.WinsIn) == 0 {
		return err
	}
	fmt.Fprintln(w, "\nPositions by distance in plies:")
	h := cli.NewTable(">plies", ">won", ">lost")
	for d := range r.WinsIn {
		h.Row(d, r.WinsIn[d], r.LossesIn[d])
	}
	return h.Write(w)
}

// bars are positions by the plies to the end.
func bars(name string, counts []uint64) plot.Bars {
	b := plot.Bars{Name: name, Start: -0.5, Width: 1}
	for _, n := range counts {
		b.Heights = append(b.Heights, float64(n))
	}
	return b
}

// draw writes the plot.
func (f *strongFlags) draw(r *strongRecord) error {
	won, lost := bars("won", r.WinsIn), bars("lost", r.LossesIn)
	lost.Down = true
	return plot.Save(f.plot, plot.Panel{
		Title: fmt.Sprintf("%s, rules %s", r.Game, r.Rules), X: "plies to the end", Y: "positions",
		Bars: []plot.Bars{won, lost},
	})
}
