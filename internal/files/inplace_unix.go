//go:build linux || darwin || freebsd

package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// number returns the number of the open file of this process that a name stands for, such as
// /dev/stdout or /dev/fd/3, following links to it; -1 for other names.
func number(name string) int {
	own := fmt.Sprintf("/proc/%d/fd", os.Getpid())
	for range 40 {
		dir, err := filepath.EvalSymlinks(filepath.Dir(name))
		if err != nil {
			return -1
		}
		if n, err := strconv.Atoi(filepath.Base(name)); err == nil && n >= 0 && (dir == own || dir == "/dev/fd") {
			return n
		}
		to, err := os.Readlink(name)
		if err != nil {
			return -1
		}
		if name = to; !filepath.IsAbs(to) {
			name = filepath.Join(dir, to)
		}
	}
	return -1
}

// InPlace reports whether a name stands for a file that this process has open, which is written at
// its current position.
func InPlace(name string) bool { return number(name) >= 0 }

// readers bounds the wait for the reader of a named pipe.
const readers = 10 * time.Second

// openInPlace opens a file that is written in place: an open file, a pipe or a device.
func openInPlace(name string, kind fs.FileMode) (*os.File, error) {
	if n := number(name); n >= 0 {
		again, err := syscall.Dup(n)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		syscall.CloseOnExec(again)
		return os.NewFile(uintptr(again), name), nil
	}
	if kind&fs.ModeNamedPipe == 0 {
		return os.OpenFile(name, os.O_WRONLY, 0)
	}
	for until := time.Now().Add(readers); ; time.Sleep(10 * time.Millisecond) {
		f, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		switch {
		case !errors.Is(err, syscall.ENXIO):
			return f, err
		case time.Now().After(until):
			return nil, &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("nobody reads this pipe for %v", readers)}
		}
	}
}
