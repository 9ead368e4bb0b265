package main

import (
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"perfectplay/internal/cli"
)

// TestStrongMemory solves a board within a budget of half of its table, counts
// what can be reached and writes the table: the peak of the resident memory is
// not above the budget, give or take what the Go runtime keeps for later, and
// the file is that of a solve in memory.
func TestStrongMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const budget = cli.Size(30 << 20)
	dir := t.TempDir()
	run := func(name string, more ...string) cli.Size {
		args := append([]string{"strong", "halma-6x6p3", "--rules", "sturtevant", "--distances", "--reachable", "-o", filepath.Join(dir, name)}, more...)
		cmd := exec.Command("solve", args...) // the test binary, see TestMain
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return cli.Size(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) << 10 // KiB on Linux
	}
	free := run("free", "--threads", "1")
	tight := run("tight", "--threads", "2", "--scratch", dir, "--mem", budget.String())
	t.Logf("%v resident in memory, %v of %v from files", free, tight, budget)
	if tight > budget+6<<20 || free < 2*budget {
		t.Errorf("%v resident in memory, %v from files within %v", free, tight, budget)
	}
	compareFiles(t, filepath.Join(dir, "free"), filepath.Join(dir, "tight"))
}
