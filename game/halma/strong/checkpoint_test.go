package strong

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfectplay/game/halma"
)

// TestResume stops a solve after every single pass, resumes it, and compares
// with one that was left alone.
func TestResume(t *testing.T) {
	for _, distances := range []bool{false, true} {
		for _, spec := range []*halma.TwoArmy{ruled(diamond(4, 2), "fi"), ruled(diamond(4, 3), "fi"), ruled(star(1, true), "fgo")} {
			if spec.Pieces == 3 && testing.Short() {
				continue
			}
			want, err := Solve(context.Background(), spec, Options{Distances: distances})
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			o := Options{Distances: distances, Threads: 2, Checkpoint: dir, Interval: 1 << 60}
			stops := 0
			var got *Solution
			for {
				ctx, stop := context.WithCancel(context.Background())
				first := 0
				o.Progress = func(p Progress) {
					if first == 0 {
						first = p.Pass
					}
					if p.Pass > 0 && (p.Share > float64(stops%5)/4 || p.Pass > first) {
						stop()
					}
				}
				got, err = Solve(ctx, spec, o)
				stop()
				if err == nil {
					break
				}
				if !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				if stops++; stops > 2000 {
					t.Fatal("no progress")
				}
			}
			if want.Resumed || got.Resumed != (stops > 0) {
				t.Errorf("%s: resumed %v and %v after %d stops", name(spec), want.Resumed, got.Resumed, stops)
			}
			if got.Counts() != want.Counts() {
				t.Errorf("%s: after %d stops counts %+v, want %+v", name(spec), stops, got.Counts(), want.Counts())
			}
			for i := range want.win {
				if got.win[i] != want.win[i] || got.loss[i] != want.loss[i] {
					t.Fatalf("%s: word %d differs after %d stops", name(spec), i, stops)
				}
			}
			if !slices.Equal(got.dist.bytes(), want.dist.bytes()) {
				t.Fatalf("%s: distances differ after %d stops", name(spec), stops)
			}
			for i := range got.win {
				if got.win[i]&got.loss[i] != 0 {
					t.Fatalf("%s: word %d holds losses that were not propagated", name(spec), i)
				}
			}
			// All is decided, and still there until it is removed.
			again, err := Solve(context.Background(), spec, Options{Distances: distances, Checkpoint: dir})
			if err != nil || !again.Resumed || again.Counts() != want.Counts() || !slices.Equal(again.win, want.win) || !slices.Equal(again.loss, want.loss) || !slices.Equal(again.dist.bytes(), want.dist.bytes()) {
				t.Errorf("%s: from the checkpoint of the whole: %v", name(spec), err)
			} else if again.Passes != got.Passes {
				t.Errorf("%s: %d passes, and %d from the checkpoint of the whole", name(spec), got.Passes, again.Passes)
			}
			if stops < 2 && spec.Pieces != 1 {
				t.Errorf("%s: stopped only %d times", name(spec), stops)
			}
			if err := RemoveCheckpoint(dir); err != nil {
				t.Error(err)
			}
			if left, _ := os.ReadDir(dir); len(left) != 0 {
				t.Errorf("files left: %v", left)
			}
		}
	}
}

func TestCheckpointRefused(t *testing.T) {
	dir := t.TempDir()
	spec := ruled(diamond(3, 2), "fi")
	ctx, stop := context.WithCancel(context.Background())
	o := Options{Checkpoint: dir, Progress: func(p Progress) {
		if p.Pass > 0 {
			stop()
		}
	}}
	if _, err := Solve(ctx, spec, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want cancelled", err)
	}
	o.Progress = nil
	name := filepath.Join(dir, checkpointName)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Solve(context.Background(), ruled(diamond(3, 2), "f"), o); err == nil || !strings.Contains(err.Error(), "rules fi") {
		t.Errorf("another game's checkpoint: error %v", err)
	}
	o.Distances = true
	if _, err := Solve(context.Background(), spec, o); err == nil {
		t.Error("a checkpoint without distances is used for them")
	}
	o.Distances = false
	for n := 0; n < len(data); n += 1 + len(data)/50 {
		bad := append([]byte(nil), data...)
		bad[n] ^= 0x10
		if err := os.WriteFile(name, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Solve(context.Background(), spec, o); err == nil {
			t.Errorf("a checkpoint with byte %d changed is used", n)
		}
		if err := os.WriteFile(name, data[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Solve(context.Background(), spec, o); err == nil {
			t.Errorf("a checkpoint cut off after %d bytes is used", n)
		}
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Solve(context.Background(), spec, o); err != nil {
		t.Error(err)
	}
	o.Checkpoint = filepath.Join(dir, "missing")
	if _, err := Solve(context.Background(), spec, o); err == nil {
		t.Error("checkpoints go to a directory that does not exist")
	}
}

// TestMark changes one thing at a time about a game that keeps its name: its
// checkpoints must not be taken for those of another.
func TestMark(t *testing.T) {
	marks := map[string]string{}
	for name, change := range map[string]func(*halma.TwoArmy){
		"nothing": func(*halma.TwoArmy) {},
		"rules":   func(t *halma.TwoArmy) { t.Rules = "none" },
		"filled":  func(t *halma.TwoArmy) { t.Filled = false },
		"illegal": func(t *halma.TwoArmy) { t.MoverWonIllegal = false },
		"goal":    func(t *halma.TwoArmy) { t.GoalTransit = true },
		"home":    func(t *halma.TwoArmy) { t.HomeTransit = true },
		"transit": func(t *halma.TwoArmy) { t.ClosedTransit = true },
		"mirror":  func(t *halma.TwoArmy) { t.Mirror = t.Turn },
		"closed":  func(t *halma.TwoArmy) { t.Closed = []int{4} },
	} {
		spec := ruled(diamond(3, 2), "fi")
		change(spec)
		mark := (&solver{layout: &layout{spec: spec}}).mark()
		if other, ok := marks[mark]; ok {
			t.Errorf("%s and %s have one mark", name, other)
		}
		marks[mark] = name
		if again := (&solver{layout: &layout{spec: spec}}).mark(); again != mark {
			t.Errorf("%s: marks %s and %s", name, mark, again)
		}
	}
}
