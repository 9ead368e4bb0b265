package cli

import (
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pkg/profile"
	"github.com/spf13/cobra"

	"perfectplay/internal/files"
)

const profileFlag, profileDirFlag = "profile", "profile-dir"

// Profile is the choice of a profile: the flags --profile, a mode of package profile, and
// --profile-dir, the directory where that package names the file. The profile is complete for
// every ending of the command: done, failed or interrupted.
type Profile struct {
	mode, dir string
	running   bool // a profile is running; merge runs another command within it
}

// profileMode is a mode of package profile and the name of its file.
type profileMode struct {
	name, file string
	options    []func(*profile.Profile)
}

var profileModes = []profileMode{
	{"cpu", "cpu.pprof", []func(*profile.Profile){profile.CPUProfile}},
	{"heap", "mem.pprof", []func(*profile.Profile){profile.MemProfile, profile.MemProfileHeap}}, // MemProfileHeap alone samples nothing
	{"allocs", "mem.pprof", []func(*profile.Profile){profile.MemProfile, profile.MemProfileAllocs}},
	{"mutex", "mutex.pprof", []func(*profile.Profile){profile.MutexProfile}},
	{"block", "block.pprof", []func(*profile.Profile){profile.BlockProfile}},
	{"trace", "trace.out", []func(*profile.Profile){profile.TraceProfile}},
	{"goroutine", "goroutine.pprof", []func(*profile.Profile){profile.GoroutineProfile}},
	{"threadcreation", "threadcreation.pprof", []func(*profile.Profile){profile.ThreadcreationProfile}},
	{"clock", "clock.pprof", []func(*profile.Profile){profile.ClockProfile}},
}

func modeOf(name string) (profileMode, bool) {
	if i := slices.IndexFunc(profileModes, func(m profileMode) bool { return m.name == name }); i >= 0 {
		return profileModes[i], true
	}
	return profileMode{}, false
}

// Flags adds the flags to a command and all below it, and runs every one of
// them under the chosen profile.
func (p *Profile) Flags(root *cobra.Command) {
	var names []string
	for _, m := range profileModes {
		names = append(names, m.name)
	}
	f := root.PersistentFlags()
	f.Var(&choice[string]{&p.mode, names}, profileFlag, "profile `MODE`: "+strings.Join(names, " "))
	f.StringVar(&p.dir, profileDirFlag, ".", "`DIR` of the profile")
	CompleteBy(root, profileFlag, Words(names))
	p.wrap(root)
}

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

// profileFile is the file of the requested profile, empty without one.
func profileFile(cmd *cobra.Command) string {
	if f := cmd.Flag(profileFlag); f != nil {
		if m, ok := modeOf(f.Value.String()); ok {
			return filepath.Join(cmd.Flag(profileDirFlag).Value.String(), m.file)
		}
	}
	return ""
}

// run does the work of a command under the chosen profile. It checks first for errors on which
// package profile ends the process.
func (p *Profile) run(cmd *cobra.Command, work func() error) error {
	if err := Needs(profileDirFlag, profileFlag).check(cmd.Flags()); err != nil {
		return err
	}
	mode, ok := modeOf(p.mode)
	switch {
	case !ok || p.running:
		return work()
	case p.dir == "":
		return Usagef("--%s: DIR is empty", profileDirFlag)
	}
	if err := os.MkdirAll(p.dir, 0o777); err != nil {
		return fmt.Errorf("--%s: %w", profileDirFlag, err)
	}
	name := profileFile(cmd)
	if err := Replaceable(cmd, "the profile", name, BeginsWith("\x1f\x8b", "go 1.")); err != nil {
		return err
	}
	return cmp.Or(p.record(mode, work), whole(name))
}

// record does the work under package profile, without its hook of signals, which would end the
// process before checkpoints are written.
func (p *Profile) record(mode profileMode, work func() error) (err error) {
	begin := time.Now()
	running := profile.Start(append(mode.options, profile.ProfilePath(p.dir), profile.NoShutdownHook, profile.Quiet)...)
	p.running = true
	defer func() {
		runtime.GC() // a profile of the heap shows the last collection
		if mode.name == "clock" {
			time.Sleep(leastClock - time.Since(begin))
		}
		err = cmp.Or(err, stop(running))
		p.running = false
	}()
	return work()
}

// leastClock is the least time of a profile by the clock: the library divides by the rate of
// its samples, and panics if that rounds to 0 a second.
const leastClock = 50 * time.Millisecond

func stop(running interface{ Stop() }) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the profile cannot be made: %v", r)
		}
	}()
	running.Stop()
	return nil
}

// whole returns an error if a profile cannot be read to its end: package profile ignores a full
// disk. Only the beginning of a trace is checked.
func whole(name string) error {
	stat, err := os.Stat(name)
	if err == nil && !stat.Mode().IsRegular() {
		return nil
	}
	var in *os.File
	if err == nil {
		in, err = files.Open(name, math.MaxInt64)
	}
	if err == nil {
		defer in.Close()
		err = readable(in)
	}
	if err != nil {
		return fmt.Errorf("the profile %s is not whole: %w", name, err)
	}
	return nil
}

func readable(in io.ReadSeeker) error {
	var start [5]byte
	if _, err := io.ReadFull(in, start[:]); err != nil || string(start[:]) == "go 1." {
		return err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return err
	}
	unpacked, err := gzip.NewReader(in)
	if err == nil {
		_, err = io.Copy(io.Discard, unpacked)
	}
	return err
}
