package strong

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/internal/files"
	"perfectplay/internal/store"
)

// With -forged, TestHostile forges this many directories, and flips every bit.
var forged = flag.Int("forged", 0, "forge `N` directories, and flip all bits (default: a few)")

// same says whether two solutions in memory are equal.
func (r *Solution) same(s *Solution) bool {
	return slices.Equal(r.values(), s.values()) && slices.Equal(r.dist, s.dist) && reflect.DeepEqual(r.count, s.count)
}

// TestResume stops a solve again and again, resumes it in memory or in tiles at random, and
// compares it with a solve that was left alone.
func TestResume(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for _, distances := range []bool{false, true} {
		for _, spec := range []*halma.TwoArmy{ruled(diamond(4, 2), "fi"), ruled(diamond(4, 3), "fi"), ruled(star(1, true), "fgo")} {
			if spec.Pieces == 3 && testing.Short() {
				continue
			}
			ctx := context.Background()
			want, err := Solve(ctx, spec, Options{Distances: distances})
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			o := Options{Distances: distances, Threads: 2, Work: dir, Interval: 1 << 60, Stripes: 3}
			plan, err := NewPlan(spec, o)
			if err != nil {
				t.Fatal(err)
			}
			stops, inTiles := 0, 0
			var got *Solution
			for {
				ctx, stop := context.WithCancel(ctx)
				first := 0
				o.Progress = func(p Progress) {
					if first == 0 {
						first = p.Pass
					}
					if p.Pass > 0 && (p.Share > float64(stops%5)/4 || p.Pass > first) {
						stop()
					}
				}
				if o.Memory = 0; random.IntN(3) == 0 {
					o.Memory = max(plan.InFiles, min(plan.Bytes-1, plan.InFiles))
					inTiles++
				}
				// On boards this small, tiles take more memory than planes.
				if o.Memory >= plan.Bytes {
					tiles, err := newTiles(dir, spec, 3, distances)
					if err != nil {
						t.Fatal(err)
					}
					if err = tiles.Run(ctx, Options{Threads: 2, Progress: o.Progress}); err == nil {
						got, err = tiles.Solution(distances)
					}
					if err != nil && !errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
				} else {
					got, err = Solve(ctx, spec, o)
				}
				stop()
				if err == nil && got != nil {
					break
				}
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				if stops++; stops > 2000 {
					t.Fatal("no progress")
				}
			}
			if got.Counts() != want.Counts() {
				t.Errorf("%s: after %d stops counts %+v, want %+v", name(spec), stops, got.Counts(), want.Counts())
			}
			// All is decided, and the state stays in the directory until it is removed.
			again, err := Solve(ctx, spec, Options{Distances: distances, Work: dir})
			if err != nil || !again.Resumed || !again.same(want) {
				t.Fatalf("%s: after %d stops, %d times in tiles: %v", name(spec), stops, inTiles, err)
			}
			if again.Passes != got.Passes {
				t.Errorf("%s: %d passes, and %d from the files of the whole", name(spec), got.Passes, again.Passes)
			}
			if distances {
				values, err := Solve(ctx, spec, Options{Work: dir})
				if err != nil || values.HasDistances() || !slices.Equal(values.values(), want.values()) || values.Counts() != want.Counts() {
					t.Errorf("%s: values of a solve for distances: %v", name(spec), err)
				}
			}
			if stops < 2 && spec.Pieces != 1 {
				t.Errorf("%s: stopped only %d times", name(spec), stops)
			}
			if err := (State{dir, spec, distances}).Discard(); err != nil {
				t.Error(err)
			}
			if left, _ := os.ReadDir(dir); len(left) != 0 {
				t.Errorf("files left: %v", left)
			}
		}
	}
}

// saved holds the files of a directory.
type saved map[string][]byte

func readState(t testing.TB, dir string) saved {
	t.Helper()
	s := saved{}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if s[f.Name()], err = os.ReadFile(filepath.Join(dir, f.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s saved) write(t testing.TB, dir string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, data := range s {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// states solves a game and returns the directory after each pass.
func states(t testing.TB, spec *halma.TwoArmy, distances bool) (list []saved, want *Solution) {
	t.Helper()
	dir, last := t.TempDir(), 0
	o := Options{Distances: distances, Threads: 1, Work: dir, Stripes: 2}
	o.Progress = func(p Progress) {
		if p.Pass > last+1 { // a pass is saved by the time the next one begins
			last = p.Pass - 1
			list = append(list, readState(t, dir))
		}
	}
	want, err := Solve(context.Background(), spec, o)
	if err != nil {
		t.Fatal(err)
	}
	return append(list, readState(t, dir)), want
}

// believed resumes from a directory and reports whether it was accepted. Then the solve must find
// the true solution.
func believed(t *testing.T, spec *halma.TwoArmy, want *Solution, s saved, dir, what string) bool {
	t.Helper()
	s.write(t, dir)
	got, err := Solve(context.Background(), spec, Options{Distances: want.dist != nil, Threads: 1, Work: dir, Interval: 1 << 60})
	if err != nil {
		return false
	}
	if !got.same(want) {
		t.Fatalf("%s: accepted, and the solution is wrong", what)
	}
	return true
}

// TestHostile flips bits of the files of a directory, cuts them off, and forges others with right
// checksums. Every accepted one leads to the true solution.
func TestHostile(t *testing.T) {
	n, step := 200, 397
	if testing.Short() {
		n, step = 20, 3989 // each is a solve that writes files
	}
	if *forged > 0 {
		n, step = *forged, 1
	}
	for _, distances := range []bool{false, true} {
		for _, spec := range []*halma.TwoArmy{ruled(diamond(3, 2), "fi"), ruled(diamond(3, 3), "fgo")} {
			list, want := states(t, spec, distances)
			dir := filepath.Join(t.TempDir(), "work")
			middle := list[len(list)/2]
			accepted := map[string]int{}
			for file, data := range middle {
				try := func(kind string, data []byte, what string, args ...any) {
					s := saved{}
					for f, d := range middle {
						s[f] = d
					}
					if s[file] = data; believed(t, spec, want, s, dir, fmt.Sprintf("%s: %s of %s: ", name(spec), kind, file)+fmt.Sprintf(what, args...)) {
						accepted[kind+" of "+file[:4]]++
					}
				}
				// Without the last byte, which ends the line.
				for bit := 0; bit < 8*(len(data)-1); bit += step {
					bad := bytes.Clone(data)
					bad[bit/8] ^= 1 << (bit % 8)
					try("bits", bad, "bit %d", bit)
				}
				for size := 0; size < len(data)-1; size += step {
					try("truncations", data[:size], "%d bytes", size)
				}
			}
			r := rand.New(rand.NewPCG(1, 2))
			for i := range n {
				if believed(t, spec, want, forge(t, spec, r, list, dir, distances), dir, fmt.Sprintf("%s: forged %d", name(spec), i)) {
					accepted["forged"]++
				}
			}
			// JSON keys may have letters of either case, and the head of a block can say the same
			// in two ways.
			if accepted["truncations of tile"]+accepted["truncations of pass"] > 0 {
				t.Errorf("%s: damaged files are accepted: %v", name(spec), accepted)
			}
			t.Logf("%s distances=%v: %d forged; accepted, and with the true solution: %v", name(spec), distances, n, accepted)
		}
	}
}

// forge changes a few things in a directory, with right checksums, so that most counts agree with
// the planes.
func forge(t *testing.T, spec *halma.TwoArmy, r *rand.Rand, list []saved, dir string, distances bool) saved {
	s := list[r.IntN(len(list))]
	s.write(t, dir)
	tiles, err := newTiles(dir, spec, 0, distances)
	if err != nil {
		t.Fatal(err)
	}
	passes, err := tiles.Passes()
	if err != nil {
		t.Fatal(err)
	}
	in := newTileReader()
	last, i, tile := passes[len(passes)-1], r.IntN(2), tiles.newTile()
	from, to := tiles.rows(i)
	tile.size((to - from) * tiles.l.words)
	var messages []message
	_, err = tiles.open(in, i, last.Pass, true, func() error {
		return errors.Join(in.whole(tile), in.messages(i, func(payload []byte) error {
			for ; len(payload) > 0; payload = payload[8:] {
				messages = append(messages, message(payload[0])|message(payload[1])<<8|message(payload[4])<<32|message(payload[5])<<40)
			}
			return nil
		}))
	})
	if err != nil {
		t.Fatal(err)
	}
	planes := [][]uint64{tile.win, tile.loss, tile.known}
	for range 1 + r.IntN(3) {
		switch plane := planes[r.IntN(3)]; r.IntN(6) {
		case 0:
			last.Wins += uint64(r.IntN(3)) - 1
		case 1:
			if len(messages) > 0 {
				messages[r.IntN(len(messages))] ^= 1 << r.IntN(4)
			}
		case 2:
			if len(messages) > 0 {
				messages = messages[:len(messages)-1]
			}
		case 3:
			plane[r.IntN(len(plane))] ^= 1 << r.IntN(64)
		case 4:
			if distances {
				tile.dist[r.IntN(len(tile.dist))] = uint8(r.IntN(6))
			}
		default: // exchange two words, which keeps the counts
			a, b := r.IntN(len(plane)), r.IntN(len(plane))
			plane[a], plane[b] = plane[b], plane[a]
		}
	}
	err = files.Write(tiles.name(i, last.Pass, true), func(f io.Writer) error {
		out := newTileWriter(2)
		if err := out.begin(f, tiles.fileHead(i, last.Pass)); err != nil {
			return err
		}
		for _, m := range messages {
			if err := out.send(i, m); err != nil {
				return err
			}
		}
		return out.finish(tile, PassRecord{Pass: last.Pass})
	})
	if err == nil {
		err = tiles.writeRecord(last)
	}
	if err != nil {
		t.Fatal(err)
	}
	return readState(t, dir)
}

// TestStatesAccepted resumes from the directory after each pass, under all rules and on boards
// where players must pass: none is refused.
func TestStatesAccepted(t *testing.T) {
	for i, spec := range smallBoards() {
		for _, distances := range []bool{false, true} {
			if spec.Cells > 9 && (testing.Short() || !distances && *forged == 0) || i%10 > 0 && *forged == 0 || i%30 > 0 && testing.Short() {
				continue // syncing every file takes time
			}
			list, want := states(t, spec, distances)
			dir := filepath.Join(t.TempDir(), "work")
			for i, s := range list {
				s.write(t, dir)
				got, err := Solve(context.Background(), spec, Options{Distances: distances, Threads: 1, Work: dir, Interval: 1 << 60})
				if err != nil || !got.same(want) {
					t.Fatalf("%s, distances %v: state %d of %d: %v", name(spec), distances, i, len(list), err)
				}
			}
		}
	}
}

// TestRulesChanged: a state of rules that have changed under the same name is refused, and can be
// discarded.
func TestRulesChanged(t *testing.T) {
	dir := t.TempDir()
	_, was := halmatest.Race("halma-star13-2p", "base")
	if _, err := Solve(t.Context(), was, Options{Work: dir}); err != nil {
		t.Fatal(err)
	}
	_, now := halmatest.Race("halma-star13-2p", "house")
	now.Rules = was.Rules
	there, err := State{dir, now, false}.Saved()
	_, solved := Solve(t.Context(), now, Options{Work: dir})
	for _, err := range []error{err, solved} {
		if there || !errors.Is(err, store.ErrChanged) || !strings.Contains(err.Error(), "have changed since") {
			t.Errorf("%v, %v", there, err)
		}
	}
	if err := (State{dir, now, false}).Discard(); err != nil {
		t.Error(err)
	}
	if there, err := (State{dir, now, false}).Saved(); there || err != nil {
		t.Errorf("discarded: %v, %v", there, err)
	}
}

// TestRestoreMemory reads a description that would take gigabytes.
func TestRestoreMemory(t *testing.T) {
	spec, dir := ruled(diamond(3, 2), "fi"), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, headName), bytes.Repeat([]byte{' '}, 64<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := State{dir, spec, false}.Saved()
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 16<<20 {
		t.Errorf("a description of 64 MiB allocates %d bytes, error %v", took, err)
	}
}

// TestSavedOther: a directory of another game, of other rules or without distances is refused with
// its own error, and is not discarded. A damaged directory of the same solve can be discarded.
func TestSavedOther(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	spec := ruled(diamond(3, 2), "fi")
	if _, err := Solve(ctx, spec, Options{Work: dir}); err != nil {
		t.Fatal(err)
	}
	before := readState(t, dir)
	if there, err := (State{dir, spec, false}).Saved(); !there || err != nil {
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
		{alike, false, "by another version"},
	} {
		there, err := State{dir, x.t, x.distances}.Saved()
		_, solved := Solve(ctx, x.t, Options{Work: dir, Distances: x.distances})
		for _, err := range []error{err, solved, State{dir, x.t, x.distances}.Discard()} {
			if there || !errors.Is(err, store.ErrOther) || !strings.Contains(err.Error(), x.want) {
				t.Errorf("%v, %v, want a refusal that says %q", there, err, x.want)
			}
		}
	}
	if now := readState(t, dir); fmt.Sprint(now) != fmt.Sprint(before) {
		t.Error("the directory was changed")
	}
	head := filepath.Join(dir, headName)
	older := bytes.Replace([]byte(before[headName]), fmt.Appendf(nil, `"format":%d`, tilesFormat), fmt.Appendf(nil, `"format":%d`, tilesFormat-1), 1)
	if err := os.WriteFile(head, older, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Solve(ctx, spec, Options{Work: dir}); err == nil || !strings.Contains(err.Error(), "finish it with the version that began it") {
		t.Errorf("a directory of the format before: %v", err)
	}
	if err := os.WriteFile(head, before[headName][:len(before[headName])/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Solve(ctx, spec, Options{Work: dir}); err == nil {
		t.Error("half a description is used")
	}
	if err := (State{dir, spec, false}).Discard(); err != nil {
		t.Error(err)
	}
	if there, err := (State{dir, spec, false}).Saved(); there || err != nil {
		t.Errorf("after it was discarded: %v, %v", there, err)
	}
	if _, err := Solve(ctx, spec, Options{Work: filepath.Join(dir, "missing")}); err == nil {
		t.Error("the state goes to a directory that does not exist")
	}
}

// TestSaveCut stops the writing of a state after each of its files: the next solve resumes from the
// old state or from the new one.
func TestSaveCut(t *testing.T) {
	for _, distances := range []bool{false, true} {
		spec, dir := ruled(diamond(3, 2), "fi"), filepath.Join(t.TempDir(), "work")
		list, want := states(t, spec, distances)
		before := list[1]
		if !believed(t, spec, want, before, dir, "the state before") {
			t.Fatal("it does not go on from a whole state")
		}
		after := readState(t, dir)
		var added, records []string // names of the files, in the order of writing
		for name := range after {
			if !bytes.Equal(before[name], after[name]) {
				if added = append(added, name); strings.HasPrefix(name, "pass-") {
					records = append(records, name)
				}
			}
		}
		if len(records) < 3 {
			t.Fatalf("the state after is of %d passes more", len(records))
		}
		slices.SortFunc(added, func(a, b string) int {
			// Files of tiles before records of passes.
			return cmp.Or(-cmp.Compare(a[:4], b[:4]), cmp.Compare(a, b))
		})
		for n := range len(added) + 1 {
			cut := maps.Clone(before)
			for _, name := range added[:n] {
				cut[name] = after[name]
			}
			if !believed(t, spec, want, cut, dir, "a state cut off") {
				t.Errorf("distances %v: it does not go on after %d of %d files: %v", distances, n, len(added), added)
			}
		}
	}
}

// TestRemovalCut stops the removal of a state after each of its files: the next solve starts over,
// with the same counts.
func TestRemovalCut(t *testing.T) {
	spec, ctx := ruled(diamond(3, 2), "fi"), context.Background()
	dir := t.TempDir()
	want, err := Solve(ctx, spec, Options{Work: dir})
	if err != nil {
		t.Fatal(err)
	}
	whole := readState(t, dir)
	names, err := store.List(dir, workFiles...)
	if err != nil || len(names) < 4 {
		t.Fatalf("the state is %v, %v", names, err)
	}
	for n := range len(names) + 1 {
		for name, text := range whole {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		sayRemoved(dir)
		for _, name := range names[:n] {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
		if there, err := (State{dir, spec, false}).Saved(); there || err != nil {
			t.Errorf("after %d of %d files: a state: %v, %v", n, len(names), there, err)
		}
		got, err := Solve(ctx, spec, Options{Work: dir})
		if err != nil || got.Counts() != want.Counts() || got.Resumed {
			t.Fatalf("after %d of %d files: %v", n, len(names), err)
		}
		if err := (State{Dir: dir}).Remove(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMark changes one thing at a time in a game that keeps its name: its directories are refused.
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
		if other, ok := marks[job(spec).Mark]; ok {
			t.Errorf("%s and %s have one mark", name, other)
		}
		marks[job(spec).Mark] = name
	}
}
