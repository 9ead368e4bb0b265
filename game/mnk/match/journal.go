package match

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"perfectplay/internal/files"
	"perfectplay/internal/rows"
)

// Journal is a file of finished games, one a line. A nil journal holds nothing
// and keeps nothing. One process at a time may use it.
type Journal struct {
	held map[string]Record
	file *os.File
	rows *rows.Writer[Record]
}

// maxJournal bounds a journal; a game takes less than a kilobyte.
const maxJournal = 1 << 28

// errNone is the reason to refuse a file that holds anything but games.
var errNone = errors.New("not games of a match")

// Open reads the games of a file, which is made if there is none, and goes on at
// its end; the beginning of a last line, which a killed run leaves, is cut off. A
// file that holds anything else is refused and stays as it is.
func Open(name string) (j *Journal, err error) {
	file, err := files.Update(name, maxJournal)
	if err != nil {
		return nil, fmt.Errorf("match: journal: %w", err)
	}
	j = &Journal{held: map[string]Record{}, file: file, rows: rows.NewWriter[Record](file)}
	if err := j.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("match: journal: %s: %w", name, err), file.Close())
	}
	return j, nil
}

func (j *Journal) open() error {
	header := headerLine()
	text := make([]byte, len(header))
	n, err := io.ReadFull(j.file, text)
	if n < len(header) { // nothing, or a run that was killed at once
		if err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		if !bytes.HasPrefix(header, text[:n]) {
			return errNone
		}
		if err := j.end(0); err != nil {
			return err
		}
		return j.rows.Header()
	}
	if !bytes.Equal(text, header) {
		return errNone
	}
	rest, err := io.ReadAll(j.file)
	if err != nil {
		return err
	}
	text = append(text, rest...)
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if err := rows.Read(bytes.NewReader(whole), func(r Record) { j.held[r.key()] = r }); err != nil {
		return fmt.Errorf("%w: %w", errNone, err)
	}
	if !begun(text[len(whole):]) {
		return fmt.Errorf("%w: its last line is not the beginning of one", errNone)
	}
	return j.end(int64(len(whole)))
}

// begun reports whether a line without its end may be the beginning of a game.
func begun(line []byte) bool {
	id := []byte("mnk-")
	return len(line) < 1<<16 && bytes.HasPrefix(line, id[:min(len(id), len(line))]) && bytes.IndexByte(line, 0) < 0
}

// end has the next game written at an offset, and nothing behind it.
func (j *Journal) end(at int64) error {
	if err := j.file.Truncate(at); err != nil {
		return err
	}
	_, err := j.file.Seek(at, io.SeekStart)
	return err
}

// headerLine is the first line of a journal.
func headerLine() []byte {
	var b bytes.Buffer
	_ = rows.NewWriter[Record](&b).Header() // a buffer takes everything
	return b.Bytes()
}

// find returns the game of a record's name.
func (j *Journal) find(r *Record) (old Record, ok bool) {
	if j == nil {
		return old, false
	}
	old, ok = j.held[r.key()]
	return old, ok
}

// add appends a game.
func (j *Journal) add(r Record) error {
	if j == nil {
		return nil
	}
	if err := errors.Join(j.rows.Write(r), j.file.Sync()); err != nil {
		return fmt.Errorf("match: journal: %w", err)
	}
	return nil
}

// Close closes the file.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return j.file.Close()
}
