package strong

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"perfectplay/game/halma"
)

// TestSavedOther: a checkpoint of another game, of other rules, of the other kind
// or of a game that only has its name is refused with a word for each, is not
// discarded and stays as it is. One of the same solve that is damaged is refused
// and can be discarded.
func TestSavedOther(t *testing.T) {
	dir := t.TempDir()
	spec := ruled(diamond(3, 2), "fi")
	if _, err := Solve(context.Background(), spec, Options{Checkpoint: dir}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(CheckpointFile(dir))
	if err != nil {
		t.Fatal(err)
	}
	if there, err := Saved(dir, spec, false); !there || err != nil {
		t.Fatalf("its own: %v, %v", there, err)
	}
	alike := ruled(diamond(3, 2), "fi")
	alike.GoalTransit = true
	for _, x := range []struct {
		t         *halma.TwoArmy
		distances bool
		want      string
	}{
		{ruled(diamond(3, 1), "fi"), false, spec.ID},
		{ruled(diamond(3, 2), "f"), false, "rules fi"},
		{spec, true, "without distances"},
		{alike, false, "as another version"},
	} {
		there, err := Saved(dir, x.t, x.distances)
		_, solved := Solve(context.Background(), x.t, Options{Checkpoint: dir, Distances: x.distances})
		for _, err := range []error{err, solved, Discard(dir, x.t, x.distances)} {
			if there || !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), x.want) {
				t.Errorf("%v, %v, want a refusal that says %q", there, err, x.want)
			}
		}
	}
	if now, err := os.ReadFile(CheckpointFile(dir)); err != nil || string(now) != string(data) {
		t.Errorf("the checkpoint was changed: %v", err)
	}
	if err := os.WriteFile(CheckpointFile(dir), data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Solve(context.Background(), spec, Options{Checkpoint: dir}); err == nil {
		t.Error("half a checkpoint is used")
	}
	if err := Discard(dir, spec, false); err != nil {
		t.Error(err)
	}
	if there, err := Saved(dir, spec, false); there || err != nil {
		t.Errorf("after it was discarded: %v, %v", there, err)
	}
	if err := os.Mkdir(CheckpointFile(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Saved(dir, spec, false); err == nil {
		t.Error("a directory is a checkpoint")
	}
}
