package app

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfectplay/internal/cli"
)

// TestCensusMemory runs the census with little memory and many threads: it uses fewer threads,
// and keeps within the memory.
func TestCensusMemory(t *testing.T) {
	hostile(t)
	for _, c := range []struct {
		budget cli.Size
		args   []string
	}{
		{192 << 20, []string{"--sample", "2000", "--mem", "192MiB"}},
		{448 << 20, []string{"--part", "3/60000", "--census", filepath.Join(t.TempDir(), "part"), "--interval", "20ms", "--mem", "448MiB"}},
	} {
		if used := peak(t, append([]string{"domino", "census", "--threads", "64"}, c.args...)); used > c.budget {
			t.Errorf("%v: %v resident", c.args, used)
		}
	}
}

// TestHiddenMemory: a solver of hidden hands keeps within its announced memory, which is most of
// the memory of the process.
func TestHiddenMemory(t *testing.T) {
	hostile(t)
	for _, line := range []string{
		"double-3 4 --iterations 300",
		"double-4 4 --iterations 24",
		"double-4 5 --iterations 4",
		"double-6 4 --iterations 1",
	} {
		answer := filepath.Join(t.TempDir(), "answer")
		used := peak(t, append([]string{"domino", "hidden", "--gap", "0", "--threads", "2", "--json", "-o", answer}, strings.Fields(line)...))
		text, err := os.ReadFile(answer)
		if err != nil {
			t.Fatal(err)
		}
		var record struct {
			Memory cli.Size `json:"memory_bytes"`
		}
		if err := json.NewDecoder(bytes.NewReader(text)).Decode(&record); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v announced, %v resident", line, record.Memory, used)
		if used > record.Memory || record.Memory > 2*used+64<<20 {
			t.Errorf("%s: %v announced, %v resident", line, record.Memory, used)
		}
	}
}
