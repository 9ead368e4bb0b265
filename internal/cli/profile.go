package cli

import (
	"fmt"
	"io"
	"runtime/pprof"
	"runtime/trace"

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
			return p.around(cmd, func() error { return run(cmd, args) })
		}
	}
	for _, sub := range cmd.Commands() {
		p.wrap(sub)
	}
}

// around runs a command under the chosen profile, which appears under its name
// only when it is complete. The command's own error goes before the profile's.
func (p *Profile) around(cmd *cobra.Command, run func() error) error {
	if Exclusive(cmd, "cpuprofile", "memprofile", "trace") != nil {
		return Usagef("--cpuprofile, --memprofile and --trace disturb each other: choose one")
	}
	file, start, stop := "", func(io.Writer) error { return nil }, func(io.Writer) error { return nil }
	switch {
	case p.cpu != "":
		file, start, stop = p.cpu, pprof.StartCPUProfile, func(io.Writer) error { pprof.StopCPUProfile(); return nil }
	case p.mem != "":
		file, stop = p.mem, func(w io.Writer) error { return pprof.Lookup("allocs").WriteTo(w, 0) }
	case p.trace != "":
		file, start, stop = p.trace, trace.Start, func(io.Writer) error { trace.Stop(); return nil }
	default:
		return run()
	}
	if err := files.Writable("the profile", file); err != nil {
		return err
	}
	var ran error
	err := files.Write(file, func(w io.Writer) error {
		if err := start(w); err != nil {
			return err
		}
		ran = run()
		return stop(w)
	})
	if ran == nil && err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return ran
}
