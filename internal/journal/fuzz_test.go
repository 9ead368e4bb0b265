package journal

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"perfectplay/internal/rows"
)

// game is a record with an empty field.
type game struct {
	Game  string `json:"game"`
	Round int    `json:"round"`
	Note  string `json:"note"`
}

func open(name string) (*Journal[game], error) {
	return Open(name, func(g game) string { return g.Game })
}

// FuzzJournal opens any file as a journal: a refused one stays unchanged; an accepted one keeps
// its whole lines, and opens again with as many games.
func FuzzJournal(f *testing.F) {
	header := []byte(rows.Header[game]())
	name := filepath.Join(f.TempDir(), "journal")
	j, err := open(name)
	if err != nil {
		f.Fatal(err)
	}
	for _, r := range []game{{}, {Game: "mnk-3x3k3", Round: 2}} {
		if err := j.add(r); err != nil {
			f.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-3])
	f.Add(header)
	f.Add(header[:len(header)/2])
	f.Add([]byte("my letters\n"))
	f.Add([]byte{})
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(dir, "fuzzed")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := open(name)
		if err != nil {
			if after, err := os.ReadFile(name); err != nil || !bytes.Equal(after, data) {
				t.Fatalf("%q was refused and became %q: %v", data, after, err)
			}
			return
		}
		held := len(j.held)
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(name)
		lines := data[:bytes.LastIndexByte(data, '\n')+1]
		if len(lines) == 0 {
			lines = header
		}
		if err != nil || !bytes.Equal(after, lines) {
			t.Fatalf("%q was accepted and became %q: %v", data, after, err)
		}
		if j, err = open(name); err != nil || len(j.held) != held {
			t.Fatalf("%q has %d games, and then: %v", data, held, err)
		}
		j.Close()
	})
}
