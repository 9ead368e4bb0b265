//go:build unix

package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSpecialFiles: links and pipes are written to, never replaced. The common case is the null
// device, which a failing test must not remove.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	pipe, real, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "real"), filepath.Join(dir, "mem.pprof")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("there are no named pipes here: %v", err)
	}
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0) // for reading and writing, so that nothing here waits
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := os.WriteFile(real, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pipe, link} {
		before, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := output(t, "-o", name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		after, err := os.Lstat(name)
		if err != nil || after.Mode().Type() != before.Mode().Type() {
			t.Errorf("%s was %v and is %v: %v", name, before.Mode(), after.Mode(), err)
		}
	}
	// The same holds for profiles, which are written after the answer.
	text, err := os.ReadFile(real)
	if err != nil || string(text) != "# x\ntext\n" {
		t.Errorf("the file behind the link holds %q: %v", text, err)
	}
	if err := profiled(func() error { return nil }, "--force", "--profile", "heap", "--profile-dir", dir); err != nil {
		t.Error(err)
	}
	if text, err = os.ReadFile(real); err != nil || strings.HasPrefix(string(text), "#") {
		t.Errorf("no profile in the file behind the link: %v", err)
	}
	got := make([]byte, len("text\n"))
	if info, err := os.Lstat(pipe); err == nil && info.Mode().Type() == os.ModeNamedPipe {
		if _, err := io.ReadFull(reader, got); err != nil || string(got) != "text\n" {
			t.Errorf("the pipe holds %q: %v", got, err)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 3 {
		t.Errorf("%d files, want 3", len(files))
	}
}
