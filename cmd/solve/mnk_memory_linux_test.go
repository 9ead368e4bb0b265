package main

import "testing"

// TestMatchMemory: the tables of a match are no more than --mem, although every
// game has its own.
func TestMatchMemory(t *testing.T) {
	t.Parallel()
	const budget = 256<<20/2 + 32<<20 // half for each player, random needs none; and the program
	resident := peak(t, []string{"mnk", "match", "monkey", "random", "--mem", "256MiB", "--threads", "1", "--time", "200ms", "--grace", "1h",
		"--games", "3", "--limit", "2", "--boards", "mnk-8x8k5"})
	t.Logf("%v resident", resident)
	if resident > budget {
		t.Errorf("%v resident", resident)
	}
}
