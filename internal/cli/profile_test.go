package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/spf13/cobra"
)

// kept is memory in use at the end of a profile of the heap.
var kept []byte

// busy allocates, contends for a mutex, waits on a channel and computes.
func busy() {
	kept = make([]byte, 1<<20)
	var mu sync.Mutex
	ready, done := make(chan struct{}), make(chan struct{})
	mu.Lock()
	go func() {
		close(ready)
		mu.Lock()
		defer mu.Unlock()
		close(done)
	}()
	<-ready
	for begin := time.Now(); time.Since(begin) < 40*time.Millisecond; { // long enough for samples at 100 a second
	}
	mu.Unlock()
	<-done
}

// contended reports whether the profile of mutexes has seen busy.
func contended() bool {
	var b strings.Builder
	_ = pprof.Lookup("mutex").WriteTo(&b, 1) // writing to a builder cannot fail
	return strings.Contains(b.String(), ".busy")
}

// profiled runs a command under flags.
func profiled(run func() error, args ...string) error {
	var p Profile
	cmd := &cobra.Command{Use: "x", RunE: func(*cobra.Command, []string) error { return run() }}
	p.Flags(cmd)
	ForceFlag(cmd)
	prepare(cmd)
	cmd.SetArgs(args)
	return cmd.Execute()
}

// TestProfiles: each mode writes a file of its kind that the tools open, for every ending of
// the command, and the command ends as without it.
func TestProfiles(t *testing.T) {
	kinds := map[string]string{ // the type of the first value in a sample, by mode
		"cpu": "samples", "heap": "alloc_objects", "allocs": "alloc_objects", "mutex": "contentions", "block": "contentions",
		"goroutine": "goroutine", "threadcreation": "threadcreate", "clock": "samples",
	}
	for _, m := range profileModes {
		for _, failure := range []error{nil, errors.New("x"), context.Canceled} {
			dir := filepath.Join(t.TempDir(), "made", "below")
			err := profiled(func() error {
				for busy(); m.name == "mutex" && !contended(); { // the other goroutine did not reach the lock in time
					busy()
				}
				return failure
			}, "--profile", m.name, "--profile-dir", dir)
			if !errors.Is(err, failure) {
				t.Errorf("%s: got %v, want %v", m.name, err, failure)
			}
			if names, _ := os.ReadDir(dir); len(names) != 1 {
				t.Errorf("%s: %d files, want 1", m.name, len(names))
			}
			file := filepath.Join(dir, m.file)
			if m.name == "trace" {
				opensTrace(t, file)
				continue
			}
			opens(t, file, kinds[m.name], m.name)
		}
	}
	kept = nil
}

// opens reads a profile, and looks for the work of busy in it.
func opens(t *testing.T, file, kind, mode string) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	p, err := profile.Parse(in)
	if err != nil {
		t.Fatalf("%s: %v", mode, err)
	}
	if p.SampleType[0].Type != kind {
		t.Errorf("%s: samples are of %q, want %q", mode, p.SampleType[0].Type, kind)
	}
	// A profile of goroutines shows them at its end, without busy. Samples of time may miss busy on
	// a machine with many other processes.
	if slices.Contains([]string{"heap", "allocs", "mutex", "block"}, mode) && !strings.Contains(p.String(), ".busy") {
		t.Errorf("%s: what was done is not in it:\n%v", mode, p)
	}
	if mode == "allocs" && p.DefaultSampleType != "alloc_space" { // a profile of the heap shows the memory in use instead
		t.Errorf("%s: it is shown by %q", mode, p.DefaultSampleType)
	}
}

// opensTrace reads a trace by the tool of Go.
func opensTrace(t *testing.T, file string) {
	t.Helper()
	if start, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(start), "go 1.") {
		t.Fatalf("it begins with %.20q: %v", start, err)
	}
	if testing.Short() {
		return
	}
	if out, err := exec.Command("go", "tool", "trace", "-d=parsed", file).CombinedOutput(); err != nil || !strings.Contains(string(out), ".busy") {
		t.Errorf("go tool trace: %v: %.500s", err, out)
	}
}

// TestProfileRefused: errors on which the library would end the process are returned, and
// nothing runs.
func TestProfileRefused(t *testing.T) {
	dir := t.TempDir()
	file, taken := filepath.Join(dir, "file"), filepath.Join(dir, "taken")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(taken, "cpu.pprof"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(taken, "clock.pprof"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--profile", "cpu", "--profile-dir", file}, ExitFailed, "--profile-dir: mkdir "},
		{[]string{"--profile", "cpu", "--profile-dir", filepath.Join(file, "below")}, ExitFailed, "--profile-dir: mkdir "},
		{[]string{"--profile", "cpu", "--profile-dir", taken}, ExitFailed, "the profile cannot be written"},
		{[]string{"--profile", "clock", "--profile-dir", taken}, ExitFailed, "holds something else"},
		{[]string{"--profile", "cpu", "--profile-dir", ""}, ExitUsage, "DIR is empty"},
		{[]string{"--profile-dir", dir}, ExitUsage, "goes with --profile"},
		{[]string{"--profile", "alloc"}, ExitUsage, "did you mean allocs?"},
		{[]string{"--profile", ""}, ExitUsage, "want cpu, heap"},
	} {
		ran := false
		err := profiled(func() error { ran = true; return nil }, c.args...)
		if Code(err) != c.code || err == nil || !strings.Contains(err.Error(), c.want) || ran {
			t.Errorf("%q: %v, ran %v, want exit %d and %q", c.args, err, ran, c.code, c.want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(taken, "clock.pprof")); err != nil || string(text) != "mine" {
		t.Errorf("the file that was there holds %q: %v", text, err)
	}
	if err := profiled(func() error { return nil }, "--profile", "clock", "--profile-dir", taken, "--force"); err != nil {
		t.Errorf("with --force: %v", err)
	}
}

// TestProfileWithin: a command that runs another one, as merge does, has one profile.
func TestProfileWithin(t *testing.T) {
	dir := t.TempDir()
	var p Profile
	var cmd *cobra.Command
	depth := 0
	cmd = &cobra.Command{Use: "x", RunE: func(*cobra.Command, []string) error {
		if depth++; depth < 3 {
			return cmd.Execute()
		}
		return nil
	}}
	p.Flags(cmd)
	prepare(cmd)
	cmd.SetArgs([]string{"--profile", "block", "--profile-dir", dir})
	if err := cmd.Execute(); err != nil || depth != 3 {
		t.Fatalf("%v, %d runs", err, depth)
	}
	opens(t, filepath.Join(dir, "block.pprof"), "contentions", "")
}

// TestProfileCut: an incomplete profile, as on a full disk, is an error.
func TestProfileCut(t *testing.T) {
	name := filepath.Join(t.TempDir(), "cpu.pprof")
	if err := profiled(func() error { return nil }, "--profile", "cpu", "--profile-dir", filepath.Dir(name)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 3, 10, len(text) / 2, len(text) - 1} {
		if err := os.WriteFile(name, text[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := whole(name); err == nil || !strings.Contains(err.Error(), "cpu.pprof is not whole") {
			t.Errorf("%d of %d bytes: %v", n, len(text), err)
		}
	}
}
