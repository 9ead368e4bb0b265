package family

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/host"
	"perfectplay/internal/store"
	"perfectplay/solve/frame"
	"perfectplay/solve/table"
)

// Strong has the flags of solve strong for every game. [Family.Strong] may add others.
type Strong struct {
	Flags
	Output
	Job                               cli.Job
	Distances, Reachable, Fresh, Plan bool
}

func NewStrong(a *App, cmd *cobra.Command) *Strong {
	f := &Strong{}
	f.Flags.Flags(a, cmd)
	f.Output.Flags(cmd)
	f.Job.Output.Flags(cmd)
	f.Job.Resources.Flags(cmd)
	fl := cmd.Flags()
	fl.BoolVar(&f.Distances, "distances", false, "find distances, too, if they cost extra")
	fl.BoolVar(&f.Fresh, "fresh", false, "discard the saved state, and start over")
	fl.BoolVar(&f.Reachable, "reachable", false, "also count the positions that play can reach")
	fl.BoolVar(&f.Plan, "plan", false, "say what it takes, and solve nothing")
	cli.Rules(cmd, cli.Needs("fresh", "work"))
	return f
}

// Solver solves one game completely.
type Solver struct {
	// Plan forecasts the solve. Exact means that its memory is a bound, and that the solve leaves
	// no garbage.
	Plan  func(o frame.Options) (frame.Plan, error)
	Exact bool
	// Estimate, if not nil, returns the processor time of all threads together. TableBytes, if
	// not nil, returns the size of the table before it is compressed.
	Estimate   func(ctx context.Context, o frame.Options) (time.Duration, error)
	TableBytes func(distances bool) (uint64, error)
	// Distances means that the answer has distances. Files are further outputs.
	Distances bool
	Files     []files.Named
	State     State
	Solve     func(ctx context.Context, o frame.Options) (Solution, error)
}

// State is the saved state of a solve. Saved reports whether there is one to resume; its error says
// that it is damaged, or belongs to another solve or other rules. Discard removes a state, unless
// it belongs to another solve. Remove removes the state of this solve.
type State interface {
	Saved() (bool, error)
	Discard() error
	Remove() error
}

// Solution is a game solved completely. Close is called once, last.
type Solution struct {
	Resumed bool
	// Value is the value of a position to a set of seats. Mover counts all positions by value to
	// the seat to move alone, and Set by value to a set of seats of more than two.
	Value Valuer
	Mover func(ctx context.Context) (frame.Count, error)
	Set   func(ctx context.Context, seats uint8) (frame.Count, error)
	// Reach counts the positions that play can reach. If Reach is nil, More counts them.
	Reach func(ctx context.Context) (*frame.Count, error)
	Save  func(ctx context.Context, name, program string, report func(done float64)) (table.Info, error)
	// More, if not nil, adds figures that only this solver knows to the answer, after Save.
	More  func(ctx context.Context, r *Solved, report func(done float64)) error
	Close func()
}

// Complete plans or solves a game as the flags say. It claims the files, resumes, counts, writes
// the table and answers; last it removes the state. o has the options that only some solvers
// know.
func Complete(a *App, cmd *cobra.Command, f *Strong, g game.Game, s Solver, o frame.Options) error {
	o.Threads, o.Work, o.Distances, o.Reachable = f.Job.Threads, f.Work, f.Distances, f.Reachable
	plan, err := s.Plan(o)
	if err != nil {
		return cli.Usage(err)
	}
	if f.Plan {
		return f.printPlan(cmd, g, s, o)
	}
	if err := f.settle(cmd, s, plan, &o); err != nil {
		return err
	}
	if plan, err = s.Plan(o); err != nil {
		return cli.Usage(err)
	}
	if err := f.Check(cmd, &f.Job, g, s.Distances, s.Files...); err != nil {
		return err
	}
	if !s.Exact || plan.Files(o) {
		defer f.Job.LimitHeap()()
	}
	release, err := f.Claim(func() (err error) {
		if f.Fresh {
			return s.State.Discard()
		} else if f.Work != "" {
			_, err = s.State.Saved()
		}
		return err
	})
	if err != nil {
		return anew(err)
	}
	defer release()
	if plan.Files(o) {
		fmt.Fprintf(cmd.ErrOrStderr(), "working from files: %v of memory would avoid it, %v are allowed\n", cli.Size(plan.Bytes), f.Job.Mem)
	}
	solved := false
	err = cli.Run(&f.Job.Output, &a.Progress, cmd, "solving", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]Solved, error) {
		return s.run(ctx, bar, a, f, g, o, &solved)
	}, func(w io.Writer, records []Solved) { records[0].write(w) })
	if f.Work == "" {
		return err
	}
	err = anew(err)
	if err == nil {
		err = f.Job.Settled(cmd)
	}
	if err == nil && f.Table != "" {
		return s.State.Remove()
	}
	if saved, _ := s.State.Saved(); saved && err != nil && (solved || cli.Code(err) == cli.ExitInterrupted) {
		return cli.Saved(err)
	}
	return err
}

// settle chooses threads and memory. Without a directory, memory beyond an exact plan gains
// nothing; with one, an existing state may need more than the plan.
func (f *Strong) settle(cmd *cobra.Command, s Solver, plan frame.Plan, o *frame.Options) error {
	need, use := cli.Size(plan.Need(*o)), cli.Size(0)
	if s.Exact && f.Work == "" {
		use = cli.Size(plan.Bytes)
	}
	if err := f.Job.Resolve(cmd, max(need, 1<<20), use); err != nil {
		if f.Work == "" && plan.InFiles < plan.Least {
			err = cli.Usagef("%w; --work DIR works in files with %s", err, cli.Size(plan.InFiles).Enough())
		}
		return err
	}
	o.Threads, o.Memory = f.Job.Threads, uint64(f.Job.Mem)
	return nil
}

// anew adds the remedy to the error about a state of changed rules.
func anew(err error) error {
	if errors.Is(err, store.ErrChanged) {
		return fmt.Errorf("%w: --fresh starts over", err)
	}
	return err
}

// run solves, counts and writes the table. It sets solved once the solve itself is done.
func (s Solver) run(ctx context.Context, bar *cli.Bar, a *App, f *Strong, g game.Game, o frame.Options, solved *bool) ([]Solved, error) {
	if !s.Exact || f.Table != "" || f.Reachable { // counting takes time
		bar.Part(0.9, cli.Shares)
	}
	o.Progress = func(p frame.Progress) {
		switch {
		case p.Step == 0:
			bar.Describe("%v positions found", cli.Count(p.Decided))
		case p.Steps > 1:
			bar.Describe("question %d of %d, pass %d, %v decided", p.Step, p.Steps, p.Pass, cli.Count(p.Decided))
		default:
			bar.Describe("pass %d, %v decided", p.Pass, cli.Count(p.Decided))
		}
		bar.Share(p.Share)
	}
	begin := time.Now()
	all, err := s.Solve(ctx, o)
	if err != nil {
		return nil, err
	}
	defer all.Close()
	*solved = true
	r := &Solved{Game: g.ID(), Rules: g.Rules(), Distances: s.Distances, Threads: o.Threads, Resumed: all.Resumed, Seconds: cli.Since(begin), g: g}
	if f.Reachable {
		bar.Describe("counting the positions that play can reach")
		c, err := all.Reach(ctx)
		if err != nil {
			return nil, err
		}
		r.reached(c)
	}
	r.MemoryBytes = cli.Size(host.PeakMemory())
	bar.Part(1, cli.Shares)
	if f.Table != "" {
		bar.Describe("writing the table")
		info, err := all.Save(ctx, f.Table, "perfectplay "+a.Program, bar.Share)
		if err == nil && f.dir {
			err = writeSheet(ctx, f.Table, info)
		}
		if err != nil {
			return nil, err
		}
		r.File, r.Signature = f.Table, info.Signature
	} else {
		bar.Describe("counting")
	}
	if err := all.fill(ctx, r); err != nil {
		return nil, err
	}
	if all.More != nil {
		if err := all.More(ctx, r, bar.Share); err != nil {
			return nil, err
		}
	}
	r.Speed = "continued from a saved state"
	if !r.Resumed {
		r.Speed = cli.Rate(r.Positions, r.Seconds) + " positions"
		r.PerSecond = new(float64(r.Positions) / time.Duration(r.Seconds).Seconds())
	}
	return []Solved{*r}, nil
}

// fill adds counts, and values of the start and its moves, to the answer.
func (all Solution) fill(ctx context.Context, r *Solved) error {
	g, start := r.g, r.g.Start()
	c, err := all.Mover(ctx)
	if err != nil {
		return err
	}
	r.Positions, r.Wins, r.Losses, r.Draws = c.Positions(), c.Wins, c.Losses, c.Draws
	r.WinsIn, r.LossesIn = c.ByPlies()
	v, d, err := all.Value(start, 1<<start.Seat())
	if err != nil {
		return err
	}
	r.Worth = NewWorth(v, d)
	if r.Openings, err = Judge(g, start, all.Value); err != nil || g.Seats() == 2 {
		return err
	}
	for seats := range Sets(g.Seats()) {
		c, err := all.Set(ctx, seats)
		if err != nil {
			return err
		}
		if v, d, err = all.Value(start, seats); err != nil {
			return err
		}
		longest, _ := c.Longest()
		r.Coalitions = append(r.Coalitions, Forced{Seats: SetText(g, seats), Worth: NewWorth(v, d), Longest: longest,
			Wins: c.Wins, Losses: c.Losses, Draws: c.Draws, WinsIn: append([]uint64{}, c.WinsIn...)})
	}
	return nil
}

// planned is a forecast of a complete solution.
type planned struct {
	Game      string       `json:"game"`
	Rules     string       `json:"rules"`
	Distances bool         `json:"distances"`
	Positions uint64       `json:"positions,omitempty"` // each counted once, from the mover's side
	Places    uint64       `json:"places,omitempty"`    // numbers for positions; 0 if positions are found by playing from the start
	Bytes     cli.Size     `json:"memory_bytes"`
	Least     cli.Size     `json:"least_memory_bytes"`
	InFiles   cli.Size     `json:"files_memory_bytes"`         // least memory with --work
	Disk      cli.Size     `json:"disk_bytes"`                 // estimated size of the files in --work
	State     cli.Size     `json:"checkpoint_bytes,omitempty"` // saved state of finished plies, in memory or in files
	Table     *uint64      `json:"table_bytes,omitempty"`      // size before compression
	Seconds   *cli.Seconds `json:"processor_seconds,omitempty"`
	Threads   int          `json:"threads"`

	Found, Memory, Compressed, Time, How string `json:"-"` // for the printed text
}

func (s Solver) newPlanned(ctx context.Context, g game.Game, o frame.Options) (r planned, err error) {
	p, err := s.Plan(o)
	if err != nil {
		return r, cli.Usage(err)
	}
	r = planned{Game: g.ID(), Rules: g.Rules(), Distances: s.Distances || o.Distances, Positions: p.Positions, Places: p.Places, Bytes: cli.Size(p.Bytes),
		Least: cli.Size(p.Least), InFiles: cli.Size(p.InFiles), Disk: cli.Size(p.Disk), State: cli.Size(p.State), Threads: o.Threads, Memory: cli.Size(p.Bytes).String()}
	if p.Places == 0 {
		r.Found = fmt.Sprintf("those that the start leads to; there is room for about %v", cli.Count(p.Limit))
	}
	if 0 < p.Least && p.Least < p.Bytes {
		r.Memory += fmt.Sprintf(", or %v at least, where it takes longer", r.Least)
	}
	with := "; with --work "
	if p.State > 0 && o.Work == "" {
		r.Memory += with + cli.Size(p.Bytes-p.State).String()
		with = ", or "
	}
	if p.InFiles < p.Least {
		r.Memory += fmt.Sprintf("%s%v, and about %v in files", with, r.InFiles, r.Disk)
	}
	r.How = map[frame.Method]string{"unmoves": "moves backwards by the game", "graph": "all moves are listed and kept",
		"stages": "stage by stage, by the plies that are left", "keys": "depth first, by the keys of positions"}[p.Method]
	if s.TableBytes != nil {
		raw, err := s.TableBytes(o.Distances)
		if err != nil {
			return r, err
		}
		r.Table, r.Compressed = &raw, cli.Size(raw).String()+" before it is compressed"
	}
	if s.Estimate != nil {
		whole, err := s.Estimate(ctx, o)
		if err != nil {
			return r, err
		}
		r.Seconds, r.Time = new(cli.Seconds(whole)), "a moment"
		if whole >= moment {
			r.Time = fmt.Sprintf("about %s of processor time, %s on %s with nothing else to do", cli.Seconds(whole), cli.Seconds(whole)/cli.Seconds(o.Threads), cli.Plural(o.Threads, "thread"))
		}
	}
	return r, nil
}

// moment is processor time too short to forecast.
const moment = 2 * time.Second

func (f *Strong) printPlan(cmd *cobra.Command, g game.Game, s Solver, o frame.Options) error {
	if err := f.Job.Resolve(cmd, 1, 0); err != nil {
		return err
	}
	o.Threads, o.Memory = f.Job.Threads, uint64(f.Job.Mem)
	r, err := s.newPlanned(cmd.Context(), g, o)
	if err != nil {
		return err
	}
	return cli.Records(&f.Job.Output, cmd, []planned{r}, cli.Fields[planned]("positions=positions?:%s from the mover's side", "positions=Found?", "places=places?",
		"memory=Memory", "state=checkpoint_bytes?:about %s", "table=Compressed?", "how=How?", "time=Time?"))
}

// PlanInfo adds the needs of a complete solution to the answer of solve info.
func PlanInfo(ctx context.Context, g game.Game, i *Info, s Solver, threads int) error {
	o := frame.Options{Threads: threads}
	if !s.Distances {
		values, err := s.newPlanned(ctx, g, o)
		if cli.Code(err) == cli.ExitUsage {
			i.Values = "no: " + cli.Message(err)
			return nil
		}
		if err != nil {
			return err
		}
		i.ValuesMemory, i.ValuesLeast, i.Values, i.ValuesTable = new(uint64(values.Bytes)), new(uint64(values.Least)), values.Memory, values.Compressed
		s.Estimate = func(context.Context, frame.Options) (time.Duration, error) {
			return time.Duration(*values.Seconds), nil
		}
	}
	o.Distances = true
	r, err := s.newPlanned(ctx, g, o)
	if cli.Code(err) == cli.ExitUsage {
		i.Distances = "no: " + cli.Message(err)
		return nil
	}
	if err != nil {
		return err
	}
	i.DistancesMemory, i.DistancesLeast, i.StrongSeconds = new(uint64(r.Bytes)), new(uint64(r.Least)), r.Seconds
	i.Distances, i.DistancesTable, i.Time = r.Memory, r.Compressed, r.Time
	return nil
}
