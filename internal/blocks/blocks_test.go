package blocks

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
)

var toy = Format{What: "toy", Magic: "toy 2\n", Family: "toy ", Anew: "play again", MaxBlock: 1 << 10, MaxDescription: 1 << 8}

type description struct{ Name string }

// frame returns a block as it stands in a file.
func frame(t testing.TB, raw []byte) []byte {
	t.Helper()
	z := NewEncoder(1, 1<<10, zstd.SpeedFastest)
	return z.EncodeAll(raw, nil)
}

// sample returns some blocks, a few of them empty, and their file.
func sample(t testing.TB, blocks int) (list [][]byte, file []byte) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for n := range blocks {
		b := make([]byte, 7*n%30)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		list = append(list, b)
	}
	var out bytes.Buffer
	w, err := NewWriter(&out, toy)
	if err != nil {
		t.Fatal(err)
	}
	for n, b := range list {
		if w.Blocks() != n {
			t.Errorf("%d blocks written, want %d", w.Blocks(), n)
		}
		if err := w.Append(frame(t, b)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(description{"sample"}); err != nil {
		t.Fatal(err)
	}
	return list, out.Bytes()
}

// entry is the index entry of a frame: the length of the frame, and the length of its contents.
type entry [2]uint32

// layout is a file laid out byte by byte, without the code under test. It need not be valid.
type layout struct {
	body    []byte
	entries []entry // index entries of the blocks
	text    string
	frames  int // additional count of frames in the index
	flags   byte
	noted   int // additional length of the description
	sum     uint32
}

func (l layout) file() []byte {
	le := binary.LittleEndian
	head := func(magic uint32, n int) []byte { return le.AppendUint32(le.AppendUint32(nil, magic), uint32(n)) }
	text := append(head(0x184D2A50, len(l.text)+4), l.text...)
	index := head(0x184D2A5E, 8*len(l.entries)+25)
	for _, e := range append(append([]entry{{14}}, l.entries...), entry{uint32(len(text) + 4 + l.noted)}) {
		index = le.AppendUint32(le.AppendUint32(index, e[0]), e[1])
	}
	index = append(le.AppendUint32(index, uint32(len(l.entries)+2+l.frames)), l.flags)
	index = le.AppendUint32(index, 0x8F92EAB1)
	text = le.AppendUint32(text, l.sum+crc32.Checksum(append(bytes.Clone(text), index...), crc32.MakeTable(crc32.Castagnoli)))
	return append(append(append(append(head(0x184D2A50, 6), "toy 2\n"...), l.body...), text...), index...)
}

var decoder = sync.OnceValue(func() *zstd.Decoder {
	z, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(1<<16))
	if err != nil {
		panic(err)
	}
	return z
})

// read reads all of a file.
func read(file []byte) (list [][]byte, name string, err error) {
	r, err := Read(bytes.NewReader(file), uint64(len(file)), toy)
	if err != nil {
		return nil, "", err
	}
	var d description
	if err := r.Describe(&d); err != nil {
		return nil, "", err
	}
	for n := range r.Blocks() {
		b, err := r.Block(n, toy.MaxBlock, nil)
		if err == nil {
			b, err = decoder().DecodeAll(b, nil)
		}
		if err != nil {
			return nil, "", err
		}
		list = append(list, b)
	}
	return list, d.Name, nil
}

func TestLayout(t *testing.T) {
	list, file := sample(t, 2*perOffset+3)
	l := layout{text: `{"Name":"sample"}`}
	for _, b := range list {
		zipped := frame(t, b)
		l.body, l.entries = append(l.body, zipped...), append(l.entries, entry{uint32(len(zipped)), uint32(len(b))})
	}
	if want := l.file(); !bytes.Equal(file, want) {
		t.Errorf("written\n%q, want\n%q", file, want)
	}
	got, name, err := read(file)
	if err != nil || name != "sample" || len(got) != len(list) {
		t.Fatalf("read %d blocks of %q: %v", len(got), name, err)
	}
	for n := range list {
		if !bytes.Equal(got[n], list[n]) {
			t.Errorf("block %d: %x, want %x", n, got[n], list[n])
		}
	}
	// A decoder that knows only zstd.
	z, err := zstd.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if all, err := io.ReadAll(z); err != nil || !bytes.Equal(all, bytes.Join(list, nil)) {
		t.Errorf("unpacked as a whole: %x, %v", all, err)
	}
}

// TestAppend refuses frames that no decoder could check.
func TestAppend(t *testing.T) {
	w, err := NewWriter(io.Discard, toy)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range [][]zstd.EOption{{zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true)}, {zstd.WithSingleSegment(false)}} {
		z, err := zstd.NewWriter(nil, o...)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		if err := w.Append(z.EncodeAll([]byte("abc"), nil)); err == nil {
			t.Errorf("a frame without size or checksum is taken")
		}
	}
	if err := w.Append([]byte("abc")); err == nil || w.Blocks() != 0 {
		t.Errorf("%d blocks that are no frames: %v", w.Blocks(), err)
	}
}

// TestDamage changes every bit in turn and cuts the file off at every length. Reading fails or
// gives the same blocks: the head of a frame can say the same in two ways.
func TestDamage(t *testing.T) {
	list, file := sample(t, 6)
	for at := range file {
		for bit := range 8 {
			bad := bytes.Clone(file)
			bad[at] ^= 1 << bit
			if got, name, err := read(bad); err == nil && (name != "sample" || !slices.EqualFunc(got, list, bytes.Equal)) {
				t.Errorf("bit %d of byte %d is changed, and other blocks are read", bit, at)
			}
		}
		if _, _, err := read(file[:at]); err == nil {
			t.Errorf("the file ends after %d bytes, and nobody sees it", at)
		}
	}
	if _, _, err := read(append(bytes.Clone(file), 0)); err == nil {
		t.Error("a byte more is not seen")
	}
}

// TestForged reads invalid files with right checksums.
func TestForged(t *testing.T) {
	const text = `{"Name":"x"}`
	abc := frame(t, []byte("abc"))
	long := make([]byte, 1<<10)
	for i := range long {
		long[i] = byte(i * i >> 3)
	}
	size := uint32(len(abc))
	for _, c := range []struct {
		layout
		why string
	}{
		{layout{body: abc, entries: []entry{{size - 1, 3}}, text: text}, "1 bytes between the last block and the description"},
		{layout{body: abc, entries: []entry{{size + 1, 3}}, text: text}, fmt.Sprintf("block 0 has %d bytes", size+1)},
		{layout{body: abc, entries: []entry{{size, 3}, {1, 0}}, text: text}, "block 1 has 1 bytes"},
		{layout{body: abc, entries: []entry{{1<<32 - 1, 3}}, text: text}, "block 0"},
		{layout{body: append(abc[:size:size], make([]byte, 1<<10)...), entries: []entry{{1<<10 + 1, 3}, {size - 1, 0}}, text: text}, "block 0"},
		{layout{body: abc, entries: []entry{{size, 3}}, text: text, sum: 1}, "the index or the description is damaged"},
		{layout{text: `{"Name":1}`}, "description"},
		{layout{text: strings.Repeat(" ", 1<<8+1)}, "the index does not fit"},
		{layout{text: text}, ""},
		{layout{text: strings.Repeat(" ", 1<<8-len(text)) + text}, ""},
		{layout{body: abc, entries: []entry{{0, 0}, {size, 3}, {0, 0}}, text: text}, ""},
		{layout{body: abc, entries: []entry{{size, 3}}, text: text, frames: 1}, "damaged"},
		{layout{body: abc, entries: []entry{{size, 3}}, text: text, frames: -1}, "damaged"},
		{layout{body: abc, entries: []entry{{size, 3}}, text: text, frames: -2}, "the index does not fit"},
		{layout{body: abc, entries: []entry{{size, 3}}, text: text, frames: 1<<32 - 4}, "the index does not fit"},
		{layout{body: abc, entries: []entry{{size, 3}}, text: text, flags: 1}, "the index does not fit"},
		{layout{body: abc, entries: []entry{{size, 3}}, text: text, noted: 1}, "damaged"},
		{layout{body: abc, entries: []entry{{size, 3}}, text: text, noted: -1}, "damaged"},
		{layout{body: abc, entries: []entry{{size, 3}}, text: text, noted: -len(text) - 1}, "the index does not fit"},
		{layout{body: abc, entries: []entry{{size, 3}}, text: text, noted: 300}, "the index does not fit"},
	} {
		file := c.file()
		_, _, err := read(file)
		if (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q, %v: %v, want an error about %q", c.body, c.entries, err, c.why)
		}
	}
	for _, old := range []string{"toy 1\nabc, and more than a frame has", "\x50\x2a\x4d\x18\x06\x00\x00\x00toy 3\nabc"} {
		if _, err := Read(strings.NewReader(old), uint64(len(old)), toy); err == nil || !strings.Contains(err.Error(), "does not read: play again") {
			t.Errorf("another version: %v", err)
		}
	}
	list, file := sample(t, perOffset+1)
	r, err := Read(bytes.NewReader(file), uint64(len(file)), toy)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{-1, len(list)} {
		if _, err := r.Block(n, 100, nil); err == nil || err.Error() != fmt.Sprintf("there are %d blocks", len(list)) {
			t.Errorf("block %d: %v", n, err)
		}
	}
	size = uint32(len(frame(t, list[4])))
	for _, most := range []uint32{size - 1, size} {
		if _, err := r.Block(4, uint64(most), nil); (err == nil) != (most == size) {
			t.Errorf("a block of %d bytes where %d are the most: %v", size, most, err)
		}
	}
	// The index changes while the file is open.
	for at, want := range map[int]string{0: "the index has changed", 1: "the index has changed"} {
		changed := bytes.Clone(file)
		r, err := Read(bytes.NewReader(changed), uint64(len(changed)), toy)
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint32(changed[r.index+uint64(at)*entrySize:], 1<<31)
		if _, err := r.Block(1, 1<<32, nil); err == nil || err.Error() != want {
			t.Errorf("entry %d: %v", at, err)
		}
	}
}

// TestPack packs blocks with several threads. The file never changes, the sum covers the blocks in
// order, and they can be read back.
func TestPack(t *testing.T) {
	format := Format{What: "toy", Magic: "toy 2\n", Family: "toy ", MaxBlock: 1 << 23, MaxDescription: 1 << 8}
	r := rand.New(rand.NewPCG(3, 4))
	var tasks [][][]byte
	var flat [][]byte
	largest := 0
	sizes := []int{600, 0, 1, 1030, 1 << 18, 100_000, 30}
	for task := range 9 {
		var of [][]byte
		for range task % 4 {
			b := make([]byte, sizes[len(flat)%7])
			for i := range b {
				if b[i] = byte(i); task%3 > 0 {
					b[i] = byte(r.Uint32())
				}
			}
			of, flat, largest = append(of, b), append(flat, b), max(largest, len(b))
		}
		tasks = append(tasks, of)
	}
	pack := func(ctx context.Context, threads, fails int) (file, signed []byte, reports []int, err error) {
		var out bytes.Buffer
		sum := sha256.New()
		w, err := NewWriter(&out, format)
		if err != nil {
			t.Fatal(err)
		}
		begun := 0
		err = Pack(ctx, w, sum, largest, threads, len(tasks), func() int { begun++; return 0 }, func(task int, _ int) ([][]byte, error) {
			if task == fails {
				return nil, errors.New("planted")
			}
			return tasks[task], nil
		}, func(done int) { reports = append(reports, done) })
		if want := max(threads, 1) + 2; begun != want {
			t.Errorf("%d threads work with %d buffers, want %d", threads, begun, want)
		}
		if err == nil {
			err = w.Close(description{"packed"})
		}
		return out.Bytes(), sum.Sum(nil), reports, err
	}
	want := sha256.Sum256(bytes.Join(flat, nil))
	file, _, _, err := pack(t.Context(), 1, -1)
	if err != nil {
		t.Fatal(err)
	}
	for threads := range 4 {
		again, signed, reports, err := pack(t.Context(), threads, -1)
		if err != nil || !bytes.Equal(again, file) || !bytes.Equal(signed, want[:]) || !slices.Equal(reports, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Errorf("%d threads: %d bytes, want %d; reports %d; %v", threads, len(again), len(file), reports, err)
		}
		if _, _, reports, err := pack(t.Context(), threads, 5); err == nil || err.Error() != "planted" || len(reports) != 5 {
			t.Errorf("%d threads, a task that fails: %v after %d", threads, err, reports)
		}
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, _, err := pack(cancelled, threads, -1); !errors.Is(err, context.Canceled) {
			t.Errorf("%d threads, cancelled: %v", threads, err)
		}
	}
	reader, err := Read(bytes.NewReader(file), uint64(len(file)), format)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{largest, largest / 2, 1} {
		u := NewUnpacker(reader, most)
		defer u.Close()
		most = max(most, 1<<10) // zstd has no smaller window
		for i, b := range flat {
			if got, err := u.Unpack(i, len(b), nil); (err == nil) != (len(b) <= most) || err == nil && !bytes.Equal(got, b) {
				t.Errorf("block %d of %d bytes where %d are the most: %d bytes, %v", i, len(b), most, len(got), err)
			}
			for _, size := range []int{len(b) - 1, len(b) + 1} {
				if got, err := u.Unpack(i, max(size, 0), nil); (err == nil) != (size < 0) {
					t.Errorf("block %d of %d bytes as one of %d: %d bytes, %v", i, len(b), size, len(got), err)
				}
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	_, file := sample(f, 6)
	f.Add(file)
	f.Add(layout{body: frame(f, []byte("abc")), entries: []entry{{16, 3}}, text: "{}"}.file())
	f.Fuzz(func(t *testing.T, file []byte) {
		list, _, err := read(file)
		for n, b := range list {
			if err == nil && len(b) > 1<<16 {
				t.Errorf("block %d unpacked: %d bytes", n, len(b))
			}
		}
	})
}
