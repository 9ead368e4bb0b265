package tablebase

import (
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/internal/blocks"
)

// Table is an open file. It is safe for concurrent use. What it needs is read
// when it is needed, not mapped: a file that is cut off while it is open ends in
// an error, and one that lies about its size takes no memory.
type Table struct {
	name   string
	info   Info
	number *Numbering
	file   *os.File
	blocks *blocks.Reader
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
	if err := t.read(); err != nil {
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

// read reads the parts that are not blocks.
func (t *Table) read() error {
	stat, err := t.file.Stat()
	if err != nil {
		return err
	}
	if t.blocks, err = blocks.Read(t.file, uint64(stat.Size()), format); err != nil {
		return err
	}
	i := &t.info
	if err := t.blocks.Describe(i); err != nil {
		return err
	}
	if i.Kind != Values && i.Kind != Distances || i.Index != indexName {
		return fmt.Errorf("a table of %q by %q is not known to this program", i.Kind, i.Index)
	}
	if err := i.check(); err != nil {
		return fmt.Errorf("the description contradicts itself: %w", err)
	}
	if i.blocks() != uint64(t.blocks.Blocks()) {
		return fmt.Errorf("%d blocks for %d positions", t.blocks.Blocks(), i.Positions)
	}
	return t.blocks.CheckIndex()
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
	zipped, err := t.blocks.Block(block, format.MaxBlock)
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
