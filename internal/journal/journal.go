// Package journal keeps the finished games of a match in a file, from which a stopped match
// continues, see [Open].
package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"perfectplay/internal/files"
	"perfectplay/internal/rows"
)

// Journal is a file of finished games, records of T, one a line in the form of package rows. A
// nil journal is empty and stores nothing. One process at a time may use it.
type Journal[T any] struct {
	key  func(T) string
	held map[string]T
	file *os.File
	rows *rows.Writer[T]
}

// ErrOther is in the error about a journal of a match with other rules.
var ErrOther = errors.New("the journal is of another match")

const maxJournal = 1 << 28 // bytes; a game takes less than a kilobyte

var errNone = errors.New("not games of a match")

// Open reads the games of a file, which it makes if necessary, and appends to it; it cuts off
// the incomplete last line of a killed run. It refuses any other file and leaves it unchanged.
// key names a game within its match.
func Open[T any](name string, key func(T) string) (j *Journal[T], err error) {
	file, err := files.Update(name, maxJournal)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	j = &Journal[T]{key: key, held: map[string]T{}, file: file, rows: rows.NewWriter[T](file)}
	if err := j.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("journal: %s: %w", name, err), file.Close())
	}
	return j, nil
}

func (j *Journal[T]) open() error {
	header := []byte(rows.Header[T]())
	text, err := io.ReadAll(j.file)
	if err != nil {
		return err
	}
	if len(text) < len(header) { // a new file, or one whose run was killed at once
		if !bytes.HasPrefix(header, text) {
			return errNone
		}
		if err := j.end(0); err != nil {
			return err
		}
		return j.rows.Header()
	}
	if !bytes.HasPrefix(text, header) {
		return errNone
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if err := rows.Read(bytes.NewReader(whole), func(r T) { j.held[j.key(r)] = r }); err != nil {
		return fmt.Errorf("%w: %w", errNone, err)
	}
	if rest := text[len(whole):]; len(rest) >= 1<<16 || bytes.IndexByte(rest, 0) >= 0 {
		return fmt.Errorf("%w: its last line is not the beginning of one", errNone)
	}
	return j.end(int64(len(whole)))
}

// end cuts the file at an offset, where the next game is written.
func (j *Journal[T]) end(at int64) error {
	if err := j.file.Truncate(at); err != nil {
		return err
	}
	_, err := j.file.Seek(at, io.SeekStart)
	return err
}

// Game completes a game with the key of r: from the journal, if it has the game and fits accepts
// it, or else by play, and then adds it to the journal.
func (j *Journal[T]) Game(r *T, fits func(old *T) error, play func() error) error {
	if j == nil {
		return play()
	}
	if old, ok := j.held[j.key(*r)]; ok {
		if err := fits(&old); err != nil {
			return err
		}
		*r = old
		return nil
	}
	if err := play(); err != nil {
		return err
	}
	return j.add(*r)
}

// add appends games, and returns when they are on the disk.
func (j *Journal[T]) add(games ...T) (err error) {
	for _, r := range games {
		err = errors.Join(err, j.rows.Write(r))
	}
	if err = errors.Join(err, j.file.Sync()); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// Fill writes games that were played elsewhere. It refuses a journal with games: they may be of
// another match.
func (j *Journal[T]) Fill(games []T) error {
	if j == nil {
		return nil
	}
	if len(j.held) > 0 {
		return fmt.Errorf("journal: %s: it holds games already", j.file.Name())
	}
	return j.add(games...)
}

// Close closes the file.
func (j *Journal[T]) Close() error {
	if j == nil {
		return nil
	}
	return j.file.Close()
}
