package app

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

// TestCensusKilled kills a part of the census at random instants, with no chance
// to clean up, resumes it each time with another number of threads, and compares
// the file with that of a run left alone. Whatever a kill leaves behind reads as
// a part, and a damaged file is refused, not resumed.
func TestCensusKilled(t *testing.T) {
	hostile(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "solve") // the test binary is the program under this name
	if err := os.Symlink(self, program); err != nil {
		t.Skipf("the program cannot be given its name: %v", err)
	}
	part := func(file, threads, every string) *exec.Cmd {
		return exec.Command(program, "domino", "census", "--part", "3/60000", "--census", file, "--threads", threads, "--interval", every)
	}
	want, got := filepath.Join(dir, "alone"), filepath.Join(dir, "killed")
	if out, err := part(want, "2", "0").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// A run is killed some time after one of its first checkpoints, so that each
	// has got on, however slow the machine.
	random := rand.New(rand.NewPCG(5, 6))
	kills := 0
	for through := false; kills < 2 && !through; kills++ {
		cmd := part(got, []string{"1", "2"}[kills%2], "20ms")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		last, _ := os.Stat(got)
		for left := 1 + random.IntN(2); left > 0 && !through; {
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
				through = true
			case <-time.After(2 * time.Millisecond):
				if now, err := os.Stat(got); err == nil && !os.SameFile(now, last) {
					last, left = now, left-1
				}
			}
		}
		if !through {
			time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
			if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
			<-done
		}
		if out, err := exec.Command(program, "domino", "show", got).CombinedOutput(); err != nil {
			t.Fatalf("after kill %d: %v\n%s", kills, err, out)
		}
	}
	if kills < 2 {
		t.Errorf("%d kills, want 2 or more", kills)
	}
	if out, err := part(got, "1", "0").CombinedOutput(); err != nil {
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
			part(damaged, "1", "0"),
			exec.Command(program, "domino", "show", damaged),
			exec.Command(program, "domino", "merge", "--census", filepath.Join(dir, "sum"), want, damaged),
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

// compareFiles fails unless two files are equal.
func compareFiles(t *testing.T, want, got string) {
	t.Helper()
	a, errA := os.ReadFile(want)
	b, errB := os.ReadFile(got)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if !bytes.Equal(a, b) {
		t.Fatalf("%s differs from %s", got, want)
	}
}
