package armies

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"perfectplay/game/halma"
	"perfectplay/internal/files"
)

// Saved reports how many layers of a game a directory holds: a solve goes on from
// them. Layers of another game, or of other rules, are refused with [ErrOther],
// and what is damaged or of another version with another error. Only the ends of
// the files are read.
func Saved(dir string, t *halma.Armies) (layers int, err error) {
	names, err := layerFiles(dir)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if err := checkLayer(name, t); err != nil {
			return 0, fmt.Errorf("armies: layer %s: %w", name, err)
		}
	}
	return len(names), nil
}

// checkLayer says why a file is no layer of a game.
func checkLayer(name string, t *halma.Armies) error {
	f, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return err
	}
	defer f.Close()
	head, _, err := readIndex(f)
	if err != nil {
		return err
	}
	if head.Game != t.ID || head.Rules != t.Rules {
		return fmt.Errorf("%w: of %s under rules %s", ErrOther, head.Game, head.Rules)
	}
	if head.Mark != mark(t) {
		return fmt.Errorf("%w: of %s under rules %s as another version of this program has them", ErrOther, head.Game, head.Rules)
	}
	return nil
}

// layerFiles lists the layers of a directory, which need not exist.
func layerFiles(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("armies: reading layers: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), layerPrefix) {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names, nil
}

// RemoveLayers removes the layers of a directory. Call it once the result is safe.
func RemoveLayers(dir string) error {
	names, err := layerFiles(dir)
	for _, name := range names {
		err = errors.Join(err, files.Remove(name))
	}
	if err != nil {
		return fmt.Errorf("armies: removing layers: %w", err)
	}
	return nil
}

// Discard removes the layers of a directory, however damaged, but none that says
// it is of another solve.
func Discard(dir string, t *halma.Armies) error {
	names, err := layerFiles(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := checkLayer(name, t); errors.Is(err, ErrOther) {
			return fmt.Errorf("armies: layer %s: %w", name, err)
		}
	}
	return RemoveLayers(dir)
}
