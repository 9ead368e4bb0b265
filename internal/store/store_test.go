package store

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"perfectplay/internal/blocks"
)

var toy = blocks.Format{What: "toy", Magic: "perfectplay toy 1\n", Family: "perfectplay toy", MaxBlock: 100, MaxDescription: 1 << 10}

// TestFiles: a file and one in memory read the same, and an incomplete one leaves nothing behind.
func TestFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "odd [name]*")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "toy-1")
	job := NewJob("game", "rules", "1-2-3", []int{1})
	zip := blocks.NewEncoder(1, 100, zstd.SpeedFastest)
	one := zip.EncodeAll([]byte("one"), nil)
	for _, name := range []string{"", name} {
		f, err := Make(name, toy, func(w *blocks.Writer) (any, error) {
			return job, errors.Join(w.Append(one), w.Append(nil))
		})
		if err != nil {
			t.Fatal(err)
		}
		var have Job
		if err := f.Describe(&have); err != nil || have != job || f.Name != name || f.Blocks() != 2 {
			t.Errorf("%+v in %q with %d blocks, %v", have, f.Name, f.Blocks(), err)
		}
		if b, err := f.Block(0, math.MaxUint32, nil); err != nil || !bytes.Equal(b, one) {
			t.Errorf("%q, %v", b, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	failed := errors.New("failed")
	other := filepath.Join(dir, "toy-2")
	if _, err := Make(other, toy, func(*blocks.Writer) (any, error) { return nil, failed }); err != failed {
		t.Errorf("%v", err)
	}
	if _, err := Open(other, toy); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not written: %v", err)
	}
	if list, err := List(dir, "toy-*", "none"); err != nil || len(list) != 1 || list[0] != name {
		t.Errorf("%v, %v", list, err)
	}
	// A killed run has left the beginning of a file, and nothing else.
	if err := os.WriteFile(filepath.Join(dir, ".toy-3.part-0123abcd"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Remove(dir, "toy-?"); err != nil {
		t.Error(err)
	}
	if list, err := List(dir, "*", ".*"); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// TestJobs: jobs differ by game, by rules and by all else in their descriptions.
func TestJobs(t *testing.T) {
	job := NewJob("game", "rules", "1-2-3", []int{1})
	if err := job.Is(NewJob("game", "rules", "1-2-3", []int{1})); err != nil {
		t.Error(err)
	}
	for _, other := range []Job{NewJob("game 2", "rules", "1-2-3", []int{1}), NewJob("game", "rules 2", "1-2-3", []int{1}), NewJob("game", "rules", "1-2-3", []int{2})} {
		if err := other.Is(job); !errors.Is(err, ErrOther) {
			t.Errorf("%+v: %v", other, err)
		}
	}
	if err := NewJob("game", "rules", "1-4-3", []int{1}).Is(job); !errors.Is(err, ErrChanged) || errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "its results have changed") {
		t.Error(err)
	}
}
