package app

import (
	"path/filepath"
	"testing"

	"perfectplay/internal/cli"
)

// TestStrongMemory solves a board within a budget of half of its table and writes the
// table: the peak of the resident memory is
// not above the budget, give or take what the Go runtime keeps for later, and
// the file is that of a solve in memory.
func TestStrongMemory(t *testing.T) {
	hostile(t)
	const budget = cli.Size(28 << 20)
	dir := t.TempDir()
	run := func(name string, more ...string) cli.Size {
		return peak(t, append([]string{"strong", "halma-6x6p3", "--rules", "sturtevant", "--distances", "--table", filepath.Join(dir, name)}, more...))
	}
	free := run("free", "--threads", "1")
	tight := run("tight", "--threads", "2", "--work", filepath.Join(dir, "work"), "--mem", budget.String())
	t.Logf("%v resident in memory, %v of %v from files", free, tight, budget)
	// The program's own pages come on top: 8 MiB, or a little more where the kernel maps
	// those around the ones in use, too.
	if tight > budget+10<<20 || free < 2*budget {
		t.Errorf("%v resident in memory, %v from files within %v", free, tight, budget)
	}
	compareFiles(t, filepath.Join(dir, "free"), filepath.Join(dir, "tight"))
}
