package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// WriteFile writes what emit emits to a file. The file takes its name only once
// emit has succeeded and all is on the disk; until then what it held stays. A
// link stays a link, and what is no regular file, such as a pipe or the null
// device, is written to as it is and never replaced.
func WriteFile(name string, emit func(w io.Writer) error) (err error) {
	name, special := target(name)
	var f *os.File
	if special {
		f, err = os.OpenFile(name, os.O_WRONLY, 0)
	} else {
		f, err = os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-")
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			if !special {
				os.Remove(f.Name())
			}
		}
	}()
	w := bufio.NewWriter(f)
	if err := emit(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if special {
		return f.Close()
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// Writable refuses a file that [WriteFile] could not write, for the time before
// the work begins. It leaves no trace.
func Writable(name string) error {
	name, special := target(name)
	if special {
		return nil // opening a pipe could wait for its reader
	}
	if stat, err := os.Stat(name); err == nil && stat.IsDir() {
		return &os.PathError{Op: "write", Path: name, Err: syscall.EISDIR}
	}
	if err := WritableDir(filepath.Dir(name)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Replaceable refuses a file that cannot be written anew under a temporary name,
// and what is no file, such as the null device, which a rename would replace.
// The error says what was to be written.
func Replaceable(what, name string) error {
	if stat, err := os.Stat(name); err == nil && !stat.Mode().IsRegular() {
		return fmt.Errorf("%s cannot be written: %s is not a regular file", what, name)
	}
	return CannotWrite(what, Writable(name))
}

// CannotWrite says of what is to be written why it cannot be, if there is an
// error.
func CannotWrite(what string, err error) error {
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", what, err)
	}
	return nil
}

// WritableDir refuses a directory in which no file can be made. It leaves no
// trace.
func WritableDir(dir string) error {
	trial, err := os.CreateTemp(dir, ".solve-")
	if err != nil {
		return err
	}
	trial.Close()
	return os.Remove(trial.Name())
}

// target follows links and reports whether what a name stands for is neither a
// regular file nor a directory.
func target(name string) (resolved string, special bool) {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to
	}
	stat, err := os.Stat(name)
	return name, err == nil && !stat.Mode().IsRegular() && !stat.IsDir()
}
