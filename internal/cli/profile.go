package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/pkg/profile"
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
		cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
			stop, err := p.start(cmd)
			if err != nil {
				return err
			}
			defer func() {
				if e := stop(); e != nil && err == nil {
					err = e
				}
			}()
			return run(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		p.wrap(sub)
	}
}

// start begins the chosen profile and returns what ends it. The file appears
// under its name only when it is complete.
func (p *Profile) start(cmd *cobra.Command) (stop func() error, err error) {
	var file, made string
	var mode func(*profile.Profile)
	for _, c := range []struct {
		file, made string
		mode       func(*profile.Profile)
	}{
		{p.cpu, "cpu.pprof", profile.CPUProfile},
		{p.mem, "mem.pprof", profile.MemProfile},
		{p.trace, "trace.out", profile.TraceProfile},
	} {
		if c.file == "" {
			continue
		}
		if file != "" {
			return nil, Usagef("--cpuprofile, --memprofile and --trace disturb each other: choose one")
		}
		file, made, mode = c.file, c.made, c.mode
	}
	if file == "" {
		return func() error { return nil }, nil
	}
	if err := Replaceable(cmd, "the profile", file, BeginsWith("\x1f\x8b", "go 1.")); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "solve-profile-")
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	running := profile.Start(mode, profile.ProfilePath(dir), profile.NoShutdownHook, profile.Quiet)
	return func() error {
		running.Stop()
		defer os.RemoveAll(dir)
		err := files.Write(file, func(w io.Writer) error {
			in, err := os.Open(filepath.Join(dir, made))
			if err != nil {
				return err
			}
			defer in.Close()
			_, err = io.Copy(w, in)
			return err
		})
		if err != nil {
			return fmt.Errorf("profile: %w", err)
		}
		return nil
	}, nil
}
