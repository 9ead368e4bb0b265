//go:build !js

package site

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfectplay/play/serve/web"
)

// TestWrite writes a site, twice with the same bytes. It has all files of the page, answers of
// its own, and a program of the promised size.
func TestWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program; not with -short")
	}
	dir := filepath.Join(t.TempDir(), "public")
	files, err := Write(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int64{}
	var sent int64
	for _, f := range files {
		sizes[f.Name] = f.Size
		sent += f.Sent
	}
	if sent > 3_250_000 || sent < 1<<20 {
		t.Errorf("a visit transfers %d bytes, want at most 3.25 MB", sent)
	}
	for _, from := range []fs.FS{web.Files(), overlay} {
		_ = fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && sizes[name] == 0 {
				t.Errorf("%s is not in the site", name)
			}
			return err
		})
	}
	before := map[string][]byte{}
	for name, size := range sizes {
		body, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || int64(len(body)) != size {
			t.Errorf("%s: %d bytes, listed with %d: %v", name, len(body), size, err)
		}
		before[name] = body
	}
	if !bytes.Contains(before["js/backend.js"], []byte("wasm.js")) {
		t.Error("the page of the site asks a server")
	}
	// The policy comes once, before everything that it covers, and equals the server's beside
	// the program.
	page := string(before["index.html"])
	head, rest, ok := strings.Cut(page, `<meta http-equiv="Content-Security-Policy" content="`)
	said, _, _ := strings.Cut(rest, `"`)
	if !ok || strings.ContainsAny(head, "'") || strings.Contains(head, "<script") || strings.Contains(head, "<link") ||
		strings.Replace(said, " 'wasm-unsafe-eval'", "", 1) != web.Policy || !strings.Contains(said, "script-src 'self' 'wasm-unsafe-eval';") {
		t.Errorf("the page begins\n%.1200s", page)
	}
	if bytes.Contains(before["sw.js"], []byte("'VERSION'")) || !bytes.Contains(before["files.json"], []byte(`"perfectplay.wasm.gz"`)) ||
		bytes.Contains(before["files.json"], []byte(`"perfectplay.wasm"`)) {
		t.Errorf("the service worker keeps\n%s by\n%s", before["files.json"], before["sw.js"])
	}
	if !bytes.HasPrefix(before[programName], []byte("\x00asm")) {
		t.Error("the program is no WebAssembly")
	}
	if _, err := Write(t.Context(), dir, ""); err != nil {
		t.Fatal(err)
	}
	for name, body := range before {
		if again, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(again, body) {
			t.Errorf("%s: other bytes the second time: %v", name, err)
		}
	}
}

// TestRefusals: errors name missing files, and nothing is written.
func TestRefusals(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name, source, path, want string
		ctx                      context.Context
	}{
		{"no toolchain", "", t.TempDir(), "no go in the path", t.Context()},
		{"no clone", t.TempDir(), os.Getenv("PATH"), "is no clone of perfectplay", t.Context()},
		{"interrupted", "", os.Getenv("PATH"), "context canceled", canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("PATH", c.path)
			dir := filepath.Join(t.TempDir(), "public")
			_, err := Write(c.ctx, dir, c.source)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want a line about %q", err, c.want)
			}
			if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is there: %v", dir, err)
			}
		})
	}
}
