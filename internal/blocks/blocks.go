package blocks

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
)

// Format is a kind of file.
type Format struct {
	// What it is called in messages: "table".
	What string
	// Magic is what a file begins with, a line, and End what it ends with. Other
	// versions of the format begin with Family.
	Magic, End, Family string
	// Anew says how a file of another version is made anew, for its message; or empty.
	Anew string
	// MaxBlock bounds a block, MaxDescription the description, in bytes.
	MaxBlock, MaxDescription uint64
}

// In the index a block has its offset (8 bytes), its length and its checksum (4
// bytes each), in little-endian order. The trailer has the offsets of index and
// description, the number of blocks, the length of the description, the checksum of
// index and description, and that of these 28 bytes.
const (
	entrySize   = 16
	trailerSize = 32
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum is the checksum of all parts: CRC-32C.
func Checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// Writer writes a file. It belongs to one goroutine.
type Writer struct {
	out    io.Writer
	format Format
	at     uint64
	index  []byte
}

// NewWriter begins a file.
func NewWriter(out io.Writer, f Format) (*Writer, error) {
	w := &Writer{out: out, format: f}
	return w, w.write([]byte(f.Magic))
}

func (w *Writer) write(b []byte) error {
	n, err := w.out.Write(b)
	w.at += uint64(n)
	return err
}

// Append writes the next block.
func (w *Writer) Append(block []byte) error {
	w.index = binary.LittleEndian.AppendUint64(w.index, w.at)
	w.index = binary.LittleEndian.AppendUint32(w.index, uint32(len(block)))
	w.index = binary.LittleEndian.AppendUint32(w.index, Checksum(block))
	return w.write(block)
}

// Blocks returns the number of blocks written.
func (w *Writer) Blocks() int { return len(w.index) / entrySize }

// Close writes what follows the blocks. It leaves the underlying writer open.
func (w *Writer) Close(description any) error {
	text, err := json.Marshal(description)
	if err != nil {
		return err
	}
	t := trailer{Index: w.at, Description: w.at + uint64(len(w.index)), Blocks: uint32(w.Blocks()), Length: uint32(len(text))}
	end := append(w.index, text...)
	t.CRC = Checksum(end)
	return w.write(append(append(end, t.encode()...), w.format.End...))
}

// trailer is the end of a file but for its checksum and [Format.End], as it stands there.
type trailer struct {
	Index, Description uint64 // offsets
	Blocks, Length     uint32 // length of the description in bytes
	CRC                uint32 // of index and description together
}

func (t trailer) encode() []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, t) // of a type with a size
	return binary.LittleEndian.AppendUint32(b, Checksum(b))
}

// Reader reads blocks of a file whose other parts are right. It may be used by
// several goroutines if its file may.
type Reader struct {
	file        io.ReaderAt
	format      Format
	end         trailer
	description []byte
}

// Read reads the parts of a file of a size that are not blocks.
func Read(file io.ReaderAt, size uint64, f Format) (*Reader, error) {
	r := &Reader{file: file, format: f}
	start, err := r.read(0, min(size, uint64(len(f.Magic))), nil)
	if err != nil {
		return nil, err
	}
	if string(start) != f.Magic {
		if strings.HasPrefix(string(start), f.Family) {
			text := "another version of this program wrote this " + f.What + ", in a form that this one does not read"
			if f.Anew != "" {
				text += ": " + f.Anew
			}
			return nil, errors.New(text)
		}
		return nil, fmt.Errorf("this is no %s: it does not begin with %q", f.What, f.Magic[:len(f.Magic)-1])
	}
	tail := trailerSize + uint64(len(f.End))
	if size < uint64(len(f.Magic))+tail {
		return nil, fmt.Errorf("the file is cut off after %d bytes", size)
	}
	body := size - tail
	last, err := r.read(body, tail, nil)
	if err != nil {
		return nil, err
	}
	if string(last[trailerSize:]) != f.End {
		return nil, errors.New("the end is missing: the file is cut off or still being written")
	}
	if Checksum(last[:28]) != binary.LittleEndian.Uint32(last[28:]) {
		return nil, errors.New("the trailer is damaged")
	}
	end := &r.end
	if _, err := binary.Decode(last, binary.LittleEndian, end); err != nil {
		return nil, err
	}
	if end.Index > end.Description || end.Description > body || uint64(end.Length) > f.MaxDescription ||
		uint64(end.Blocks)*entrySize != end.Description-end.Index || end.Description+uint64(end.Length) != body {
		return nil, fmt.Errorf("the trailer does not fit a file of %d bytes", size)
	}
	described := crc32.New(castagnoli)
	n := int64(body - end.Index)
	// Of a limited reader Copy makes no larger buffer than there is to read.
	if _, err := io.Copy(described, io.LimitReader(io.NewSectionReader(file, int64(end.Index), n), n)); err != nil {
		return nil, err
	}
	if described.Sum32() != end.CRC {
		return nil, errors.New("the index or the description is damaged")
	}
	r.description, err = r.read(end.Description, uint64(end.Length), nil)
	return r, err
}

// read returns n bytes of the file from an offset, in buf if it has room for them.
func (r *Reader) read(from, n uint64, buf []byte) ([]byte, error) {
	b := slices.Grow(buf[:0], int(n))[:n]
	if _, err := r.file.ReadAt(b, int64(from)); err == io.EOF {
		return nil, fmt.Errorf("the file is cut off before byte %d", from+n)
	} else if err != nil {
		return nil, err
	}
	return b, nil
}

// Describe reads the description into a value as [json.Unmarshal] does.
func (r *Reader) Describe(into any) error {
	if err := json.Unmarshal(r.description, into); err != nil {
		return fmt.Errorf("the description: %w", err)
	}
	return nil
}

// Blocks returns the number of blocks.
func (r *Reader) Blocks() int { return int(r.end.Blocks) }

// CheckIndex goes through the index: blocks lie one after the other between magic
// and index, and none is longer than they may be.
func (r *Reader) CheckIndex() error {
	at := uint64(len(r.format.Magic))
	entries := bufio.NewReaderSize(io.NewSectionReader(r.file, int64(r.end.Index), int64(r.end.Description-r.end.Index)), 1<<16)
	for b := range r.end.Blocks {
		var e [entrySize]byte
		if _, err := io.ReadFull(entries, e[:]); err != nil {
			return fmt.Errorf("the index: %w", err)
		}
		from, size := binary.LittleEndian.Uint64(e[:]), uint64(binary.LittleEndian.Uint32(e[8:]))
		if from != at || size > min(r.format.MaxBlock, r.end.Index-from) {
			return fmt.Errorf("the index says that block %d is at %d, want %d", b, from, at)
		}
		at += size
	}
	if at != r.end.Index {
		return fmt.Errorf("%d bytes between the last block and the index", r.end.Index-at)
	}
	return nil
}

// Block reads and checks a block of at most so many bytes, into buf if it has room for it.
func (r *Reader) Block(n int, most uint64, buf []byte) ([]byte, error) {
	if n < 0 || n >= r.Blocks() {
		return nil, fmt.Errorf("there are %d blocks", r.Blocks())
	}
	e, err := r.read(r.end.Index+uint64(n)*entrySize, entrySize, buf)
	if err != nil {
		return nil, err
	}
	from, size, sum := binary.LittleEndian.Uint64(e), uint64(binary.LittleEndian.Uint32(e[8:])), binary.LittleEndian.Uint32(e[12:])
	if from > r.end.Index || size > min(most, r.end.Index-from) {
		return nil, errors.New("the index has changed")
	}
	b, err := r.read(from, size, e)
	if err != nil {
		return nil, err
	}
	if Checksum(b) != sum {
		return nil, errors.New("damaged: its checksum is wrong")
	}
	return b, nil
}
