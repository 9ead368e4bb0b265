package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Claim is the sole use of a file or a directory by this process, until it is released or the
// process ends. The nil Claim holds nothing.
type Claim struct {
	lock *flock.Flock
}

// ErrInUse is wrapped by the error of [Take] if another process has the file.
var ErrInUse = errors.New("in use")

// holder is the content of a lock file: the process that holds it.
type holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

// Take claims a file, which need not exist, or a directory. If another process has it, the error
// names file, with the word what, and process: "the checkpoint x is in use by process 12 on …".
//
// The claim is a locked file: .NAME.lock beside a file, .lock in a directory. A killed process
// leaves the file unlocked, and the next claim takes it over. On file systems without locks,
// and on NFS without a lock service, Take claims nothing, refuses nobody and leaves no file.
func Take(what, name string) (*Claim, error) {
	return take(what, name, (*flock.Flock).TryLock)
}

// take is [Take] with a function that locks a file, or reports that another process has it.
func take(what, name string, try func(*flock.Flock) (bool, error)) (*Claim, error) {
	path, err := lockFile(name)
	if err != nil {
		return nil, fmt.Errorf("%s %s cannot be locked: %w", what, name, err)
	}
	for {
		l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(0o666))
		switch got, err := try(l); {
		case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
			os.Remove(path) // without locks no process holds the file
			return nil, nil
		case err != nil:
			return nil, fmt.Errorf("%s %s cannot be locked: %w", what, name, err)
		case !got:
			return nil, fmt.Errorf("%s %s is %w by %s", what, name, ErrInUse, heldBy(path))
		}
		named, err := os.Lstat(path)
		if own, e := l.Stat(); err == nil && e == nil && os.SameFile(named, own) {
			c := &Claim{l}
			c.sign()
			return c, nil
		}
		l.Close() // the last holder has removed this file: try again
	}
}

// lockFile is the name of the lock of a file or directory; two names of one file have the same.
func lockFile(name string) (string, error) {
	if stat, err := os.Stat(name); err == nil && stat.IsDir() {
		return filepath.Join(name, ".lock"), nil
	}
	name, stat, err := target(name)
	if err == nil && stat != nil {
		err = bounded(name, stat, math.MaxInt64)
	}
	if err != nil {
		return "", err
	}
	dir, base := filepath.Split(name)
	return filepath.Join(dir, "."+shortened(base)+".lock"), nil
}

// sign writes the holder of a claim. It is for people only: an error changes nothing. The first
// byte is the one that Windows locks against readers.
func (c *Claim) sign() {
	host, _ := os.Hostname()
	text, err := json.Marshal(holder{os.Getpid(), host, time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return
	}
	f, err := os.OpenFile(c.lock.Path(), os.O_WRONLY|noFollow, 0)
	if err != nil {
		return
	}
	defer f.Close()
	// Another user of the directory may have replaced the file by now.
	opened, err := f.Stat()
	if own, e := c.lock.Stat(); err != nil || e != nil || !os.SameFile(opened, own) {
		return
	}
	if f.Truncate(0) == nil {
		_, _ = f.Write(append([]byte{'\n'}, text...))
	}
}

func heldBy(path string) string {
	for range 10 {
		if f, err := os.Open(path); err == nil {
			text := make([]byte, 1024)
			n, _ := f.ReadAt(text, 1)
			f.Close()
			var h holder
			if json.Unmarshal(text[:n], &h) == nil && h.PID > 0 {
				return fmt.Sprintf("process %d on %s since %s", h.PID, h.Host, h.Since.Format(time.RFC3339))
			}
		}
		time.Sleep(10 * time.Millisecond) // another process has locked the file but not yet written its number
	}
	return "another process"
}

// Release ends a claim and removes its file.
func (c *Claim) Release() {
	if c == nil {
		return
	}
	if runtime.GOOS == "windows" { // Windows removes no open file
		c.lock.Close()
		os.Remove(c.lock.Path())
		return
	}
	os.Remove(c.lock.Path()) // removed while locked; if that fails the next claim takes the file over
	c.lock.Close()
}
