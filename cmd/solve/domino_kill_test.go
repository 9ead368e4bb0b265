package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCensusKilled kills a part of the census at random moments, with no chance
// to clean up, resumes it each time with another number of threads, and compares
// the file with that of a run left alone. Whatever a kill leaves behind reads as
// a part, and a damaged file is refused, not resumed.
func TestCensusKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts and kills processes for seconds; not with -short")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "solve") // the test binary is the program under this name
	if err := os.Symlink(self, program); err != nil {
		t.Skipf("the program cannot be given its name: %v", err)
	}
	part := func(file, threads string) *exec.Cmd {
		return exec.Command(program, "domino", "census", "--part", "3/6000", "--file", file, "--threads", threads, "--every", "100ms")
	}
	want, got := filepath.Join(dir, "alone"), filepath.Join(dir, "killed")
	if out, err := part(want, "2").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	random := rand.New(rand.NewPCG(5, 6))
	through := false
	for kill := 0; kill < 5 && !through; kill++ {
		cmd := part(got, []string{"1", "2"}[kill%2])
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			through = true
		case <-time.After(time.Duration(300+random.IntN(900)) * time.Millisecond):
			if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
			<-done
		}
		if _, err := os.Stat(got); err == nil {
			if out, err := exec.Command(program, "domino", "show", got).CombinedOutput(); err != nil {
				t.Fatalf("after kill %d: %v\n%s", kill, err, out)
			}
		}
	}
	if out, err := part(got, "1").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	compareFiles(t, want, got)

	file, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"cut off": file[:len(file)/2],
		"changed": append(bytes.Clone(file[:len(file)/3]), append([]byte{file[len(file)/3] ^ 1}, file[len(file)/3+1:]...)...),
	} {
		damaged := filepath.Join(dir, "damaged")
		if err := os.WriteFile(damaged, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, cmd := range []*exec.Cmd{
			part(damaged, "1"),
			exec.Command(program, "domino", "show", damaged),
			exec.Command(program, "domino", "merge", "--file", filepath.Join(dir, "sum"), want, damaged),
		} {
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), "damaged: ") {
				t.Errorf("%s: %v: %v\n%s", name, cmd.Args, err, out)
			}
		}
		if now, err := os.ReadFile(damaged); err != nil || !bytes.Equal(now, bad) {
			t.Errorf("%s: the damaged file was written to: %v", name, err)
		}
	}
}
