package app

import (
	"path/filepath"
	"testing"

	"perfectplay/internal/cli"
)

// TestCensusMemory gives the census little memory and many threads: it takes fewer,
// and never more memory than it may.
func TestCensusMemory(t *testing.T) {
	hostile(t)
	for _, c := range []struct {
		budget cli.Size
		args   []string
	}{
		{192 << 20, []string{"--verify", "2000", "--mem", "192MiB"}},
		{448 << 20, []string{"--part", "3/60000", "--census", filepath.Join(t.TempDir(), "part"), "--interval", "20ms", "--mem", "448MiB"}},
	} {
		if used := peak(t, append([]string{"domino", "census", "--threads", "64"}, c.args...)); used > c.budget {
			t.Errorf("%v: %v resident", c.args, used)
		}
	}
}
