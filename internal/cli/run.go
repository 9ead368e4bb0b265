package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"
)

// Job is shared by the commands that compute: the destination of the answer and the resources
// of the work. [Run] does the work.
type Job struct {
	Output
	Resources
}

// Flags adds the flags of the output and of the resources, and checks them before the command runs.
// least is the smallest memory that the job can work with; commands that learn it later call
// [Resources.Resolve] again.
func (j *Job) Flags(cmd *cobra.Command, least Size) {
	j.Output.Flags(cmd)
	j.Resources.Flags(cmd)
	Before(cmd, func() error { return j.Resolve(cmd, least, 0) })
}

// Before adds a check before a command runs, after the checks added earlier.
func Before(cmd *cobra.Command, check func() error) {
	earlier := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if earlier != nil {
			if err := earlier(cmd, args); err != nil {
				return err
			}
		}
		return check()
	}
}

// Totals of bars that do not count steps.
const (
	Shares  = 0  // the work moves the bar by [Bar.Share]
	Endless = -1 // the amount of work is unknown
)

// Incomplete marks an error of the work of [Run] that comes beside an answer, such
// as a figure that differs from the published one; nil stays nil.
func Incomplete(err error) error { return mark(err, errIncomplete) }

// Run does the work of a command and writes its records as the answer, for people by text. what
// and steps are the bar during the work, see [Progress.Start].
//
// If the work was interrupted (its error is or wraps the context's error), or is [Incomplete], the
// records so far are written, if there are any, before the error is returned. After any other error
// nothing is written.
func Run[T any](o *Output, p *Progress, cmd *cobra.Command, what string, steps int64, work func(ctx context.Context, bar *Bar) ([]T, error), text func(w io.Writer, records []T)) error {
	if err := replaceable[T](o, cmd); err != nil {
		return err
	}
	bar := p.Start(cmd, what, steps)
	records, stopped := func() ([]T, error) {
		defer bar.Stop()
		return work(cmd.Context(), bar)
	}()
	if stopped != nil && (len(records) == 0 || Code(stopped) != ExitInterrupted && !errors.Is(stopped, errIncomplete)) {
		return stopped
	}
	if err := write(o, cmd, records, text); err != nil {
		return err
	}
	return stopped
}
