package strong

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"perfectplay/game/halma"
	"perfectplay/internal/files"
)

// ErrOther is in the error about a checkpoint that is not of the game, the rules
// or the kind of table that is to be solved.
var ErrOther = errors.New("the checkpoint is of another solve")

// Saved reports whether a directory holds a checkpoint of a game, for a table with
// distances or without: a solve goes on from it. One of another game, of other
// rules or of the other kind is refused with [ErrOther], one of another version of
// this program and what is no checkpoint with another error. Only the description
// is read.
func Saved(dir string, t *halma.TwoArmy, distances bool) (bool, error) {
	name := filepath.Join(dir, checkpointName)
	head, err := readHead(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil || head.Game == "":
		return false, fmt.Errorf("strong: checkpoint %s: it is damaged or no checkpoint: %v", name, err)
	case head.Game != t.ID || head.Rules != t.Rules || head.ByPly != distances:
		return false, fmt.Errorf("strong: %s: %w: of %s under rules %s, %s", name, ErrOther, head.Game, head.Rules, kindOf(head.ByPly))
	case head.Format != checkpointFormat:
		return false, fmt.Errorf("strong: checkpoint %s: its format is %d, this version reads %d", name, head.Format, checkpointFormat)
	case head.Mark != mark(t):
		return false, fmt.Errorf("strong: %s: %w: of %s under rules %s as another version of this program has them", name, ErrOther, head.Game, head.Rules)
	}
	return true, nil
}

func kindOf(distances bool) string {
	if distances {
		return "with distances"
	}
	return "without distances"
}

// readHead reads the first line of a checkpoint.
func readHead(name string) (head checkpointHead, err error) {
	f, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return head, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return head, err
	}
	defer z.Close()
	// Older versions had longer lines.
	err = json.NewDecoder(io.LimitReader(z, 256*maxHead)).Decode(&head)
	return head, err
}

// Discard removes the checkpoint of a directory, if there is one, of whatever
// version and however damaged, but none that says it is of another solve.
func Discard(dir string, t *halma.TwoArmy, distances bool) error {
	if _, err := Saved(dir, t, distances); errors.Is(err, ErrOther) {
		return err
	}
	return RemoveCheckpoint(dir)
}

// CheckpointFile is where the checkpoint of a directory is.
func CheckpointFile(dir string) string { return filepath.Join(dir, checkpointName) }
