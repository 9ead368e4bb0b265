package tablebase

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/internal/blocks"
	"perfectplay/rank"
)

// line is a made-up game: a row of cells, mirrored end to end.
func line(cells, pieces int, mirror bool) *halma.TwoArmy {
	t := &halma.TwoArmy{ID: "line", Rules: "none", Cells: cells, Pieces: pieces, Closed: []int{1, cells - 2}}
	if mirror {
		for c := range cells {
			t.Mirror = append(t.Mirror, uint8(cells-1-c))
		}
	}
	return t
}

// mirrored returns the image of a set of cells.
func mirrored(t *halma.TwoArmy, s bitboard.Set128) (image bitboard.Set128) {
	for c, to := range t.Mirror {
		if s.Has(c) {
			image = image.With(int(to))
		}
	}
	return image
}

// position returns the position of a number.
func position(n *Numbering, index uint64) (mover, other bitboard.Set128) {
	n.Walk(index, 1, func(_ int, m, o bitboard.Set128) { mover, other = m, o })
	return mover, other
}

func TestNumbering(t *testing.T) {
	for _, spec := range []*halma.TwoArmy{line(9, 2, true), line(10, 3, true), line(9, 1, false), line(11, 2, false), line(36, 2, true), line(70, 1, true), line(100, 1, false), line(127, 1, true), line(128, 1, true)} {
		info, n, err := NewInfo(spec, true, "test")
		if err != nil {
			t.Fatal(err)
		}
		if spec.Cells == 36 && testing.Short() {
			continue
		}
		next := uint64(0)
		n.Walk(0, int(n.Size()), func(i int, mover, other bitboard.Set128) {
			if i%97 != 0 && spec.Cells == 36 {
				next++
				return
			}
			m, o := position(n, uint64(i))
			if m != mover || o != other || uint64(i) != next {
				t.Fatalf("position %d: %x %x walked, %x %x by number", i, mover, other, m, o)
			}
			next++
			images := [][2]bitboard.Set128{{mover, other}}
			// Where the mover's army is its own image, both positions of a pair have
			// numbers of their own.
			if spec.Mirror != nil && mirrored(spec, mover) != mover {
				images = append(images, [2]bitboard.Set128{mirrored(spec, mover), mirrored(spec, other)})
			}
			for _, p := range images {
				if got, err := n.Index(p[0], p[1]); err != nil || got != uint64(i) {
					t.Fatalf("position %d has number %d, %v", i, got, err)
				}
			}
		})
		if next != info.Positions {
			t.Errorf("%d positions, want %d", next, info.Positions)
		}
	}
}

func TestNumberingRefuses(t *testing.T) {
	_, n, err := NewInfo(line(9, 2, true), true, "test")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range [][2]uint64{{0b101, 0b1000}, {0b101, 0b101}, {0b110, 0b101000}, {0b101, 1<<20 | 1<<8}, {0, 0}} {
		if i, err := n.Index(bitboard.Set128{Lo: p[0]}, bitboard.Set128{Lo: p[1]}); err == nil {
			t.Errorf("position %b %b has number %d", p[0], p[1], i)
		}
	}
	for _, places := range [][]int{{3, 2, 1, 0}, {0, 1, 2, 128}, {-1, 0, 1, 2}, {0}} {
		if _, err := NewNumbering(places, 1, nil); err == nil {
			t.Errorf("places %v are accepted", places)
		}
	}
	if _, err := NewNumbering([]int{0, 1, 2, 3}, 2, []uint8{1, 2, 3, 0}); err == nil {
		t.Error("a rotation is accepted as a mirror")
	}
	if _, err := NewNumbering([]int{0, 5}, 1, []uint8{5}); err == nil {
		t.Error("a mirror to a cell that it does not map is accepted")
	}
}

// fill gives position i a code that depends on i.
func fill(info Info) func(uint64, []byte) {
	return func(from uint64, codes []byte) {
		for i := range codes {
			codes[i] = expected(info, from+uint64(i))
		}
	}
}

func expected(info Info, i uint64) byte {
	h := i * 0x9e3779b97f4a7c15 >> 40
	if info.Kind == Values {
		return byte(h & 3)
	}
	return byte(h % 60)
}

// counted counts all positions as drawn: made up, as the codes are.
func counted(t testing.TB, info Info) Info {
	t.Helper()
	all, err := rank.Placements(len(info.Places), info.Pieces, info.Pieces)
	if err != nil {
		t.Fatal(err)
	}
	info.Draws = all
	return info
}

// write makes a table of a made-up game and returns its bytes.
func write(t testing.TB, dir string, spec *halma.TwoArmy, distances bool, threads int) (string, Info, []byte) {
	t.Helper()
	info, _, err := NewInfo(spec, distances, "test")
	if err != nil {
		t.Fatal(err)
	}
	info = counted(t, info)
	name := filepath.Join(dir, "line.none."+info.Kind)
	info, err = Write(context.Background(), name, info, threads, fill(info))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return name, info, data
}

func TestWriteAndRead(t *testing.T) {
	for _, distances := range []bool{false, true} {
		spec := line(24, 3, true)
		name, info, data := write(t, t.TempDir(), spec, distances, 1)
		_, _, again := write(t, t.TempDir(), spec, distances, 3)
		if !bytes.Equal(data, again) {
			t.Error("the file depends on the number of threads")
		}
		table, err := Open(name, info.Least()+blockBytes, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		if got := table.Info(); got.Positions != info.Positions || got.Signature != info.Signature || got.Game != "line" {
			t.Errorf("read %+v, wrote %+v", got, info)
		}
		if info.blocks() < 4 && distances {
			t.Fatalf("only %d blocks: the cache is not tried", info.blocks())
		}
		if err := table.Check(nil); err != nil {
			t.Error(err)
		}
		for i := range info.Positions {
			j := i * 7919 % info.Positions
			v, d, err := table.At(j)
			if err != nil {
				t.Fatal(err)
			}
			if wv, wd := decode(expected(info, j), distances); v != wv || d != wd {
				t.Fatalf("position %d: %v in %d, want %v in %d", j, v, d, wv, wd)
			}
		}
		entries, err := os.ReadDir(filepath.Dir(name))
		if err != nil || len(entries) != 1 {
			t.Errorf("files left: %v, %v", entries, err)
		}
	}
}

// TestDamage changes every byte of a small file in turn, and cuts it off at
// every length: each time reading must fail.
func TestDamage(t *testing.T) {
	_, _, data := write(t, t.TempDir(), line(12, 2, true), true, 1)
	name := filepath.Join(t.TempDir(), "damaged")
	check := func(data []byte) error {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		table, err := Open(name, 1<<20, nil)
		if err != nil {
			return err
		}
		defer table.Close()
		return table.Check(nil)
	}
	if err := check(data); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 1 << (i % 8)
		if err := check(bad); err == nil {
			t.Fatalf("a flipped bit in byte %d of %d is not found", i, len(data))
		} else if !strings.Contains(err.Error(), name) {
			t.Fatalf("the error does not name the file: %v", err)
		}
	}
	for n := range data {
		if err := check(data[:n]); err == nil {
			t.Fatalf("a file cut off after %d bytes is read", n)
		}
	}
	if err := check(append(bytes.Clone(data), 0)); err == nil {
		t.Error("a file with a byte too many is read")
	}
}

func TestCodes(t *testing.T) {
	for _, v := range []game.Value{game.Unknown, game.Loss, game.Draw, game.Win} {
		if got, _ := decode(Code(v, 0, false), false); got != v {
			t.Errorf("%v comes back as %v", v, got)
		}
		for d := range MaxDistance + 1 {
			if v == game.Unknown || v == game.Draw {
				d = 0
			}
			if got, gd := decode(Code(v, d, true), true); got != v || gd != d {
				t.Errorf("%v in %d comes back as %v in %d", v, d, got, gd)
			}
		}
	}
}

// TestCutOffWhileOpen cuts a table off while it is open: what is gone is an
// error, what is cached is still there.
func TestCutOffWhileOpen(t *testing.T) {
	name, info, data := write(t, t.TempDir(), line(24, 3, true), true, 1)
	table, err := Open(name, 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	want, _, err := table.At(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{len(data) / 2, 1, 0} {
		if err := os.Truncate(name, int64(size)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := table.At(info.Positions - 1); err == nil || !strings.Contains(err.Error(), "cut off") {
			t.Errorf("%d of %d bytes: error %v", size, len(data), err)
		}
		if err := table.Check(nil); err == nil {
			t.Errorf("%d of %d bytes pass the check", size, len(data))
		}
		if got, _, err := table.At(0); err != nil || got != want {
			t.Errorf("position 0, which is cached, has value %v, had %v; error %v", got, want, err)
		}
	}
	if _, err := Open(t.TempDir(), 1<<20, nil); err == nil {
		t.Error("a directory is opened as a table")
	}
}

// TestWriteFails checks that nothing is left behind when writing fails.
func TestWriteFails(t *testing.T) {
	info, _, err := NewInfo(line(12, 2, true), true, "test")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	_, err = Write(ctx, filepath.Join(dir, "x"), info, 2, func(from uint64, codes []byte) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want one about the context", err)
	}
	if _, err := Write(context.Background(), filepath.Join(dir, "no", "x"), info, 1, fill(info)); err == nil {
		t.Error("a file is written to a directory that does not exist")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("files left: %v", entries)
	}
}

// full is a disk with room for so many bytes.
type full struct{ room int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if n := min(len(p), f.room); n < len(p) {
		f.room = 0
		return n, errFull
	}
	f.room -= len(p)
	return len(p), nil
}

// TestNoRoom writes tables to disks that become full after every number of
// bytes of a small table, and at some of one of many blocks: the error comes back
// from all goroutines that pack.
func TestNoRoom(t *testing.T) {
	for _, c := range []struct {
		spec *halma.TwoArmy
		step int
	}{{line(9, 1, false), 1}, {line(24, 3, true), 30011}} {
		info, _, err := NewInfo(c.spec, true, "test")
		if err != nil {
			t.Fatal(err)
		}
		info = counted(t, info)
		dir := t.TempDir()
		_, _, data := write(t, dir, c.spec, true, 1)
		for room := 0; room < len(data); room += c.step {
			i := info
			if err := writeTable(context.Background(), &full{room}, &i, 3, fill(info)); !errors.Is(err, errFull) {
				t.Fatalf("room for %d of %d bytes: error %v", room, len(data), err)
			}
		}
		i := info
		if err := writeTable(context.Background(), &full{len(data)}, &i, 3, fill(info)); err != nil {
			t.Errorf("room for all: %v", err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	_, _, data := write(f, f.TempDir(), line(9, 1, false), true, 1)
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte(format.Magic))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(dir, "fuzzed")
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		table, err := Open(name, 1<<20, nil)
		if err != nil {
			return
		}
		defer table.Close()
		_ = table.Check(nil)
		_, _, _ = table.At(0)
	})
}

// assemble makes a file of a description and of one block again and again, with
// all checksums right.
func assemble(description, block []byte, count int) []byte {
	data := []byte(format.Magic)
	var index []byte
	for range count {
		index = binary.LittleEndian.AppendUint64(index, uint64(len(data)))
		index = binary.LittleEndian.AppendUint32(index, uint32(len(block)))
		index = binary.LittleEndian.AppendUint32(index, blocks.Checksum(block))
		data = append(data, block...)
	}
	end := append(index, description...)
	at := uint64(len(data))
	var tail []byte
	tail = binary.LittleEndian.AppendUint64(tail, at)
	tail = binary.LittleEndian.AppendUint64(tail, at+uint64(len(index)))
	tail = binary.LittleEndian.AppendUint32(tail, uint32(count))
	tail = binary.LittleEndian.AppendUint32(tail, uint32(len(description)))
	tail = binary.LittleEndian.AppendUint32(tail, blocks.Checksum(end))
	tail = binary.LittleEndian.AppendUint32(tail, blocks.Checksum(tail))
	return append(append(append(data, end...), tail...), format.End...)
}

// TestMemory opens a file of a few kilobytes that has ten million armies, and one
// whose description is long: neither may take the memory that it asks for.
func TestMemory(t *testing.T) {
	const cells, pieces = 26, 13
	info, _, err := NewInfo(&halma.TwoArmy{ID: "line", Rules: "none", Cells: cells, Pieces: pieces}, false, "test")
	if err != nil {
		t.Fatal(err)
	}
	info = counted(t, info)
	info.Signature = strings.Repeat("0", 64)
	description, err := json.Marshal(info)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "table")
	for _, c := range []struct {
		description []byte
		blocks      uint64
		why         string
	}{
		{description, info.blocks(), "memory"},
		{bytes.Replace(description, []byte(`"places":[0,`), []byte(`"places":[0,`+strings.Repeat("0,", 1<<20)), 1), info.blocks(), "trailer"},
		{description, 1, "blocks"},
	} {
		if err := os.WriteFile(name, assemble(c.description, make([]byte, 8), int(c.blocks)), 0o644); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Open(name, 1<<20, nil)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || !strings.Contains(err.Error(), c.why) || took > 1<<20 {
			t.Errorf("%v after %d bytes, want an error about %s", err, took, c.why)
		}
	}
}

// FuzzParts makes files whose checksums are all right, from a description and a
// block of any content: opening them and reading any position may fail, but not
// panic, and not take memory out of proportion.
func FuzzParts(f *testing.F) {
	for _, distances := range []bool{true, false} {
		name, info, _ := write(f, f.TempDir(), line(9, 2, true), distances, 1)
		table, err := Open(name, 1<<20, nil)
		if err != nil {
			f.Fatal(err)
		}
		block, err := table.blocks.Block(0, format.MaxBlock)
		if err != nil {
			f.Fatal(err)
		}
		description, err := json.Marshal(info)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(description, block, uint8(1))
		table.Close()
	}
	f.Add([]byte(`{"kind":"values","index":"mirror-colex","pieces":8,"places":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30]}`), []byte{}, uint8(0))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, description, block []byte, blocks uint8) {
		data := assemble(description, block, int(blocks))
		name := filepath.Join(dir, "fuzzed")
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		table, err := Open(name, 1<<20, nil)
		if err != nil {
			return
		}
		defer table.Close()
		_ = table.Check(nil)
		for _, n := range []uint64{0, table.Info().Positions / 2, table.Info().Positions - 1} {
			if v, _, err := table.At(n); err == nil && v > game.Win {
				t.Errorf("position %d has value %d", n, v)
			}
			mover, other := position(table.number, n)
			if i, err := table.number.Index(mover, other); err != nil || i != n {
				t.Errorf("position %d is %x %x, which has number %d, %v", n, mover, other, i, err)
			}
		}
	})
}
