package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"

	"github.com/spf13/cobra"

	"perfectplay/internal/files"
)

// Profile is the choice of a profile to write: the flags --cpuprofile,
// --memprofile and --trace, each with the file to write. The profile is
// complete however the command ends: done, failed or interrupted.
type Profile struct {
	cpu, mem, trace string
}

// Flags adds the flags to a command and all below it, and runs every one of
// them under the chosen profile.
func (p *Profile) Flags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&p.cpu, "cpuprofile", "", "write a CPU profile to `FILE`")
	f.StringVar(&p.mem, "memprofile", "", "write a memory profile to `FILE`")
	f.StringVar(&p.trace, "trace", "", "write an execution trace to `FILE`")
	p.wrap(root)
}

// wrap makes the commands run under the profile.
func (p *Profile) wrap(cmd *cobra.Command) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			return p.run(cmd, func() error { return run(cmd, args) })
		}
	}
	for _, sub := range cmd.Commands() {
		p.wrap(sub)
	}
}

// run does the work of a command under the chosen profile. The file appears under its
// name only when it is complete.
func (p *Profile) run(cmd *cobra.Command, work func() error) error {
	chosen := slices.DeleteFunc([]string{p.cpu, p.mem, p.trace}, func(name string) bool { return name == "" })
	switch len(chosen) {
	case 0:
		return work()
	case 1:
	default:
		return Usagef("--cpuprofile, --memprofile and --trace disturb each other: choose one")
	}
	if err := Replaceable(cmd, "the profile", chosen[0], BeginsWith("\x1f\x8b", "go 1.")); err != nil {
		return err
	}
	var failed error // of the work, whose profile is written all the same
	err := files.Write(chosen[0], func(w io.Writer) error {
		return p.record(w, func() { failed = work() })
	})
	if err != nil && failed == nil {
		return fmt.Errorf("profile: %w", err)
	}
	return failed
}

// record writes the chosen profile of the work.
func (p *Profile) record(w io.Writer, work func()) error {
	switch {
	case p.cpu != "":
		if err := pprof.StartCPUProfile(w); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	case p.trace != "":
		if err := trace.Start(w); err != nil {
			return err
		}
		defer trace.Stop()
	default:
		defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
		runtime.MemProfileRate = 4 << 10
		work()
		runtime.GC() // the profile is of the last collection
		return pprof.WriteHeapProfile(w)
	}
	work()
	return nil
}
