// Package files writes files whole or not at all, by [Write]. Before long work the checks
// [Writable], [Replaceable], [MakeDir], [Apart] and [Outside] refuse files that could not be
// written after it, and [Take] claims a file or a directory for one process.
//
// Until a file is complete and on the disk it stands beside its target under a temporary name,
// .NAME.part-RANDOM, locked by the process that writes it. The lock ends with the process: the
// next [Write] of the target removes the files of killed runs.
package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

const bufferBytes = 64 << 10

// Write writes the output of emit to a file. The file takes its name only once emit has
// succeeded and all is on the disk; until then, and after an error, the name stands for the old
// file. A replaced file keeps its permissions, and a link its name: its target is replaced.
// Write writes in place to a file that is not regular, such as a pipe or the null device, and to
// an open file by a name such as /dev/stdout. For the reader of a named pipe it waits ten
// seconds. It returns an error of emit unchanged.
func Write(name string, emit func(w io.Writer) error) (err error) {
	name, stat, err := target(name)
	if err != nil {
		return err
	}
	if stat != nil && special(name, stat) {
		f, err := openInPlace(name, stat.Mode())
		if err != nil {
			return err
		}
		defer f.Close()
		return fill(f, emit)
	}
	removeAbandoned(name)
	f, err := create(name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if stat != nil {
		if err := f.Chmod(stat.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := fill(f, emit); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if runtime.GOOS == "windows" { // Windows cannot rename an open file
		if err := f.Close(); err != nil {
			return err
		}
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	f.Close() // close only now: the lock must last as long as the temporary name
	return syncDir(filepath.Dir(name))
}

// special reports whether a file is written in place.
func special(name string, stat fs.FileInfo) bool { return !stat.Mode().IsRegular() || InPlace(name) }

// fill writes the output of emit through a buffer.
func fill(f *os.File, emit func(w io.Writer) error) error {
	w := bufio.NewWriterSize(f, bufferBytes)
	if err := emit(w); err != nil {
		return err
	}
	return w.Flush()
}

// syncDir flushes the names of a directory to the disk, if the system can.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		return nil
	}
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil // a directory may be writable but not readable
	}
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil // the file system cannot flush a directory
}

// Scratch makes a file without a name in a directory, which disappears when it is closed or the
// process ends. It removes scratch files of killed runs.
func Scratch(dir string) (*os.File, error) {
	name := filepath.Join(dir, "scratch")
	removeAbandoned(name)
	f, err := create(name)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Remove removes a file, if there is one, and temporary files of killed runs.
func Remove(name string) error {
	removeAbandoned(name)
	return remove(name)
}

// remove removes a file, if there is one.
func remove(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Writable refuses a file that [Write] could not write, and leaves no trace. what names the file
// in the error: "the plot cannot be written: …".
func Writable(what, name string) error {
	return cannotWrite(what, writable(name))
}

// Replaceable is [Writable] for files that are read again by position: it refuses files that
// are not regular, such as the null device.
func Replaceable(what, name string) error {
	if stat, err := os.Stat(name); err == nil && special(name, stat) {
		return cannotWrite(what, fmt.Errorf("%s is not a regular file", name))
	}
	return Writable(what, name)
}

// MakeDir makes a directory, unless it exists, and refuses it if no file can be made there.
func MakeDir(what, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return cannotWrite(what, err)
	}
	return Writable(what, filepath.Join(dir, "trial"))
}

func cannotWrite(what string, err error) error {
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", what, err)
	}
	return nil
}

func writable(name string) error {
	name, stat, err := target(name)
	if err != nil {
		return err
	}
	if stat != nil && special(name, stat) {
		return nil // opening a pipe could wait for its reader
	}
	removeAbandoned(name)
	f, err := create(name)
	if err != nil {
		return err
	}
	f.Close()               // close first: Windows removes no open file
	return remove(f.Name()) // no error if another process has removed the file
}

// target follows links and returns the file that a name stands for, nil if there is none yet. A
// link to an open file without another name stands for that file. It refuses a directory, links
// that the system does not follow, and links by another user in a directory where everybody may
// write.
func target(name string) (resolved string, stat fs.FileInfo, err error) {
	end, err := os.Stat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return name, nil, err
	}
	for {
		stat, err = os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return name, nil, nil
		}
		if err != nil {
			return name, nil, err
		}
		if stat.IsDir() {
			return name, nil, &fs.PathError{Op: "write", Path: name, Err: syscall.EISDIR}
		}
		if !stat.Mode().IsRegular() && planted(name, stat) {
			return name, nil, &fs.PathError{Op: "write", Path: name, Err: errors.New("it belongs to another user, in a directory where everybody may write")}
		}
		if stat.Mode()&fs.ModeSymlink == 0 {
			return name, stat, nil
		}
		if end != nil && (InPlace(name) || !end.Mode().IsRegular() && !end.IsDir() && broken(name)) {
			return name, end, nil
		}
		if name, err = readLink(name); err != nil {
			return name, nil, err
		}
	}
}

// readLink returns the file that a link names; the name of the link after an error.
func readLink(name string) (string, error) {
	to, err := os.Readlink(name)
	if err != nil {
		return name, err
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(name), to)
	}
	return to, nil
}

// broken reports whether the text of a link leads nowhere, such as pipe:[7].
func broken(name string) bool {
	to, err := readLink(name)
	if err == nil {
		_, err = os.Lstat(to)
	}
	return err != nil
}

// prefix is the beginning of the temporary names of a target.
func prefix(base string) string { return "." + shortened(base) + ".part-" }

// create makes and locks a temporary file beside its target. Errors name the
// target.
func create(name string) (*os.File, error) {
	dir, base := filepath.Split(name)
	for {
		temporary := filepath.Join(dir, fmt.Sprintf("%s%08x", prefix(base), rand.Uint32()))
		f, err := os.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			if path, ok := errors.AsType[*fs.PathError](err); ok {
				err = &fs.PathError{Op: "create", Path: name, Err: path.Err}
			}
			return nil, err
		}
		lock(f)
		if still, err := os.Lstat(temporary); err == nil {
			if stat, err := f.Stat(); err == nil && os.SameFile(still, stat) {
				return f, nil
			}
		}
		f.Close() // another process took the file for abandoned and removed it before it was locked
	}
}

// IsPart reports whether a name is a temporary name of a file in the same directory.
func IsPart(name, base string) bool {
	random, ok := strings.CutPrefix(name, prefix(base))
	return ok && len(random) == 8 && strings.Trim(random, "0123456789abcdef") == ""
}

// removeAbandoned removes temporary files of a target that no process holds, if it can.
func removeAbandoned(name string) {
	dir, base := filepath.Split(name)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return
	}
	for _, e := range entries {
		if !IsPart(e.Name(), base) || !e.Type().IsRegular() {
			continue
		}
		temporary := filepath.Join(dir, e.Name())
		f, err := os.OpenFile(temporary, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if tryLock(f) {
			os.Remove(temporary)
		}
		f.Close()
	}
}
