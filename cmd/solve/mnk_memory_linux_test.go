package main

import (
	"os"
	"path/filepath"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
	"perfectplay/internal/cli"
)

// TestMatchMemory: the tables of a match are no more than --mem, although every
// game has its own.
func TestMatchMemory(t *testing.T) {
	hostile(t)
	const budget = 256<<20/2 + 32<<20 // half for each player, random needs none; and the program
	resident := peak(t, []string{"mnk", "match", "monkey", "random", "--mem", "256MiB", "--threads", "1", "--time", "200ms", "--grace", "1h",
		"--games", "3", "--limit", "2", "--boards", "mnk-8x8k5"})
	t.Logf("%v resident", resident)
	if resident > budget {
		t.Errorf("%v resident", resident)
	}
}

// TestCheckMemory reads a certificate of more answers than --mem has room for: it is
// refused by one line, and takes no more than it may.
func TestCheckMemory(t *testing.T) {
	hostile(t)
	const budget = 64 << 20
	dir := t.TempDir()
	g, err := mnk.ByID("mnk-7x7k5")
	if err != nil {
		t.Fatal(err)
	}
	// Two stones that no mirror leaves where they are, and above them pairs of cells that
	// are empty or hold a stone of each: no line is complete.
	text := []byte("perfectplay mnk certificate 1\nmnk-7x7k5 attacker x wins\n")
	for n := range 1_000_000 {
		x, o := uint64(1)<<42, uint64(1)<<43
		for pair := 0; n > 0; pair, n = pair+2, n/3 {
			if n%3 > 0 {
				x |= 1 << (pair + n%3 - 1)
				o |= 1 << (pair + 2 - n%3)
			}
		}
		text = append(append(text, g.Text(bitboard.Set128{Lo: x}, bitboard.Set128{Lo: o})...), " g7\n"...)
	}
	name := filepath.Join(dir, "large.proof")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	used := filepath.Join(dir, "peak")
	cmd := solveCommand("mnk", "check", name, "--mem", "64MiB")
	cmd.Env = append(cmd.Environ(), peakFile+"="+used)
	refused(t, cli.ExitUsage, "the answers of "+name+" take more", cmd)
	if resident := peakOf(t, used); resident > budget+8<<20 {
		t.Errorf("%v resident", resident)
	}
}
