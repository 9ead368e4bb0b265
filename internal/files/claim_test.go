package files

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gofrs/flock"
)

// holderVariable names a file that the test binary claims and holds until its
// standard input ends.
const holderVariable = "FILES_TEST_HOLDER"

func TestMain(m *testing.M) {
	if name := os.Getenv(holderVariable); name != "" {
		if _, err := Take("it", name); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		_, _ = bufio.NewReader(os.Stdin).ReadByte()
		return
	}
	os.Exit(m.Run())
}

// TestNoLocks: on a file system without locks, or a server without a lock service, nobody is
// refused and no file stays; any other failure is an error.
func TestNoLocks(t *testing.T) {
	for errno, refused := range map[syscall.Errno]bool{syscall.ENOLCK: false, syscall.ENOSYS: false, syscall.ENOTSUP: false, syscall.EIO: true} {
		dir := t.TempDir()
		for range 2 {
			c, err := take("the job", dir, func(l *flock.Flock) (bool, error) {
				f, err := os.Create(l.Path()) // like the library, which opens the file first
				if err != nil {
					return false, err
				}
				return false, errors.Join(f.Close(), &fs.PathError{Op: "flock", Path: l.Path(), Err: errno})
			})
			if (err != nil) != refused {
				t.Errorf("%v: %v, want a refusal: %v", errno, err, refused)
			}
			c.Release()
		}
		if names, _ := os.ReadDir(dir); len(names) > 0 && !refused {
			t.Errorf("%v: %v stays", errno, names[0])
		}
	}
}

// TestTake: the claim of another process is refused with its number, also by another name of the
// same file; the claim of a killed process is taken over, and a released claim leaves nothing.
func TestTake(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skipf("the test cannot start itself: %v", err)
	}
	long := strings.Repeat("é", 127) + "x"
	for _, name := range []string{"file", "", long} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), holderVariable+"="+path)
		if _, err := cmd.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Skipf("no process can be started: %v", err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
			cmd.Process.Kill()
			t.Fatalf("%q, %v", line, err)
		}
		names := []string{path}
		if link := filepath.Join(t.TempDir(), "link"); os.Symlink(path, link) == nil {
			names = append(names, link)
		}
		for _, other := range names {
			_, err := Take("the thing", other)
			if want := fmt.Sprintf("is in use by process %d on ", cmd.Process.Pid); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "the thing ") {
				t.Errorf("%v, want that it %s", err, want)
			}
		}
		if name == long { // a longer name with the same beginning is another file
			other, err := Take("it", filepath.Join(dir, long[:len(long)-1]+"y"))
			if err != nil {
				t.Error(err)
			}
			other.Release()
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		c, err := Take("it", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Take("it", path); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d on", os.Getpid())) {
			t.Errorf("a second claim: %v", err)
		}
		c.Release()
		holds(t, dir, nil)
		if c, err = Take("it", path); err != nil {
			t.Fatal(err)
		}
		c.Release()
		holds(t, dir, nil)
	}
	(*Claim)(nil).Release()
	if _, err := Take("it", os.DevNull); err == nil {
		t.Error("a device was claimed")
	}
	if _, err := Take("it", filepath.Join(t.TempDir(), "none", "x")); err == nil {
		t.Error("a file in a directory that is not there was claimed")
	}
}

// TestSignElsewhere: a file that replaces a locked file is not written to.
func TestSignElsewhere(t *testing.T) {
	for _, how := range []func(old, name string) error{os.Symlink, os.Link} {
		dir := t.TempDir()
		c, err := Take("it", filepath.Join(dir, "x"))
		if err != nil || c == nil {
			t.Skipf("no lock here: %v", err)
		}
		other := filepath.Join(dir, "other")
		if err := os.WriteFile(other, []byte("theirs"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(c.lock.Path()); err != nil {
			t.Skipf("no open file can be removed here: %v", err)
		}
		if err := how(other, c.lock.Path()); err != nil {
			t.Skipf("there are no links here: %v", err)
		}
		c.sign()
		if text, err := os.ReadFile(other); err != nil || string(text) != "theirs" {
			t.Errorf("%q, %v: the other file was written to", text, err)
		}
		c.Release()
	}
}

func TestApart(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(in("old"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("new", in("link")); err != nil {
		t.Skipf("there are no links here: %v", err)
	}
	if err := os.Symlink(".", in("here")); err != nil {
		t.Skipf("there are no links here: %v", err)
	}
	for _, x := range []struct {
		a, b string
		same bool
	}{
		{in("old"), in("old"), true},
		{in("old"), in("new"), false},
		{in("new"), in("new"), true},
		{in("new"), in("link"), true},
		{in("new"), dir + "/none/../new", true},
		{in("new"), filepath.Join(in("here"), "new"), true},
		{in("none/new"), filepath.Join(in("here"), "none/new"), true},
		{in("new"), in("newer"), false},
		{os.DevNull, os.DevNull, false},
		{"", "", false},
	} {
		if err := Apart(Named{"the one", x.a}, Named{"the other", x.b}); (err != nil) != x.same {
			t.Errorf("%s and %s: %v", x.a, x.b, err)
		}
	}
	for name, inside := range map[string]bool{
		in("x"): true, in("none/x"): true, filepath.Join(in("here"), "x"): true, dir: true,
		filepath.Dir(dir): false, dir + "x": false, filepath.Join(dir, "..", "x"): false, "": false,
	} {
		if err := Outside("the directory", dir, Named{"it", name}); (err != nil) != inside {
			t.Errorf("%s: %v, want inside %v", name, err, inside)
		}
	}
}

// TestOpen: only regular files within the limit open.
func TestOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(name, make([]byte, 100), 0o600); err != nil {
		t.Fatal(err)
	}
	for how, open := range map[string]func(string, int64) (*os.File, error){"Open": Open, "Update": Update} {
		for most, fits := range map[int64]bool{99: false, 100: true} {
			f, err := open(name, most)
			if (err == nil) != fits {
				t.Errorf("%s: 100 bytes of at most %d: %v", how, most, err)
			}
			if err == nil {
				f.Close()
			}
		}
		for _, name := range []string{os.DevNull, t.TempDir()} {
			if _, err := open(name, 100); err == nil {
				t.Errorf("%s: %s is opened", how, name)
			}
		}
		none := filepath.Join(t.TempDir(), "none")
		f, err := open(none, 100)
		if (err == nil) != (how == "Update") {
			t.Errorf("%s: what is not there: %v", how, err)
		}
		if err == nil {
			f.Close()
		}
	}
}

// TestScratch: a scratch file has no name, and those of killed runs are removed.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".scratch.part-01234567"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Scratch(dir)
	if err != nil {
		t.Skipf("no open file can be removed here: %v", err)
	}
	defer f.Close()
	holds(t, dir, nil)
	if _, err := f.Write([]byte("text")); err != nil {
		t.Error(err)
	}
}
