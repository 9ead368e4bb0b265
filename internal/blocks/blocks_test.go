package blocks

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var toy = Format{What: "toy", Magic: "toy 2\n", End: "toy end\n", Family: "toy ", Anew: "play again", MaxBlock: 1 << 10, MaxDescription: 1 << 8}

type description struct{ Name string }

// sample are blocks, one of them empty, and the file of them.
func sample(t testing.TB) (list [][]byte, file []byte) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 5 {
		b := make([]byte, 7*n)
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
	for _, b := range list {
		if err := w.Append(b); err != nil {
			t.Fatal(err)
		}
	}
	if w.Blocks() != len(list) {
		t.Errorf("%d blocks written, want %d", w.Blocks(), len(list))
	}
	if err := w.Close(description{"sample"}); err != nil {
		t.Fatal(err)
	}
	return list, out.Bytes()
}

// assemble lays out a file byte by byte, without the code that is tested, from an
// index that may say anything.
func assemble(body []byte, entries [][3]uint64, text string) []byte {
	return assembleShifted(body, entries, text, [4]uint64{})
}

// assembleShifted is assemble with other numbers in the trailer: so much more than is true.
func assembleShifted(body []byte, entries [][3]uint64, text string, more [4]uint64) []byte {
	sum := func(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
	file := append([]byte("toy 2\n"), body...)
	index := len(file)
	for _, e := range entries {
		file = binary.LittleEndian.AppendUint64(file, e[0])
		file = binary.LittleEndian.AppendUint32(file, uint32(e[1]))
		file = binary.LittleEndian.AppendUint32(file, uint32(e[2]))
	}
	at := len(file)
	file = append(file, text...)
	last := len(file)
	file = binary.LittleEndian.AppendUint64(file, uint64(index)+more[0])
	file = binary.LittleEndian.AppendUint64(file, uint64(at)+more[1])
	file = binary.LittleEndian.AppendUint32(file, uint32(len(entries))+uint32(more[2]))
	file = binary.LittleEndian.AppendUint32(file, uint32(len(text))+uint32(more[3]))
	file = binary.LittleEndian.AppendUint32(file, sum(file[index:last]))
	file = binary.LittleEndian.AppendUint32(file, sum(file[last:]))
	return append(file, "toy end\n"...)
}

// read reads all of a file.
func read(file []byte) (list [][]byte, name string, err error) {
	r, err := Read(bytes.NewReader(file), uint64(len(file)), toy)
	if err != nil {
		return nil, "", err
	}
	if err := r.CheckIndex(); err != nil {
		return nil, "", err
	}
	var d description
	if err := r.Describe(&d); err != nil {
		return nil, "", err
	}
	for n := range r.Blocks() {
		b, err := r.Block(n, toy.MaxBlock, nil)
		if err != nil {
			return nil, "", err
		}
		list = append(list, b)
	}
	return list, d.Name, nil
}

func TestLayout(t *testing.T) {
	list, file := sample(t)
	var entries [][3]uint64
	at := uint64(len(toy.Magic))
	for _, b := range list {
		entries = append(entries, [3]uint64{at, uint64(len(b)), uint64(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))})
		at += uint64(len(b))
	}
	if want := assemble(bytes.Join(list, nil), entries, `{"Name":"sample"}`); !bytes.Equal(file, want) {
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
}

// TestDamage changes every byte in turn and cuts the file off at every length.
func TestDamage(t *testing.T) {
	_, file := sample(t)
	for at := range file {
		bad := bytes.Clone(file)
		bad[at] ^= 0x40
		if _, _, err := read(bad); err == nil {
			t.Errorf("byte %d is changed, and nobody sees it", at)
		}
		if _, _, err := read(file[:at]); err == nil {
			t.Errorf("the file ends after %d bytes, and nobody sees it", at)
		}
	}
	if _, _, err := read(append(bytes.Clone(file), 0)); err == nil {
		t.Error("a byte more is not seen")
	}
}

// TestForged are files whose checksums are right.
func TestForged(t *testing.T) {
	const text = `{"Name":"x"}`
	longest := strings.Repeat("a", 1<<10)
	sum := func(s string) uint64 { return uint64(crc32.Checksum([]byte(s), crc32.MakeTable(crc32.Castagnoli))) }
	for _, c := range []struct {
		body    string
		entries [][3]uint64
		text    string
		why     string
	}{
		{"abc", [][3]uint64{{6, 2, 0}}, text, "1 bytes between the last block and the index"},
		{"abc", [][3]uint64{{7, 2, 0}}, text, "block 0 is at 7, want 6"},
		{"abc", [][3]uint64{{6, 4, 0}}, text, "block 0 is at 6"},
		{"abc", [][3]uint64{{6, 2, 0}, {7, 2, 0}}, text, "block 1 is at 7, want 8"},
		{"abc", [][3]uint64{{1 << 63, 2, 0}}, text, "block 0"},
		{strings.Repeat("a", 1<<10+1), [][3]uint64{{6, 1<<10 + 1, 0}}, text, "block 0"},
		{"abc", [][3]uint64{{6, 3, 1}}, text, "checksum"},
		{"", nil, `{"Name":1}`, "description"},
		{"", nil, strings.Repeat(" ", 1<<8+1), "trailer"},
		{"", nil, text, ""},
		{"", nil, strings.Repeat(" ", 1<<8-len(text)) + text, ""},
		{"abc", [][3]uint64{{6, 0, 0}, {6, 3, sum("abc")}, {9, 0, 0}}, text, ""},
		{longest, [][3]uint64{{6, 1 << 10, sum(longest)}}, text, ""},
	} {
		file := assemble([]byte(c.body), c.entries, c.text)
		if _, _, err := read(file); (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q, %v: %v, want an error about %q", c.body, c.entries, err, c.why)
		}
		// A reader that does not check the index first: nothing beyond the blocks is read.
		r, err := Read(bytes.NewReader(file), uint64(len(file)), toy)
		for n, e := range c.entries {
			if err != nil {
				break
			}
			b, err := r.Block(n, toy.MaxBlock, nil)
			if e[0]+e[1] <= uint64(6+len(c.body)) && c.why == "" && err != nil {
				t.Errorf("block %d: %v", n, err)
			}
			if e[0]+e[1] > uint64(6+len(c.body)) && (err == nil || !strings.Contains(err.Error(), "the index has changed")) {
				t.Errorf("%v of %d bytes: block of %d bytes, %v", e, len(c.body), len(b), err)
			}
		}
	}
	// The trailer does not fit, by numbers that come round 64 bits, too.
	for _, more := range [][4]uint64{{1}, {^uint64(0)}, {0, 1}, {0, ^uint64(0)}, {0, 0, 1}, {0, 0, ^uint64(0)}, {0, 0, 0, 1}, {0, 0, 0, ^uint64(0)},
		{16, 0, ^uint64(0)}, {^uint64(15), 0, 1}, {0, 1, 0, ^uint64(0)}, {1, 1, 0, ^uint64(0)}, {32, 16, ^uint64(0)}, {^uint64(31), 0, 2}, {^uint64(99), ^uint64(99), 0, 100}, {^uint64(9), ^uint64(9), 0, 10}} {
		if _, _, err := read(assembleShifted([]byte("abc"), [][3]uint64{{6, 3, sum("abc")}}, text, more)); err == nil || !strings.Contains(err.Error(), "the trailer does not fit") && !strings.Contains(err.Error(), "damaged") {
			t.Errorf("a trailer with %d more: %v", more, err)
		}
	}
	if _, err := Read(strings.NewReader("toy 1\nabc"), 9, toy); err == nil || !strings.Contains(err.Error(), "does not read: play again") {
		t.Errorf("another version: %v", err)
	}
	_, file := sample(t)
	r, err := Read(bytes.NewReader(file), uint64(len(file)), toy)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{-1, 5} {
		if _, err := r.Block(n, 100, nil); err == nil || err.Error() != "there are 5 blocks" {
			t.Errorf("block %d: %v", n, err)
		}
	}
	if _, err := r.Block(4, 27, nil); err == nil {
		t.Error("a block of 28 bytes is read where 27 are the most")
	}
}

// TestPack packs blocks that can be made smaller and others that cannot, by several threads:
// the file is the same, the sum is of them in order, and they are read back.
func TestPack(t *testing.T) {
	format := Format{What: "toy", Magic: "toy 2\n", End: "toy end\n", Family: "toy ", MaxBlock: 1 << 23, MaxDescription: 1 << 8}
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
		u, err := NewUnpacker(reader, most)
		if err != nil {
			t.Fatal(err)
		}
		defer u.Close()
		most = max(most, 1<<10) // no window is smaller
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
	_, file := sample(f)
	f.Add(file)
	f.Add(assemble([]byte("abc"), [][3]uint64{{6, 3, 0}}, "{}"))
	f.Fuzz(func(t *testing.T, file []byte) {
		list, _, err := read(file)
		size := 0
		for _, b := range list {
			size += len(b)
		}
		if err == nil && size > len(file) {
			t.Errorf("%d bytes read of %d", size, len(file))
		}
	})
}
