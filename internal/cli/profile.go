package cli

import (
	"bytes"
	"fmt"
	"io"
	"runtime/pprof"

	"github.com/spf13/cobra"

	"perfectplay/internal/files"
)

// Profile is the flag --cpuprofile with the file to write. The profile is complete however
// the command ends: done, failed or interrupted.
type Profile struct{ cpu string }

// Flags adds the flag to a command and all below it, and runs every one of them under the
// profile.
func (p *Profile) Flags(root *cobra.Command) {
	root.PersistentFlags().StringVar(&p.cpu, "cpuprofile", "", "write a CPU profile to `FILE`")
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

// start begins the profile and returns what ends it. The file appears when it is complete.
func (p *Profile) start(cmd *cobra.Command) (stop func() error, err error) {
	if p.cpu == "" {
		return func() error { return nil }, nil
	}
	if err := Replaceable(cmd, "the profile", p.cpu, BeginsWith("\x1f\x8b")); err != nil {
		return nil, err
	}
	var made bytes.Buffer
	if err := pprof.StartCPUProfile(&made); err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	return func() error {
		pprof.StopCPUProfile()
		if err := files.Write(p.cpu, func(w io.Writer) error { _, err := made.WriteTo(w); return err }); err != nil {
			return fmt.Errorf("profile: %w", err)
		}
		return nil
	}, nil
}
