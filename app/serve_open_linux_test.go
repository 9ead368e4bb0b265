package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestServeOpen: --open passes the address to the system's opener of pages.
func TestServeOpen(t *testing.T) {
	dir := t.TempDir()
	opened := filepath.Join(dir, "opened")
	script := "#!/bin/sh\nprintf %s \"$1\" > " + opened + ".part && mv " + opened + ".part " + opened + "\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	s := startServer(t, "--open", "--mem", "64MiB")
	for range 4800 {
		if _, err := os.Stat(opened); err == nil {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	if got, err := os.ReadFile(opened); err != nil || string(got) != s.url {
		t.Errorf("opened %q, %v; want %s", got, err, s.url)
	}
	s.end(t)
}
