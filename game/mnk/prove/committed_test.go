package prove

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCommitted checks certificates named in docs/results.md: the first player wins.
func TestCommitted(t *testing.T) {
	for id, name := range map[string]string{"mnk-9x4k4": "944.proof", "mnk-11x4k4": "1144.proof"} {
		file, err := os.Open(filepath.Join("../../../bench/runs/2026-11-23-mnk", name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		c, err := OpenCertificate(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		defer c.Close()
		n, err := c.Check(t.Context(), 1<<30, nil)
		if err != nil || n.Positions == 0 || c.Claim != (Claim{Win: true}) || c.Game().ID() != id {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
	}
}
