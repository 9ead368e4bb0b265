package app

import (
	"path/filepath"
	"testing"
)

// TestMatchMemory: the tables of a match stay within --mem, although every game has its own.
func TestMatchMemory(t *testing.T) {
	hostile(t)
	const budget = 256<<20/2 + 32<<20 // half for tables of strongest, and the program; random has no table
	resident := peak(t, []string{"match", "mnk-8x8k5", "strongest", "random", "--mem", "256MiB", "--time", "200ms", "--grace", "1h",
		"--pairs", "3", "--limit", "2"})
	t.Logf("%v resident", resident)
	if resident > budget {
		t.Errorf("%v resident", resident)
	}
}

// TestCheckMemory checks a proof that could use all memory: it stays within --mem.
func TestCheckMemory(t *testing.T) {
	hostile(t)
	const budget = 64 << 20
	name := filepath.Join(t.TempDir(), "large.proof")
	cmd := solveCommand("mnk", "solve", "mnk-8x7k5", "--threads", "1", "--mem", "128MiB", "--algo", "zones", "--certificate", name)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	used := peak(t, []string{"mnk", "check", name, "--mem", "64MiB"})
	t.Logf("%v resident", used)
	if used > budget+8<<20 {
		t.Errorf("%v resident", used)
	}
}

// TestProofMemory writes, replays and joins proofs: the whole process stays within --mem.
func TestProofMemory(t *testing.T) {
	hostile(t)
	const budget = 64<<20 + 4<<20 // the test binary is larger than solve
	name := filepath.Join(t.TempDir(), "844.proof")
	for _, line := range [][]string{
		{"mnk-8x4k4", "--threads", "1", "--certificate", name},
		{"mnk-8x4k4", "--threads", "1", "--check"},
		{"mnk-7x4k4", "--threads", "2", "--split", "1", "--check"},
	} {
		used := peak(t, append([]string{"mnk", "solve", "--mem", "64MiB"}, line...))
		t.Logf("%v: %v resident", line, used)
		if used > budget {
			t.Errorf("%v: %v resident", line, used)
		}
	}
}
