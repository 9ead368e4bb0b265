package files

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Named is a file of a command with its purpose: "the table", "x.table".
type Named struct{ What, Name string }

// Apart refuses two names of one file. It skips empty names, and files that are not regular,
// such as the null device.
func Apart(names ...Named) error {
	for i, a := range names {
		for _, b := range names[:i] {
			if a.Name != "" && b.Name != "" && same(a.Name, b.Name) {
				return fmt.Errorf("%s and %s are one file: %s", b.What, a.What, a.Name)
			}
		}
	}
	return nil
}

// same reports whether two names are, or will be, one regular file.
func same(a, b string) bool {
	statA, errA := os.Stat(a)
	statB, errB := os.Stat(b)
	switch {
	case errA == nil && errB == nil:
		return statA.Mode().IsRegular() && os.SameFile(statA, statB)
	case errA == nil || errB == nil:
		return false
	}
	return resolve(a) == resolve(b)
}

// Outside refuses names of files in a directory of a job, or below it.
func Outside(what, dir string, names ...Named) error {
	dir = resolve(dir)
	for _, n := range names {
		if n.Name == "" {
			continue
		}
		if rel, err := filepath.Rel(dir, resolve(n.Name)); err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("%s %s is inside %s", n.What, n.Name, what)
		}
	}
	return nil
}

// resolve is the absolute name, without links, of a file that need not exist.
func resolve(name string) string {
	if to, _, err := target(name); err == nil {
		name = to
	}
	name, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	rest := ""
	for dir := name; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return name
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// Open opens a regular file of at most most bytes for reading. It refuses all else before it
// reads anything: a device or a pipe might never end.
func Open(name string, most int64) (*os.File, error) {
	stat, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := bounded(name, stat, most); err != nil {
		return nil, err
	}
	return open(name, os.O_RDONLY, most)
}

// Update opens a file for reading and writing, and makes it if necessary. It refuses files that
// [Open] or [Write] refuses.
func Update(name string, most int64) (*os.File, error) {
	name, stat, err := target(name)
	if err == nil && stat != nil {
		err = bounded(name, stat, most)
	}
	if err != nil {
		return nil, err
	}
	return open(name, os.O_RDWR|os.O_CREATE|noFollow, most)
}

// open opens a file and checks its size again: another file may have taken the name.
func open(name string, flag int, most int64) (*os.File, error) {
	f, err := os.OpenFile(name, flag, 0o666)
	if err != nil {
		return nil, err
	}
	stat, err := f.Stat()
	if err == nil {
		err = bounded(name, stat, most)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func bounded(name string, stat fs.FileInfo, most int64) error {
	if !stat.Mode().IsRegular() {
		return &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	if stat.Size() > most {
		return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("%d bytes, want at most %d", stat.Size(), most)}
	}
	return nil
}

// shortened is the part of a file's name that temporary files and locks repeat: most systems
// allow 255 bytes.
func shortened(base string) string {
	const longest = 200
	if len(base) <= longest {
		return base
	}
	sum := fnv.New64a() // so that long names stay different
	sum.Write([]byte(base))
	return fmt.Sprintf("%s-%016x", strings.ToValidUTF8(base[:longest], ""), sum.Sum64())
}
