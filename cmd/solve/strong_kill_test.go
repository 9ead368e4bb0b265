package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKilled kills a solve ten times at random moments, with no chance to clean
// up, resumes it each time, and compares the table with that of a solve left
// alone.
func TestKilled(t *testing.T) {
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
	for _, kind := range []string{"--distances", "--distances=false"} {
		args := []string{"strong", "halma-4x4p4", "--rules", "sturtevant", "--threads", "2", kind, "--table"}
		want := filepath.Join(dir, "alone"+kind)
		if out, err := exec.Command(program, append(args, want)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		points := filepath.Join(dir, "points"+kind)
		got := filepath.Join(dir, "killed"+kind)
		args = append(args, got, "--checkpoint", points, "--interval", "0s")
		random := rand.New(rand.NewPCG(3, 4))
		for killed, starts := 0, 0; killed < 10; starts++ {
			if starts == 200 {
				t.Fatalf("killed %d times only", killed)
			}
			cmd := exec.Command(program, args...)
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
				// It was through before its time: begin again.
				compareFiles(t, want, got)
				if err := os.Remove(got); err != nil {
					t.Fatal(err)
				}
			case <-time.After(time.Duration(10+random.IntN(200)) * time.Millisecond):
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				<-done
				killed++
				if _, err := os.Stat(got); err == nil {
					compareFiles(t, want, got)
				}
				// What was being written is overwritten the next time, not left
				// beside it.
				if left, _ := filepath.Glob(filepath.Join(points, ".*.part-*")); len(left) > 1 {
					t.Fatalf("files left: %v", left)
				}
			}
		}
		_, err := os.Stat(filepath.Join(points, "strong.checkpoint"))
		saved := err == nil
		out, err := exec.Command(program, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if resumed := strings.Contains(string(out), ", from a checkpoint on, "); resumed != saved {
			t.Errorf("resumed %v, with a checkpoint %v:\n%s", resumed, saved, out)
		}
		compareFiles(t, want, got)
		if left, err := os.ReadDir(points); err != nil || len(left) > 0 {
			t.Errorf("%v, %v: files left of the checkpoint", left, err)
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
