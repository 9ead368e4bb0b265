package app

import (
	"os"
	"path/filepath"
	"testing"
)

// TestDominoNoSpace fills the disk: old files stay, and no new ones remain.
func TestDominoNoSpace(t *testing.T) {
	hostile(t)
	dir := smallDisk(t, 8)
	plot, part := filepath.Join(dir, "hand.svg"), filepath.Join(dir, "part")
	if err := os.WriteFile(plot, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := map[string]string{"hand.svg": "old"}
	refused(t, 1, "no space left", solveCommand("domino", "hand", "00", "11", "22", "33", "44", "55", "66", "--plot", plot, "--force"))
	holds(t, dir, old)
	refused(t, 1, "no space left", solveCommand("domino", "census", "--part", "9/60000", "--census", part))
	holds(t, dir, old)
}
