package strong

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
)

// newTiles is openTiles with the layout of a game.
func newTiles(dir string, t *halma.TwoArmy, tiles int, distances bool) (*Tiles, error) {
	l, err := newLayout(t, false)
	if err != nil {
		return nil, err
	}
	return openTiles(dir, l, tiles, distances)
}

// TestTiles compares tiles with solves in memory: values, distances, counts, and table files.
func TestTiles(t *testing.T) {
	var games []*halma.TwoArmy
	for i, spec := range smallBoards() {
		if spec.Cells <= 9 && spec.Pieces > 1 && i%3 == 0 && (i%2 == 0 || !testing.Short()) {
			games = append(games, spec) // only some boards, since syncing every file takes time
		}
	}
	_, spec := halmatest.Race("halma-4x4p2", "sturtevant")
	for _, spec := range append(games, spec) {
		t.Run(fmt.Sprintf("game=%s,rules=%s,closed=%v", spec.ID, spec.Rules, len(spec.Closed) > 0), func(t *testing.T) { compareTiles(t, spec) })
	}
}

func compareTiles(t *testing.T, spec *halma.TwoArmy) {
	ctx := context.Background()
	want, err := Solve(ctx, spec, Options{Threads: 1, Distances: true})
	if err != nil {
		t.Fatal(err)
	}
	values, err := Solve(ctx, spec, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	dir, plain := t.TempDir(), t.TempDir()
	solved := map[bool]*Tiles{}
	for _, distances := range []bool{true, false} {
		tiles, err := newTiles(map[bool]string{true: dir, false: plain}[distances], spec, 3, distances)
		if err != nil {
			t.Fatal(err)
		}
		if err := tiles.Run(ctx, Options{Threads: 2}); err != nil {
			t.Fatal(err)
		}
		solved[distances] = tiles
	}
	for _, c := range []struct{ solved, distances bool }{{true, true}, {true, false}, {false, false}} {
		distances := c.distances
		if !distances {
			want = values
		}
		got, err := solved[c.solved].Solution(distances)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Count(), want.Count()) {
			t.Fatalf("counts %+v, want %+v", got.Count(), want.Count())
		}
		l := got.l
		// Only a sample: the table file has all places.
		for place := 0; place < l.rows*l.cols; place += 97 {
			m, o := l.kernel.cells(place/l.cols, place%l.cols)
			if m.Meets(o) {
				continue
			}
			v, d := got.Value(m, o)
			if w, e := want.Value(m, o); v != w || d != e || got.Err() != nil {
				t.Fatalf("mover %x other %x: %v in %d, want %v in %d; error %v", m, o, v, d, w, e, got.Err())
			}
		}
		a, b := filepath.Join(dir, "want"), filepath.Join(dir, "got")
		if _, err := Save(ctx, a, spec, want, "test", 1, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := Save(ctx, b, spec, got, "test", 1, nil); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(read(t, a), read(t, b)) {
			t.Fatalf("distances %v: the table file differs", distances)
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTasks: tasks in any order, doubled, cancelled and late leave the same files. Errors name what
// is missing or not finished.
func TestTasks(t *testing.T) {
	ctx := context.Background()
	spec := ruled(halmatest.Diamond(3, 3), "fi")
	plain, err := newTiles(t.TempDir(), spec, 4, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := plain.Run(ctx, Options{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	tiles, err := newTiles(t.TempDir(), spec, 4, true)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(err error, text string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Fatalf("error %v, want one about %q", err, text)
		}
	}
	refused(tiles.Task(ctx, 1, 0), "pass 0 is not finished")
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	pass := 0
	for final := false; !final; pass++ {
		for i := 3; i >= 0; i-- {
			if pass > 0 {
				refused(tiles.Task(cancelled, pass, i), "canceled")
			}
			if _, err := tiles.Finish(ctx, pass); err == nil {
				t.Fatal("a pass is finished without its tasks")
			}
			for range 2 {
				if err := tiles.Task(ctx, pass, i); err != nil {
					t.Fatal(err)
				}
			}
		}
		late := read(t, tiles.name(2, pass, false))
		if err := os.Remove(tiles.name(2, pass, false)); err != nil {
			t.Fatal(err)
		}
		_, err := tiles.Finish(ctx, pass)
		refused(err, "tile 2")
		if err := tiles.Task(ctx, pass, 2); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(read(t, tiles.name(2, pass, false)), late) {
			t.Fatalf("pass %d: a task run again wrote other bytes", pass)
		}
		record, err := tiles.Finish(ctx, pass)
		if err != nil {
			t.Fatal(err)
		}
		if err := tiles.Task(ctx, pass, 1); err != nil {
			t.Fatal(err)
		}
		final = record.Final
	}
	short, err := newTiles(t.TempDir(), spec, 4, true)
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for ended < 3 {
		// The work of pass 0 says nothing about pass 1, so FinishOn ends pass 0 alone. For later
		// passes an hour is enough.
		if err := short.Tasks(ctx, ended, 0, 4, 1, func(int) {}); err != nil {
			t.Fatal(err)
		}
		list, err := short.FinishOn(ctx, ended, 2, time.Duration(ended)*time.Hour)
		if err != nil || list[len(list)-1].Pass+1 != ended+len(list) || ended == 0 && len(list) != 1 {
			t.Fatalf("pass %d: %+v, %v", ended, list, err)
		}
		ended += len(list)
	}
	if ended != pass {
		t.Fatalf("%d passes, want %d", ended, pass)
	}
	if list, err := short.FinishOn(ctx, 1, 1, time.Hour); err != nil || len(list) != pass-1 || !list[len(list)-1].Final {
		t.Fatalf("passes that are finished: %+v, %v", list, err)
	}
	for i := range 4 {
		last := read(t, tiles.name(i, pass-1, false))
		if !bytes.Equal(last, read(t, plain.name(i, pass-1, false))) || !bytes.Equal(last, read(t, short.name(i, pass-1, false))) {
			t.Fatalf("tile %d differs", i)
		}
	}
	if err := tiles.Task(ctx, pass+3, 1); err != nil {
		t.Fatalf("a pass after the last one: %v", err)
	}
}

// TestTileMemory checks that a worker has the memory of the largest tile from its first tile on.
func TestTileMemory(t *testing.T) {
	_, spec := halmatest.Race("halma-4x4p3", "sturtevant")
	for n := 1; n <= 40; n += 3 {
		for _, distances := range []bool{false, true} {
			tiles, err := newTiles(t.TempDir(), spec, n, distances)
			if err != nil {
				t.Fatal(err)
			}
			most := 0
			w := tiles.worker()
			s := w.s
			for i := range n {
				from, to := tiles.rows(i)
				words := (to - from) * tiles.l.words
				most = max(most, words)
				if allocs := testing.AllocsPerRun(1, func() { s.size(words) }); allocs != 0 {
					t.Fatalf("%d tiles: %v allocations for tile %d", n, allocs, i)
				}
				if len(s.win) != words || distances != (s.dist != nil) || distances && len(s.dist) != 64*words {
					t.Fatalf("%d tiles: tile %d has %d words and %d distances, want %d words", n, i, len(s.win), len(s.dist), words)
				}
			}
			for _, plane := range [][]uint64{s.win, s.loss, s.known, s.fresh} {
				if cap(plane) != most {
					t.Errorf("%d tiles: a plane of %d words, the largest tile has %d", n, cap(plane), most)
				}
			}
		}
	}
}

// TestTilesPlan: a plan's passes and bytes are right within 30 %.
func TestTilesPlan(t *testing.T) {
	_, spec := halmatest.Race("halma-4x4p4", "sturtevant")
	const n = 8
	work, err := NewWork(spec)
	if err != nil {
		t.Fatal(err)
	}
	plan := work.Plan(n)
	tiles, err := newTiles(t.TempDir(), spec, n, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := tiles.Run(t.Context(), Options{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	passes, err := tiles.Passes()
	if err != nil {
		t.Fatal(err)
	}
	did, err := tiles.Traffic()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		got, plan float64
	}{{"passes", float64(len(passes) - 1), float64(plan.Passes)}, {"read", float64(did.Read), float64(plan.Read)},
		{"written", float64(did.Written), float64(plan.Written)}, {"at once", float64(did.Peak), float64(plan.Peak)}} {
		if q := c.plan / c.got; q < 0.7 || q > 1.3 {
			t.Errorf("%s: %v, planned %v", c.name, c.got, c.plan)
		}
	}
}

// TestDamagedTiles: a file that is damaged, cut off or of another tile is refused by name, at the
// end of its pass or by the next task of its tile.
func TestDamagedTiles(t *testing.T) {
	ctx := context.Background()
	spec := ruled(halmatest.Diamond(3, 2), "f")
	tiles, err := newTiles(t.TempDir(), spec, 2, true)
	if err != nil {
		t.Fatal(err)
	}
	for pass := range 2 {
		for i := range 2 {
			if err := tiles.Task(ctx, pass, i); err != nil {
				t.Fatal(err)
			}
		}
		if pass == 0 {
			if _, err := tiles.Finish(ctx, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	name := tiles.name(1, 1, false)
	whole := read(t, name)
	refused := func(b []byte, what string) {
		t.Helper()
		if err := os.WriteFile(name, b, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := tiles.Finish(ctx, 1)
		if err == nil {
			// The next task of the tile reads the parts that the end of a pass does not.
			err = tiles.Task(ctx, 2, 1)
			if err := os.Remove(tiles.passName(1)); err != nil {
				t.Fatal(err)
			}
		}
		if err == nil || !strings.Contains(err.Error(), "tile 1: "+name) {
			t.Fatalf("%s: error %v", what, err)
		}
	}
	for i := 0; i < len(whole); i += 1 + len(whole)/200 {
		b := bytes.Clone(whole)
		b[i] ^= 1 << (i % 8)
		refused(b, fmt.Sprintf("bit %d of byte %d", i%8, i))
		refused(whole[:i], fmt.Sprintf("cut off at %d", i))
	}
	refused(append(bytes.Clone(whole), 0), "a byte more")
	refused(read(t, tiles.name(0, 1, false)), "another tile")
	refused(read(t, tiles.name(1, 0, false)), "another pass")
	if err := os.WriteFile(name, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := tiles.Finish(ctx, 1); err != nil {
		t.Fatal(err)
	}
	for _, other := range []struct {
		spec  *halma.TwoArmy
		tiles int
		want  string
	}{{spec, 3, "it is in 2 tiles"}, {ruled(halmatest.Diamond(3, 2), "fi"), 2, "another solve"}, {halmatest.Diamond(4, 2), 0, "another solve"}} {
		if _, err := newTiles(tiles.dir, other.spec, other.tiles, true); err == nil || !strings.Contains(err.Error(), other.want) {
			t.Errorf("%s in %d tiles: error %v", other.spec.ID, other.tiles, err)
		}
	}
}

// FuzzTile: any file is read or refused.
func FuzzTile(f *testing.F) {
	spec := ruled(halmatest.Diamond(2, 1), "f")
	tiles, err := newTiles(f.TempDir(), spec, 1, true)
	if err != nil {
		f.Fatal(err)
	}
	ctx := context.Background()
	for pass := range 2 {
		if err := tiles.Task(ctx, pass, 0); err != nil {
			f.Fatal(err)
		}
		b, err := os.ReadFile(tiles.name(0, pass, false))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		f.Add(b[:len(b)/2])
		if _, err := tiles.Finish(ctx, pass); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		w := tiles.worker()
		from, to := tiles.rows(0)
		w.s.size((to - from) * tiles.l.words)
		if w.in.open(bytes.NewReader(b), int64(len(b)), tiles.fileHead(0, 1)) == nil {
			_ = w.in.messages(0, w.accept)
			_ = w.in.whole(w.s)
		}
		_ = w.accept(b)
	})
}

// TestDamagedRecords: no byte of a pass's record changes unnoticed. Forged counts with a right
// checksum are refused, since they differ from the counts of the planes.
func TestDamagedRecords(t *testing.T) {
	_, spec := halmatest.Race("halma-3x3p2", "sturtevant")
	tiles, err := newTiles(t.TempDir(), spec, 2, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := tiles.Run(context.Background(), Options{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	want, err := tiles.Passes()
	if err != nil {
		t.Fatal(err)
	}
	name := tiles.passName(2)
	sound := read(t, name)
	for at := range sound[:len(sound)-1] { // without the last byte, which ends the line
		for _, bit := range []byte{1, 2, 4, 8, 16, 64} {
			data := slices.Clone(sound)
			data[at] ^= bit
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := tiles.Passes(); err == nil && !slices.Equal(got, want) {
				t.Fatalf("byte %d changed by %d: %s: the record is believed", at, bit, data)
			}
		}
	}
	forged := want[2]
	forged.Wins++
	forged.Sum = forged.sum()
	if err := writeJSON(name, forged); err != nil {
		t.Fatal(err)
	}
	s, err := tiles.Solution(true)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := Save(context.Background(), filepath.Join(dir, "table"), spec, s, "test", 1, nil); err == nil || !strings.Contains(err.Error(), "the records of the passes count") {
		t.Errorf("a table with forged counts: %v", err)
	}
}
