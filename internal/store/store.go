// Package store keeps the progress of a complete solution, in files of a directory or in memory. A
// file is a container of package blocks, appears whole or not at all, and its description names its
// job: a file of another job is never resumed.
package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dgryski/go-farm"
	"github.com/klauspost/compress/zstd"

	"perfectplay/game"
	"perfectplay/internal/blocks"
	"perfectplay/internal/files"
)

// Job identifies the solve that a file belongs to; it is a part of the file's description.
type Job struct {
	Game        string `json:"game"`
	Rules       string `json:"rules"`
	Fingerprint string `json:"fingerprint,omitempty"` // fingerprint of the game with these rules
	Mark        string `json:"mark"`                  // a digest of all else that must agree
}

// NewJob returns the job of a game by its names, its [game.Fingerprint] and a description of all
// else that must agree.
func NewJob(id, rules, fingerprint string, description any) Job {
	text, err := json.Marshal(description)
	if err != nil {
		panic("store: a description cannot be written: " + err.Error())
	}
	lo, hi := farm.Fingerprint128(text)
	return Job{id, rules, fingerprint, fmt.Sprintf("%016x%016x", hi, lo)}
}

// ErrOther is wrapped by errors about files of another job.
var ErrOther = errors.New("it belongs to another solve")

// ErrChanged is wrapped by errors about files of a game or rules that have changed under the same
// names.
var ErrChanged = errors.New("it belongs to other rules")

// Is returns an error unless j is the wanted job. An empty mark of the wanted job matches any mark.
func (j Job) Is(want Job) error {
	of := j.Game
	if j.Rules != "" {
		of += " under rules " + j.Rules
	}
	switch {
	case j.Game != want.Game || j.Rules != want.Rules:
		return fmt.Errorf("%w: of %s", ErrOther, of)
	case j.Fingerprint != want.Fingerprint:
		return fmt.Errorf("%w: of %s, but %s have changed since", ErrChanged, of, game.Changed(j.Fingerprint, want.Fingerprint))
	case want.Mark != "" && j.Mark != want.Mark:
		return fmt.Errorf("%w: of %s, by another version of this program or another method", ErrOther, of)
	}
	return nil
}

// File is an open file. It is safe for concurrent use.
type File struct {
	*blocks.Reader
	io.Closer
	Name  string // empty for a file in memory
	Bytes int    // size of a file in memory
}

// Make makes a file of the blocks that fill writes and the description that it returns, in memory
// if the name is empty, and opens it. An error of fill is returned unchanged.
func Make(name string, f blocks.Format, fill func(w *blocks.Writer) (description any, err error)) (*File, error) {
	emit := func(out io.Writer) error {
		w, err := blocks.NewWriter(out, f)
		if err != nil {
			return err
		}
		description, err := fill(w)
		if err != nil {
			return err
		}
		return w.Close(description)
	}
	if name != "" {
		if err := files.Write(name, emit); err != nil {
			return nil, err
		}
		return Open(name, f)
	}
	var b bytes.Buffer
	if err := emit(&b); err != nil {
		return nil, err
	}
	text := bytes.Clone(b.Bytes()) // a copy without spare capacity: many files stay in memory for long
	r, err := blocks.Read(bytes.NewReader(text), uint64(len(text)), f)
	return &File{Reader: r, Closer: io.NopCloser(nil), Bytes: len(text)}, err
}

// Open opens a file; a missing one gives fs.ErrNotExist. Blocks are checked when they are
// read.
func Open(name string, f blocks.Format) (*File, error) {
	file, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	stat, err := file.Stat()
	if err == nil {
		var r *blocks.Reader
		if r, err = blocks.Read(file, uint64(stat.Size()), f); err == nil {
			return &File{Reader: r, Closer: file, Name: name}, nil
		}
	}
	file.Close()
	return nil, fmt.Errorf("%s: %w", name, err)
}

// Write makes a file of blocks of at most most bytes, which put compresses and appends.
func Write(name string, f blocks.Format, most int, fill func(put func(raw []byte) error) (description any, err error)) error {
	file, err := Make(name, f, func(w *blocks.Writer) (any, error) {
		zip, zipped := blocks.NewEncoder(1, most, zstd.SpeedFastest), []byte(nil)
		return fill(func(raw []byte) error {
			zipped = zip.EncodeAll(raw, zipped[:0])
			return w.Append(zipped)
		})
	})
	if err != nil {
		return err
	}
	return file.Close()
}

// Read reads a file that [Write] made. A missing one gives fs.ErrNotExist.
func Read(name string, f blocks.Format, most int, read func(*blocks.Unpacker) error) error {
	file, err := Open(name, f)
	if err != nil {
		return err
	}
	defer file.Close()
	u := blocks.NewUnpacker(file.Reader, most)
	defer u.Close()
	if err := read(u); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// State is the files that keep a solve in a directory.
type State struct {
	Dir   string
	Job   Job
	Kinds []Kind // kinds of files, in the order of removal
}

type Kind struct {
	Pattern string
	Format  blocks.Format
}

// Saved says whether the directory has files of a solve. The error names a file of another job, see
// [ErrOther], or else a damaged file.
func (s State) Saved() (saved bool, wrong error) {
	for _, k := range s.Kinds {
		names, err := List(s.Dir, k.Pattern)
		if err != nil {
			return false, err
		}
		for _, name := range names {
			saved = true
			if err := k.check(name, s.Job); err != nil && (wrong == nil || errors.Is(err, ErrOther)) {
				wrong = fmt.Errorf("the %s %w", k.Format.What, err)
			}
		}
	}
	return saved, wrong
}

func (k Kind) check(name string, want Job) error {
	f, err := Open(name, k.Format)
	if err != nil {
		return err
	}
	defer f.Close()
	var have struct{ Job }
	if err = f.Describe(&have); err == nil {
		err = have.Is(want)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Discard removes the files, even if they are damaged, but none if one belongs to another game or
// rule set.
func (s State) Discard() error {
	if _, err := s.Saved(); errors.Is(err, ErrOther) {
		return err
	}
	return s.Remove()
}

// Remove removes the files. Call it once the result is safe.
func (s State) Remove() error {
	for _, k := range s.Kinds {
		if err := Remove(s.Dir, k.Pattern); err != nil {
			return err
		}
	}
	return nil
}

// List lists the files of a directory, which need not exist, whose names match a pattern: pattern
// by pattern, the last name first.
func List(dir string, patterns ...string) (list []string, err error) {
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(quote.Replace(dir), pattern))
		if err != nil {
			return nil, err
		}
		slices.Reverse(names)
		list = append(list, names...)
	}
	return list, nil
}

var quote = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// Remove removes the files that [List] lists, in that order, and the files left by killed runs. It
// stops at a file that it cannot remove.
func Remove(dir string, patterns ...string) error {
	for _, pattern := range patterns {
		names, err := List(dir, pattern)
		if err != nil {
			return err
		}
		parts, err := List(dir, "."+pattern+".part-*")
		if err != nil {
			return err
		}
		for _, part := range parts {
			name := filepath.Base(part)[1:]
			names = append(names, filepath.Join(dir, name[:strings.LastIndex(name, ".part-")]))
		}
		for _, name := range names {
			if err := files.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}
