package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReplaceable: an answer replaces an empty file and one of its own columns, and
// anything with --force.
func TestReplaceable(t *testing.T) {
	for _, c := range []struct {
		there string
		flags []string
		ok    bool
	}{
		{"", nil, true},
		{"text\n", nil, false},
		{"text\n", []string{"--force"}, true},
		{"# x \"--name=a b\"\nother text\n", []string{"--name", "a b"}, true}, // the answer of this job, by a run that was killed after writing
		{"# x --name=a\ntext\n", []string{"--name", "ab"}, false},
		{"# x\ntext\n", []string{"--name", "a"}, false},
		{"# x --name=" + strings.Repeat("a", headBytes) + "\n", []string{"--name", strings.Repeat("a", headBytes)}, true},
		{"name,nodes,seconds\n", []string{"--csv"}, true},
		{"name,count\n", []string{"--csv"}, false},
		{"{\"name\":1,\"b\":2}\n", []string{"--json"}, true},
		{"{\"b\":1}\n", []string{"--json"}, false},
		{"name,nodes,seconds\n", []string{"--json"}, false},
		{"name,nodes,seconds\n", nil, false},
	} {
		name := filepath.Join(t.TempDir(), "answer")
		if err := os.WriteFile(name, []byte(c.there), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := output(t, append(c.flags, "-o", name)...)
		if text, e := os.ReadFile(name); (err == nil) != c.ok || e != nil || !c.ok && string(text) != c.there {
			t.Errorf("%q %q: %v, the file holds %q", c.there, c.flags, err, text)
		}
		if err != nil && !strings.Contains(err.Error(), "--force replaces it") {
			t.Error(err)
		}
	}
}
