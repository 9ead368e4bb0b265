package family

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/internal/cli"
	"perfectplay/internal/host"
	"perfectplay/internal/store"
	"perfectplay/solve/table"
)

// Strong are the flags of solve strong for every game. A family that solves games of its own
// adds others, see [Family.Strong].
type Strong struct {
	Flags
	Output
	Job                               cli.Job
	Distances, Reachable, Fresh, Plan bool
}

// NewStrong adds the flags.
func NewStrong(a *App, cmd *cobra.Command) *Strong {
	f := &Strong{}
	f.Flags.Flags(a, cmd)
	f.Output.Flags(cmd)
	f.Job.Output.Flags(cmd)
	f.Job.Resources.Flags(cmd)
	fl := cmd.Flags()
	fl.BoolVar(&f.Distances, "distances", false, "find distances, too, where that takes more")
	fl.BoolVar(&f.Fresh, "fresh", false, "discard the state that is there, and begin anew")
	fl.BoolVar(&f.Reachable, "reachable", false, "count what can be reached from the start, too")
	fl.BoolVar(&f.Plan, "plan", false, "say what it would take, and do nothing")
	cli.Rules(cmd, cli.Needs("fresh", "work"))
	return f
}

// Spent is what a solve took, in records.
type Spent struct {
	Threads int         `json:"threads"`
	Resumed bool        `json:"resumed"` // the time is that from the state in DIR on
	Seconds cli.Seconds `json:"seconds"`

	Memory cli.Size `json:"-"` // resident at the most, before a table was written
}

// Speed is how many positions were solved in a second, for people.
func (s Spent) Speed(positions uint64) string {
	if s.Resumed {
		return "from what was there on"
	}
	return cli.Rate(positions, s.Seconds) + " positions"
}

// Written is the table of a solution, in records; empty without one.
type Written struct {
	File      string `json:"file,omitempty"`
	Signature string `json:"table_signature,omitempty"`
}

// Solver is what solves a game completely, and answers by records of type R.
type Solver[R any] struct {
	// Whole is the memory, in bytes, with which it needs no files.
	Whole uint64
	// Counts says that its answer takes time even where nothing is written.
	Counts bool
	// Saved says whether the directory has a state to go on from; the error says that it is
	// damaged, or of another solve or other rules. Discard removes one that is not of another
	// solve, and Remove that of this one.
	Saved           func() (bool, error)
	Discard, Remove func() error
	Solve           func(ctx context.Context, bar *cli.Bar) (Answer[R], error)
	// Text prints the answer for people.
	Text func(r *R, w io.Writer) error
}

// Answer is what a solver has found. Close comes last, once.
type Answer[R any] struct {
	Resumed bool
	// Reach counts the positions that can be reached, for the record.
	Reach  func(ctx context.Context) error
	Save   func(ctx context.Context, name, program string, report func(done float64)) (table.Info, error)
	Record func(spent Spent, to Written) (*R, error)
	Close  func()
}

// Complete solves a game as the flags say: it claims the files, goes on from the state that is
// there, counts, writes the table, answers, and removes the state once all is safe. The
// memory is resolved and the files are checked, see [Output.Check].
func Complete[R any](a *App, cmd *cobra.Command, f *Strong, s Solver[R]) error {
	release, err := f.Claim(func() (err error) {
		if f.Fresh {
			return s.Discard()
		} else if f.Work != "" {
			_, err = s.Saved()
		}
		return err
	})
	if err != nil {
		return anew(err)
	}
	defer release()
	if whole := cli.Size(s.Whole); f.Work != "" && f.Job.Mem < whole {
		fmt.Fprintf(cmd.ErrOrStderr(), "working from files: %v would not need to, %v are allowed\n", whole, f.Job.Mem)
	}
	solved := false
	err = cli.Run(&f.Job.Output, &a.Progress, cmd, "solving", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]R, error) {
		return s.run(ctx, bar, a, f, &solved)
	}, func(w io.Writer, records []R) error { return s.Text(&records[0], w) })
	if f.Work == "" {
		return err
	}
	err = anew(err)
	if err == nil {
		err = f.Job.Settled(cmd)
	}
	if err == nil && f.Table != "" {
		return s.Remove()
	}
	if saved, _ := s.Saved(); saved && err != nil && (solved || cli.Code(err) == cli.ExitInterrupted) {
		return cli.Saved(err)
	}
	return err
}

// anew says in the error of a state of rules that have changed how to do without it.
func anew(err error) error {
	if errors.Is(err, store.ErrChanged) {
		return fmt.Errorf("%w: --fresh begins anew", err)
	}
	return err
}

// run solves, counts, and writes the table; solved is set once the solve itself is done.
func (s Solver[R]) run(ctx context.Context, bar *cli.Bar, a *App, f *Strong, solved *bool) ([]R, error) {
	if s.Counts || f.Table != "" || f.Reachable {
		bar.Part(0.9, cli.Shares)
	}
	begin := time.Now()
	all, err := s.Solve(ctx, bar)
	if err != nil {
		return nil, err
	}
	defer all.Close()
	*solved = true
	spent := Spent{Threads: f.Job.Threads, Resumed: all.Resumed, Seconds: cli.Since(begin)}
	if f.Reachable {
		bar.Describe("counting what can be reached")
		if err := all.Reach(ctx); err != nil {
			return nil, err
		}
	}
	spent.Memory = cli.Size(host.PeakMemory())
	bar.Part(1, cli.Shares)
	var to Written
	if f.Table != "" {
		bar.Describe("writing the table")
		info, err := all.Save(ctx, f.Table, "perfectplay "+a.Program, bar.Share)
		if err != nil {
			return nil, err
		}
		to = Written{f.Table, info.Signature}
	}
	r, err := all.Record(spent, to)
	if err != nil {
		return nil, err
	}
	return []R{*r}, nil
}
