package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// emit returns a function that writes a text.
func emit(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// holds checks that a directory holds these files and nothing else, hidden files
// included.
func holds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := want[e.Name()]; !ok {
			t.Errorf("%s is left", e.Name())
		}
	}
	for name, text := range want {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text {
			t.Errorf("%s holds %.40q, want %.40q: %v", name, got, text, err)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	for _, text := range []string{"first", "", strings.Repeat("long", 100_000)} {
		if err := Write(name, emit(text)); err != nil {
			t.Fatal(err)
		}
		holds(t, dir, map[string]string{"x": text})
	}
}

// TestRelative: a name without a directory is in the working directory.
func TestRelative(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := Writable("it", "x"); err != nil {
		t.Error(err)
	}
	if err := Write("x", emit("text")); err != nil {
		t.Error(err)
	}
	holds(t, dir, map[string]string{"x": "text"})
}

// TestFailure: an error of emit leaves the older file and nothing
// else, before and after the buffer was written out.
func TestFailure(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	if err := Write(name, emit("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for _, size := range []int{0, 1, 10 * bufferBytes} {
		err := Write(name, func(w io.Writer) error {
			if _, err := w.Write(make([]byte, size)); err != nil {
				t.Error(err)
			}
			return broken
		})
		if err != broken {
			t.Errorf("%d bytes: %v, want the error of emit", size, err)
		}
		holds(t, dir, map[string]string{"x": "old"})
	}
}

// TestNames: names as long as the system allows are written, longer ones and
// directories refused.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("é", 127) + "x" // 255 bytes, the limit nearly everywhere
	if err := os.WriteFile(filepath.Join(dir, long), nil, 0o600); err != nil {
		t.Skipf("names end before 255 bytes here: %v", err)
	}
	if err := Write(filepath.Join(dir, long), emit("text")); err != nil {
		t.Error(err)
	}
	holds(t, dir, map[string]string{long: "text"})
	for _, name := range []string{long + "y", "none/x", ".", "", long + "/x"} {
		name = filepath.Join(dir, name)
		if err := Writable("it", name); err == nil || !strings.HasPrefix(err.Error(), "it cannot be written: ") {
			t.Errorf("%.20q may be written: %v", name, err)
		}
		if err := Write(name, emit("text")); err == nil || strings.Contains(err.Error(), ".part-") {
			t.Errorf("%.20q was written, or the error names a temporary file: %v", name, err)
		}
	}
	if err := Replaceable("it", dir); err == nil {
		t.Error("a directory may be replaced")
	}
	holds(t, dir, map[string]string{long: "text"})
}

func TestChecksLeaveNothing(t *testing.T) {
	dir := t.TempDir()
	for _, err := range []error{
		Writable("it", filepath.Join(dir, "x")),
		Replaceable("it", filepath.Join(dir, "x")),
		MakeDir("it", dir),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	holds(t, dir, nil)
	if err := MakeDir("it", filepath.Join(dir, "new", "newer")); err != nil {
		t.Error(err)
	}
	holds(t, filepath.Join(dir, "new", "newer"), nil)
}

// TestLinks: a link stays a link, even if its target does not exist yet.
func TestLinks(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	far := filepath.Join(other, "far")
	for name, to := range map[string]string{"near": "real", "twice": "near", "away": far, "round": "round"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skipf("there are no links here: %v", err)
		}
	}
	for _, name := range []string{"near", "twice", "away"} {
		if err := Writable("it", filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
		if err := Write(filepath.Join(dir, name), emit(name)); err != nil {
			t.Error(err)
		}
		if stat, err := os.Lstat(filepath.Join(dir, name)); err != nil || stat.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is %v: %v", name, stat.Mode(), err)
		}
	}
	holds(t, other, map[string]string{"far": "away"})
	if text, err := os.ReadFile(filepath.Join(dir, "real")); err != nil || string(text) != "twice" {
		t.Errorf("the file behind two links holds %q: %v", text, err)
	}
	if err := Write(filepath.Join(dir, "round"), emit("")); err == nil {
		t.Error("a link to itself was written")
	}
}

// TestAbandoned: the next run removes the temporary files of a killed run, and nothing else:
// not one being written, nor files with similar names.
func TestAbandoned(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	similar := map[string]string{".x.part-0123456": "", ".x.part-0123456g": "", ".xx.part-01234567": "", "x.part-01234567": "", ".x.part-": ""}
	for n := range similar {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".x.part-01234567"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := Write(name, func(w io.Writer) error {
		if err := Write(name, emit("inner")); err != nil {
			return err
		}
		return emit("outer")(w)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"x": "outer"}
	for n := range similar {
		want[n] = ""
	}
	holds(t, dir, want)
	if err := os.WriteFile(filepath.Join(dir, ".x.part-01234567"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := Remove(name); err != nil {
			t.Error(err)
		}
		delete(want, "x")
		holds(t, dir, want)
	}
}

// TestConcurrent: at any time the file is the whole output of one of the writers.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	texts := map[string]bool{}
	var writers sync.WaitGroup
	for c := byte('a'); c < 'e'; c++ {
		text := strings.Repeat(string(c), 3*bufferBytes)
		texts[text] = true
		writers.Go(func() {
			for range 20 {
				if err := Write(name, emit(text)); err != nil {
					t.Error(err)
					return
				}
				for range 20 { // concurrent checks do not disturb each other
					if err := Writable("it", name); err != nil {
						t.Error(err)
						return
					}
				}
				if got, err := os.ReadFile(name); err != nil || len(got) != len(text) {
					t.Errorf("%d bytes: %v", len(got), err)
				}
			}
		})
	}
	writers.Wait()
	got, err := os.ReadFile(name)
	if err != nil || !texts[string(got)] {
		t.Errorf("%d bytes that nobody wrote: %v", len(got), err)
	}
	holds(t, dir, map[string]string{"x": string(got)})
}
