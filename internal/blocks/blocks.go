package blocks

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Format is a kind of file.
type Format struct {
	// What is the file's name in messages: "table".
	What string
	// Magic is a line of text, the contents of the first frame. Other versions of the format begin
	// with Family; versions before 4 have no first frame.
	Magic, Family string
	// Anew, if not empty, tells in messages how to make a file of another version again.
	Anew string
	// MaxBlock bounds a block in the file, MaxDescription the description, in bytes.
	MaxBlock, MaxDescription uint64
}

const (
	skippable = 0x184D2A50 // first word of a frame that decoders skip
	seekTable = 0x184D2A5E // first word of the frame of the index
	seekEnd   = 0x8F92EAB1 // last word of the index and of the file
	headSize  = 8          // head of a frame: its first word and its length, 4 bytes each
	entrySize = 8          // entry of a frame in the index: its length and its contents' length, 4 bytes each
	footSize  = 9          // number of frames, a byte of flags, seekEnd
	sumSize   = 4          // checksum behind the description
	perOffset = 64         // blocks for each offset in memory
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// head is the first word and the length of a frame that decoders skip.
func head(magic uint32, length int) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, magic), uint32(length))
}

func (f Format) first() []byte { return append(head(skippable, len(f.Magic)), f.Magic...) }

// Begins reports whether a file begins like this format in any version. start needs at most the
// first 64 bytes.
func (f Format) Begins(start []byte) bool {
	return strings.HasPrefix(string(start), f.Family) || len(start) > headSize && strings.HasPrefix(string(start[headSize:]), f.Family)
}

// Writer writes a file. It belongs to one goroutine.
type Writer struct {
	out   io.Writer
	index []byte // head and entries of the index
}

func NewWriter(out io.Writer, f Format) (*Writer, error) {
	w := &Writer{out: out, index: make([]byte, headSize)}
	return w, w.frame(f.first(), 0)
}

// frame writes a frame. size is the size of its uncompressed contents.
func (w *Writer) frame(b []byte, size uint64) error {
	if max(uint64(len(b)), size) > 1<<32-1 || len(w.index) >= 1<<32-entrySize-footSize {
		return errors.New("a block or a file with its index is too large")
	}
	w.index = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(w.index, uint32(len(b))), uint32(size))
	_, err := w.out.Write(b)
	return err
}

// Append writes the next block, made by an encoder of [NewEncoder]; it may be empty.
func (w *Writer) Append(block []byte) error {
	var h zstd.Header
	if len(block) > 0 {
		if err := h.Decode(block); err != nil || !h.HasFCS || !h.HasCheckSum {
			return errors.New("a block is not a zstd frame with its size and a checksum")
		}
	}
	return w.frame(block, h.FrameContentSize)
}

// Blocks returns the number of blocks written.
func (w *Writer) Blocks() int { return (len(w.index)-headSize)/entrySize - 1 }

// Close writes the description and the index. It leaves the underlying writer open.
func (w *Writer) Close(description any) error {
	text, err := json.Marshal(description)
	if err != nil {
		return err
	}
	described := append(head(skippable, len(text)+sumSize), text...)
	frames := (len(w.index)-headSize)/entrySize + 1
	w.index = binary.LittleEndian.AppendUint32(w.index, uint32(len(described)+sumSize))
	w.index = binary.LittleEndian.AppendUint32(w.index, 0)
	w.index = append(binary.LittleEndian.AppendUint32(w.index, uint32(frames)), 0)
	w.index = binary.LittleEndian.AppendUint32(w.index, seekEnd)
	copy(w.index, head(seekTable, len(w.index)-headSize))
	if _, err := w.out.Write(sealed(described, w.index)); err != nil {
		return err
	}
	_, err = w.out.Write(w.index)
	return err
}

// sealed returns the frame with the checksum of frame and index behind it.
func sealed(described, index []byte) []byte {
	return binary.LittleEndian.AppendUint32(described, crc32.Update(crc32.Checksum(described, castagnoli), castagnoli, index))
}

// Reader reads the blocks of a file. Several goroutines may use it if they may use the file.
type Reader struct {
	file        io.ReaderAt
	description []byte
	described   uint64   // offset of the frame with the description, where the blocks end
	index       uint64   // offset of the first block's entry
	blocks      int      // number of blocks
	offsets     []uint64 // offsets of the blocks whose numbers are divisible by perOffset
}

// Read reads a file of size bytes except for the blocks. It checks that the blocks fill the space
// between the first frame and the description, and that none is too long.
func Read(file io.ReaderAt, size uint64, f Format) (*Reader, error) {
	r := &Reader{file: file}
	first := f.first()
	start, err := r.read(0, min(size, uint64(len(first))), nil)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(start, first) {
		if f.Begins(start) {
			text := "another version of this program wrote this " + f.What + ", in a form that this one does not read"
			if f.Anew != "" {
				text += ": " + f.Anew
			}
			return nil, errors.New(text)
		}
		return nil, fmt.Errorf("this is no %s: it does not begin with %q", f.What, strings.TrimSpace(f.Magic))
	}
	// The last entry belongs to the description.
	body := size - uint64(len(first))
	if body < headSize+2*entrySize+footSize {
		return nil, fmt.Errorf("the file is cut off after %d bytes", size)
	}
	foot, err := r.read(size-entrySize-footSize, entrySize+footSize, nil)
	if err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(foot[entrySize+5:]) != seekEnd {
		return nil, errors.New("the end is missing: the file is cut off or still being written")
	}
	described, frames := uint64(binary.LittleEndian.Uint32(foot)), uint64(binary.LittleEndian.Uint32(foot[entrySize:]))
	indexed := headSize + frames*entrySize + footSize
	if foot[entrySize+4] != 0 || frames < 2 || indexed > body || described < headSize+sumSize || described > min(headSize+f.MaxDescription+sumSize, body-indexed) {
		return nil, fmt.Errorf("the index does not fit a file of %d bytes", size)
	}
	r.blocks, r.index, r.described = int(frames-2), size-indexed+headSize+entrySize, size-indexed-described
	text, err := r.read(r.described, described, nil)
	if err != nil {
		return nil, err
	}
	text, want := text[:described-sumSize], binary.LittleEndian.Uint32(text[described-sumSize:])
	sum := crc32.New(castagnoli)
	sum.Write(text)
	entries := bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(file, int64(size-indexed), int64(indexed)), sum), 1<<16)
	err = r.readIndex(entries, f.MaxBlock, uint64(len(first)))
	if _, failed := io.Copy(io.Discard, entries); failed != nil {
		return nil, failed
	}
	if sum.Sum32() != want {
		return nil, errors.New("the index or the description is damaged")
	}
	r.description = text[headSize:]
	return r, err
}

// readIndex reads the index; the first block begins at offset at.
func (r *Reader) readIndex(entries *bufio.Reader, most, at uint64) error {
	var e [entrySize]byte
	if _, err := entries.Discard(headSize + entrySize); err != nil {
		return err
	}
	for block := range r.blocks {
		if _, err := io.ReadFull(entries, e[:]); err != nil {
			return err
		}
		size := uint64(binary.LittleEndian.Uint32(e[:]))
		if size > min(most, r.described-at) {
			return fmt.Errorf("the index says that block %d has %d bytes", block, size)
		}
		if block%perOffset == 0 {
			r.offsets = append(r.offsets, at)
		}
		at += size
	}
	if at != r.described {
		return fmt.Errorf("%d bytes between the last block and the description", r.described-at)
	}
	return nil
}

// read returns n bytes of the file from an offset, in buf if they fit.
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

func (r *Reader) Blocks() int { return r.blocks }

// Block reads a block of at most most bytes as it stands in the file, into buf if it fits.
// Unpacking checks it.
func (r *Reader) Block(n int, most uint64, buf []byte) ([]byte, error) {
	if n < 0 || n >= r.blocks {
		return nil, fmt.Errorf("there are %d blocks", r.blocks)
	}
	before := n % perOffset
	e, err := r.read(r.index+uint64(n-before)*entrySize, uint64(before+1)*entrySize, buf)
	if err != nil {
		return nil, err
	}
	from := r.offsets[n/perOffset]
	for i := range before {
		from += uint64(binary.LittleEndian.Uint32(e[i*entrySize:]))
	}
	size := uint64(binary.LittleEndian.Uint32(e[before*entrySize:]))
	if from > r.described || size > min(most, r.described-from) {
		return nil, errors.New("the index has changed")
	}
	return r.read(from, size, e)
}
