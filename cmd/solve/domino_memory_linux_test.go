package main

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestCensusMemory gives the census little memory and many threads: it takes fewer,
// and never more memory than it may.
func TestCensusMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a part of the census for seconds; not with -short")
	}
	t.Parallel()
	for _, c := range []struct {
		mebibytes int64
		args      []string
	}{
		{192, []string{"--verify", "2000", "--mem", "192MiB"}},
		{448, []string{"--part", "3/60000", "--census", filepath.Join(t.TempDir(), "part"), "--interval", "20ms", "--mem", "448MiB"}},
	} {
		cmd := solveCommand(append([]string{"domino", "census", "--threads", "64"}, c.args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if used := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10; used > c.mebibytes {
			t.Errorf("%v: %d MiB in use", c.args, used)
		}
	}
}
