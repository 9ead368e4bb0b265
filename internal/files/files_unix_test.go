//go:build unix

package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipe: a pipe is written to, never replaced. The common case is the null device, which a
// failing test must not remove.
func TestPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("there are no named pipes here: %v", err)
	}
	if err := Writable("it", pipe); err != nil {
		t.Error(err)
	}
	if err := Replaceable("it", pipe); err == nil {
		t.Error("a pipe may be replaced")
	}
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0) // for reading and writing, so that nothing here waits
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := Write(pipe, emit("text")); err != nil {
		t.Fatal(err)
	}
	stat, err := os.Lstat(pipe)
	if err != nil || stat.Mode().Type() != os.ModeNamedPipe {
		t.Fatalf("the pipe is %v: %v", stat.Mode(), err)
	}
	got := make([]byte, 4)
	if _, err := io.ReadFull(reader, got); err != nil || string(got) != "text" {
		t.Errorf("the pipe holds %q: %v", got, err)
	}
}

// TestFullDevice: a device without room fails, even if the text fits the buffer.
func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skipf("there is no device that is always full: %v", err)
	}
	if err := Write("/dev/full", emit("text")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v, want no space left", err)
	}
}

// TestNoRoom: at the limit of file sizes the old file stays, and no other is left.
func TestNoRoom(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	if err := Write(name, emit("old")); err != nil {
		t.Fatal(err)
	}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	limit := old
	limit.Cur = 16 << 20 // enough for the log that package testing writes to a file meanwhile
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skipf("the size of files cannot be limited: %v", err)
	}
	err := Write(name, emit(string(make([]byte, limit.Cur+bufferBytes))))
	if e := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); e != nil {
		t.Fatal(e)
	}
	if !errors.Is(err, syscall.EFBIG) {
		t.Errorf("%v, want that the file is too large", err)
	}
	holds(t, dir, map[string]string{"x": "old"})
}

// TestPermissions: a new file has the permissions that the umask leaves, a replaced one keeps
// its own, and a read-only directory is refused.
func TestPermissions(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	for _, want := range []os.FileMode{0o640, 0o640, 0o666, 0o600} {
		if want != 0o640 {
			if err := os.Chmod(name, want); err != nil {
				t.Fatal(err)
			}
		}
		if err := Write(name, emit("text")); err != nil {
			t.Fatal(err)
		}
		if stat, err := os.Stat(name); err != nil || stat.Mode().Perm() != want {
			t.Errorf("the permissions are %v, want %v: %v", stat.Mode().Perm(), want, err)
		}
	}
	if os.Geteuid() == 0 {
		return // permissions do not bind the superuser
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	for _, err := range []error{Writable("it", name), MakeDir("it", dir), Write(name, emit("new"))} {
		if !errors.Is(err, os.ErrPermission) {
			t.Errorf("%v, want that it is not permitted", err)
		}
	}
	holds(t, dir, map[string]string{"x": "text"})
}

// TestPlanted: a link by another user in a directory where everybody may write is not followed. A
// link by this user is followed, and so is any link in a directory of this user.
func TestPlanted(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only the superuser can make links of others")
	}
	shared, other := t.TempDir(), t.TempDir()
	for _, x := range []struct {
		owner int
		mode  os.FileMode
		ok    bool
	}{{0, 0o777 | os.ModeSticky, true}, {1234, 0o777 | os.ModeSticky, false}, {1234, 0o755, true}} {
		if err := os.Chmod(shared, x.mode); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(shared, "link")
		if err := os.Symlink(filepath.Join(other, "victim"), link); err != nil {
			t.Fatal(err)
		}
		if err := os.Lchown(link, x.owner, x.owner); err != nil {
			t.Skipf("links cannot be given away: %v", err)
		}
		if err := Writable("it", link); (err == nil) != x.ok {
			t.Errorf("%+v: %v", x, err)
		}
		if err := Write(link, emit("text")); (err == nil) != x.ok {
			t.Errorf("%+v: %v", x, err)
		}
		f, err := Update(link, 100)
		if (err == nil) != x.ok {
			t.Errorf("%+v: %v", x, err)
		}
		f.Close()
		_, err = os.Stat(filepath.Join(other, "victim"))
		if (err == nil) != x.ok {
			t.Errorf("%+v: the file behind the link: %v", x, err)
		}
		os.Remove(link)
		os.Remove(filepath.Join(other, "victim"))
	}
	// A link in the place of a lock file is not followed either.
	if err := os.Symlink(filepath.Join(other, "victim"), filepath.Join(shared, ".x.lock")); err != nil {
		t.Fatal(err)
	}
	if _, err := Take("it", filepath.Join(shared, "x")); err == nil {
		t.Error("a lock file was opened through a link")
	}
	holds(t, other, nil)
}

// TestInPlace: a file that this process has open is written in place, by any name, and keeps
// its earlier content.
func TestInPlace(t *testing.T) {
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skipf("open files have no names here: %v", err)
	}
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "all"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	name := fmt.Sprintf("/dev/fd/%d", f.Fd())
	link := filepath.Join(dir, "link")
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("head "); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{name, link} {
		if err := Writable("it", name); err != nil || !InPlace(name) {
			t.Errorf("%s: %v", name, err)
		}
		if err := Replaceable("it", name); err == nil {
			t.Errorf("%s may be replaced", name)
		}
		if err := Write(name, emit("text ")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.WriteString("tail"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(f.Name()); err != nil || string(text) != "head text text tail" {
		t.Errorf("the file holds %q: %v", text, err)
	}
	if err := Write(fmt.Sprintf("/dev/fd/%d", writer.Fd()), emit("text")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4)
	if _, err := io.ReadFull(reader, got); err != nil || string(got) != "text" {
		t.Errorf("the pipe holds %q: %v", got, err)
	}
	if err := Write("/dev/fd/987654", emit("text")); err == nil || InPlace(filepath.Join(dir, "1")) {
		t.Errorf("a file that nobody has open: %v", err)
	}
}
