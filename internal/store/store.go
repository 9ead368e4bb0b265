// Package store keeps what a complete solution has found so far: in files of a directory, or
// in memory where there is none. A file has the frame of package blocks, appears whole or not
// at all, and its description says which job it is of, so that none is gone on with that is
// of another.
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

	"perfectplay/game"
	"perfectplay/internal/blocks"
	"perfectplay/internal/files"
)

// Job is what files are of: a part of their descriptions.
type Job struct {
	Game        string `json:"game"`
	Rules       string `json:"rules"`
	Fingerprint string `json:"fingerprint,omitempty"` // of what these names stand for
	Mark        string `json:"mark"`                  // of all else that must agree
}

// NewJob returns the job of a game by its names, its [game.Fingerprint] and all that a
// description says.
func NewJob(id, rules, fingerprint string, description any) Job {
	text, err := json.Marshal(description)
	if err != nil {
		panic("store: a description cannot be written: " + err.Error())
	}
	lo, hi := farm.Fingerprint128(text)
	return Job{id, rules, fingerprint, fmt.Sprintf("%016x%016x", hi, lo)}
}

// ErrOther is in errors about what is of another job than the one at hand.
var ErrOther = errors.New("it is of another solve")

// ErrChanged is in errors about what is of the same game and rules by name, which were others
// when it was written. It is good for nothing any more.
var ErrChanged = errors.New("it is of other rules")

// Is says why what is of a job is not of the one that is wanted.
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
	case j.Mark != want.Mark:
		return fmt.Errorf("%w: of %s, by another version of this program or another method", ErrOther, of)
	}
	return nil
}

// File is a file that is open. It is safe for concurrent use.
type File struct {
	*blocks.Reader
	io.Closer
	Name string // empty in memory
}

// Make makes a file of what fill writes and returns as its description, in memory where the
// name is empty, and opens it. An error of fill is returned as it is.
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
	text := bytes.Clone(b.Bytes()) // many are kept for long: with no room to spare
	r, err := blocks.Read(bytes.NewReader(text), uint64(len(text)), f)
	return &File{Reader: r, Closer: io.NopCloser(nil)}, err
}

// Open opens a file. Its blocks are checked when they are read. The error is fs.ErrNotExist
// where there is none.
func Open(name string, f blocks.Format) (*File, error) {
	file, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	stat, err := file.Stat()
	if err == nil {
		var r *blocks.Reader
		if r, err = blocks.Read(file, uint64(stat.Size()), f); err == nil {
			return &File{r, file, name}, nil
		}
	}
	file.Close()
	return nil, fmt.Errorf("%s: %w", name, err)
}

// List lists the files of a directory, which need not exist, whose names match a pattern:
// pattern by pattern, the last name first.
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

// Remove removes the files that [List] lists, in that order, up to the first that cannot be,
// and what killed runs have left of files with such names, written to the end or not.
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
