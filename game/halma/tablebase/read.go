package tablebase

import (
	"bufio"
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
)

// Table is an open file. It is safe for concurrent use. What it needs is read
// when it is needed, not mapped: a file that is cut off while it is open ends in
// an error, and one that lies about its size takes no memory.
type Table struct {
	name   string
	info   Info
	number *Numbering
	file   *os.File
	index  uint64 // where the index is, and the blocks end
	zip    *zstd.Decoder

	mu    sync.Mutex
	cache map[int]*list.Element
	used  *list.List // of *cached, the last used first
	limit int        // blocks to keep
}

// cached is a block in memory.
type cached struct {
	block int
	raw   []byte
}

// Open opens a table within memory bytes: it refuses one whose positions take
// more to be numbered, and keeps unpacked blocks in what is left, at least one.
// It checks the description and the index; blocks are checked when they are read,
// or by [Table.Check].
//
// accept, if not nil, is asked about the description before anything is allocated
// for it: its figures agree with each other, but whether they are those of the
// game that it names is for the caller to say.
func Open(name string, memory uint64, accept func(Info) error) (_ *Table, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("tablebase: %s: %w", name, err)
		}
	}()
	t, err := open(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			t.file.Close()
		}
	}()
	if accept != nil {
		if err := accept(t.info); err != nil {
			return nil, err
		}
	}
	need := t.info.Least()
	if need > memory {
		return nil, fmt.Errorf("to number its positions takes %d bytes of memory, %d are allowed", need, memory)
	}
	if t.number, err = t.info.numbering(); err != nil {
		return nil, err
	}
	if t.info.Positions != t.number.Size() {
		return nil, fmt.Errorf("the description contradicts itself: %d positions, numbered are %d", t.info.Positions, t.number.Size())
	}
	t.limit = int((memory-need)/blockBytes) + 1
	if t.zip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(blockBytes), zstd.WithDecoderMaxWindow(blockBytes)); err != nil {
		return nil, err
	}
	return t, nil
}

// open opens a file and reads what is not blocks.
func open(name string) (*Table, error) {
	// Before it is opened: to open a pipe waits for its writer.
	if stat, err := os.Stat(name); err != nil {
		return nil, err
	} else if !stat.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	t := &Table{name: name, file: f, cache: map[int]*list.Element{}, used: list.New()}
	if err := t.open(); err != nil {
		f.Close()
		return nil, err
	}
	return t, nil
}

// Describe returns the description of a table, which agrees with itself. Whether
// it is true of the game that it names is for [Open]'s accept to say.
func Describe(name string) (Info, error) {
	t, err := open(name)
	if err != nil {
		return Info{}, fmt.Errorf("tablebase: %s: %w", name, err)
	}
	return t.info, t.file.Close()
}

const (
	// maxInfo bounds the description, in bytes.
	maxInfo = 1 << 14
	// maxZipped bounds a compressed block: zstd adds a few bytes to what it cannot
	// make smaller.
	maxZipped = 2 * blockBytes
)

// read returns n bytes of the file from an offset.
func (t *Table) read(from, n uint64) ([]byte, error) {
	b := make([]byte, n)
	if _, err := t.file.ReadAt(b, int64(from)); err == io.EOF {
		return nil, fmt.Errorf("the file is cut off before byte %d", from+n)
	} else if err != nil {
		return nil, err
	}
	return b, nil
}

// open reads the parts that are not blocks.
func (t *Table) open() error {
	stat, err := t.file.Stat()
	if err != nil {
		return err
	}
	size := uint64(stat.Size())
	start, err := t.read(0, min(size, uint64(len(magic))))
	if err != nil {
		return err
	}
	if string(start) != magic {
		return fmt.Errorf("this is no table: it does not begin with %q", magic[:len(magic)-1])
	}
	if size < uint64(len(magic)+trailerLen) {
		return fmt.Errorf("the file is cut off after %d bytes", size)
	}
	body := size - trailerLen
	last, err := t.read(body, trailerLen)
	if err != nil {
		return err
	}
	end, err := decodeTrailer(last)
	if err != nil {
		return err
	}
	if end.index > body || end.info > body || end.length > maxInfo || uint64(end.blocks)*entrySize != end.info-end.index || end.info+uint64(end.length) != body || end.index > end.info {
		return fmt.Errorf("the trailer does not fit a file of %d bytes", size)
	}
	described := crc32.New(castagnoli)
	if _, err := io.Copy(described, io.NewSectionReader(t.file, int64(end.index), int64(body-end.index))); err != nil {
		return err
	}
	if described.Sum32() != end.crc {
		return errors.New("the index or the description is damaged")
	}
	text, err := t.read(end.info, uint64(end.length))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &t.info); err != nil {
		return fmt.Errorf("the description: %w", err)
	}
	i := &t.info
	if i.Choices == "" {
		i.Rules = halma.FormerRules(i.Rules)
	}
	if i.Kind != Values && i.Kind != Distances || i.Index != indexName {
		return fmt.Errorf("a table of %q by %q is not known to this program", i.Kind, i.Index)
	}
	if err := i.check(); err != nil {
		return fmt.Errorf("the description contradicts itself: %w", err)
	}
	if i.blocks() != uint64(end.blocks) {
		return fmt.Errorf("%d blocks for %d positions", end.blocks, i.Positions)
	}
	t.index = end.index
	at := uint64(len(magic))
	entries := bufio.NewReaderSize(io.NewSectionReader(t.file, int64(end.index), int64(end.info-end.index)), 1<<16)
	for b := range end.blocks {
		var e [entrySize]byte
		if _, err := io.ReadFull(entries, e[:]); err != nil {
			return fmt.Errorf("the index: %w", err)
		}
		from, size, _ := decodeEntry(e[:])
		if from != at || uint64(size) > min(maxZipped, end.index-from) {
			return fmt.Errorf("the index says that block %d is at %d, want %d", b, from, at)
		}
		at += uint64(size)
	}
	if at != end.index {
		return fmt.Errorf("%d bytes between the last block and the index", end.index-at)
	}
	return nil
}

// decodeEntry returns where a block is.
func decodeEntry(e []byte) (from uint64, size, crc uint32) {
	return binary.LittleEndian.Uint64(e), binary.LittleEndian.Uint32(e[8:]), binary.LittleEndian.Uint32(e[12:])
}

// zipped reads and checks a block as it is in the file.
func (t *Table) zipped(block int) ([]byte, error) {
	e, err := t.read(t.index+uint64(block)*entrySize, entrySize)
	if err != nil {
		return nil, err
	}
	from, size, crc := decodeEntry(e)
	if from > t.index || uint64(size) > min(maxZipped, t.index-from) {
		return nil, errors.New("the index has changed")
	}
	b, err := t.read(from, uint64(size))
	if err != nil {
		return nil, err
	}
	if checksum(b) != crc {
		return nil, errors.New("damaged: its checksum is wrong")
	}
	return b, nil
}

// Close releases the file. The table must not be used any more.
func (t *Table) Close() error {
	t.zip.Close()
	return t.file.Close()
}

// Info returns the description.
func (t *Table) Info() Info { return t.info }

// unpack reads and checks a block.
func (t *Table) unpack(block int) ([]byte, error) {
	zipped, err := t.zipped(block)
	if err != nil {
		return nil, fmt.Errorf("tablebase: %s: block %d of %d: %w", t.name, block, t.info.blocks(), err)
	}
	raw, err := t.zip.DecodeAll(zipped, make([]byte, 0, blockBytes))
	if err != nil {
		return nil, fmt.Errorf("tablebase: %s: block %d of %d: %w", t.name, block, t.info.blocks(), err)
	}
	n := min(uint64(t.info.Block), t.info.Positions-uint64(block)*uint64(t.info.Block))
	if t.info.Kind == Values {
		n = (n + 3) / 4
	}
	if uint64(len(raw)) != n {
		return nil, fmt.Errorf("tablebase: %s: block %d of %d has %d bytes, want %d", t.name, block, t.info.blocks(), len(raw), n)
	}
	return raw, nil
}

// block returns an unpacked block from the cache or the file.
func (t *Table) block(block int) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.cache[block]; ok {
		t.used.MoveToFront(e)
		return e.Value.(*cached).raw, nil
	}
	raw, err := t.unpack(block)
	if err != nil {
		return nil, err
	}
	t.cache[block] = t.used.PushFront(&cached{block, raw})
	if t.used.Len() > t.limit {
		last := t.used.Back()
		t.used.Remove(last)
		delete(t.cache, last.Value.(*cached).block)
	}
	return raw, nil
}

// Value returns the value of a position to its mover, and in a table of
// distances the plies to the end. Armies are from the mover's side. An illegal position has value Unknown.
func (t *Table) Value(mover, other bitboard.Set128) (game.Value, int, error) {
	index, err := t.number.Index(mover, other)
	if err != nil {
		return game.Unknown, 0, err
	}
	return t.At(index)
}

// At returns the value of the position with a number below Info().Positions.
func (t *Table) At(index uint64) (game.Value, int, error) {
	raw, err := t.block(int(index / uint64(t.info.Block)))
	if err != nil {
		return game.Unknown, 0, err
	}
	v, d := t.info.code(raw, int(index%uint64(t.info.Block)))
	return v, d, nil
}

// Walk calls do for the positions from…from+count−1 in order, with their armies as
// in [Table.Value].
func (t *Table) Walk(from uint64, count int, do func(i int, mover, other bitboard.Set128)) {
	t.number.Walk(from, count, do)
}

// code reads a position of an unpacked block.
func (i *Info) code(raw []byte, at int) (game.Value, int) {
	if i.Kind == Values {
		return decode(raw[at/4]>>(at%4*2)&3, false)
	}
	return decode(raw[at], true)
}

// Check reads every block and compares checksums and signature. progress, if
// not nil, gets the share done.
func (t *Table) Check(progress func(done float64)) error {
	sum := sha256.New()
	for b := range int(t.info.blocks()) {
		raw, err := t.unpack(b)
		if err != nil {
			return err
		}
		sum.Write(raw)
		if progress != nil {
			progress(float64(b) / float64(t.info.blocks()))
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != t.info.Signature {
		return fmt.Errorf("tablebase: %s: the signature is %s, the description says %s", t.name, got, t.info.Signature)
	}
	return nil
}
