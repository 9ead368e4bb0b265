package blocks

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"
)

var toy = Format{What: "toy", Magic: "toy 2\n", End: "toy end\n", Family: "toy ", MaxBlock: 1 << 10, MaxDescription: 1 << 8}

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
	file = binary.LittleEndian.AppendUint64(file, uint64(index))
	file = binary.LittleEndian.AppendUint64(file, uint64(at))
	file = binary.LittleEndian.AppendUint32(file, uint32(len(entries)))
	file = binary.LittleEndian.AppendUint32(file, uint32(len(text)))
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
	} {
		if _, _, err := read(assemble([]byte(c.body), c.entries, c.text)); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q, %v: %v, want an error about %q", c.body, c.entries, err, c.why)
		}
	}
	if _, err := Read(strings.NewReader("toy 1\nabc"), 9, toy); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Errorf("another version: %v", err)
	}
	_, file := sample(t)
	r, err := Read(bytes.NewReader(file), uint64(len(file)), toy)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{-1, 5} {
		if _, err := r.Block(n, 100, nil); err == nil {
			t.Errorf("there is a block %d", n)
		}
	}
	if _, err := r.Block(4, 27, nil); err == nil {
		t.Error("a block of 28 bytes is read where 27 are the most")
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
