package match

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"perfectplay/internal/rows"
)

// Journal is a file of finished games, one a line. A nil journal holds nothing
// and keeps nothing. One process at a time may use it.
type Journal struct {
	held map[string]Record
	file *os.File
	rows *rows.Writer[Record]
}

// Open reads the games of a file, which is made if there is none, and goes on at
// its end; a last line without its end, which a killed run leaves, is cut off. A
// file that holds anything else is refused and stays as it is.
func Open(name string) (j *Journal, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("match: journal: %w", err)
		}
	}()
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	j = &Journal{held: map[string]Record{}}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if len(whole) > 0 {
		if err := rows.Read(bytes.NewReader(whole), func(r Record) { j.held[r.key()] = r }); err != nil {
			return nil, fmt.Errorf("%s: not games of a match: %w", name, err)
		}
	} else if header := headerLine(); !bytes.HasPrefix(header, text) {
		return nil, fmt.Errorf("%s: not games of a match", name)
	}
	if j.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	j.rows = rows.NewWriter[Record](j.file)
	_, seek := j.file.Seek(int64(len(whole)), io.SeekStart)
	if err := errors.Join(seek, j.file.Truncate(int64(len(whole)))); err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	if len(whole) == 0 {
		if err := j.rows.Header(); err != nil {
			return nil, errors.Join(err, j.file.Close())
		}
	}
	return j, nil
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
	if err := j.rows.Write(r); err != nil {
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
