package app

import (
	"path/filepath"
	"testing"

	"perfectplay/game/halma/strong"
	"perfectplay/internal/cli"
)

// TestStrongMemory solves a board within a budget that leaves the solve less than a third of the
// memory that it would take, and writes the table. The peak of the resident memory, with the
// program, is within the budget. The file equals the file of a solve in memory. A solve in memory
// takes no more than its plan says.
func TestStrongMemory(t *testing.T) {
	hostile(t)
	const (
		budget  = cli.Size(44 << 20)
		planned = cli.Size(74 << 20)
	)
	dir := t.TempDir()
	run := func(name string, more ...string) cli.Size {
		return peak(t, append([]string{"strong", "halma-6x6p3", "--rules", "sturtevant", "--distances", "--table", filepath.Join(dir, name)}, more...))
	}
	free := run("free", "--threads", "1", "--mem", planned.String())
	tight := run("tight", "--threads", "2", "--work", filepath.Join(dir, "work"), "--mem", budget.String())
	t.Logf("%v resident in memory, %v of %v from files", free, tight, budget)
	if tight > budget || free > planned || free-strong.Program < 3*(budget-strong.Program)/2 {
		t.Errorf("%v of %v resident in memory, %v from files within %v", free, planned, tight, budget)
	}
	compareFiles(t, filepath.Join(dir, "free"), filepath.Join(dir, "tight"))
}
