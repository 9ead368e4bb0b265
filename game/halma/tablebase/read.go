package tablebase

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"perfectplay/game"
	"perfectplay/rank"
)

// Table is an open file. It is safe for concurrent use.
type Table struct {
	name   string
	info   Info
	number *Numbering
	data   []byte // the whole file, mapped
	unmap  func() error
	index  []byte
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

// Open opens a table and keeps up to cacheBytes of unpacked blocks, at least
// one. It checks the description and the index; blocks are checked when they
// are read, or by [Table.Check].
func Open(name string, cacheBytes int64) (_ *Table, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("tablebase: %s: %w", name, err)
		}
	}()
	data, unmap, err := mapFile(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = unmap()
		}
	}()
	t := &Table{name: name, data: data, unmap: unmap, cache: map[int]*list.Element{}, used: list.New()}
	t.limit = int(max(1, cacheBytes/blockBytes))
	if err := t.open(); err != nil {
		return nil, err
	}
	if t.zip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(8*blockBytes), zstd.WithDecoderMaxWindow(8<<20)); err != nil {
		return nil, err
	}
	return t, nil
}

// open reads the parts that are not blocks.
func (t *Table) open() error {
	if len(t.data) < len(magic) || string(t.data[:len(magic)]) != magic {
		return fmt.Errorf("this is no table: it does not begin with %q", magic[:len(magic)-1])
	}
	if len(t.data) < len(magic)+trailerLen {
		return fmt.Errorf("the file is cut off after %d bytes", len(t.data))
	}
	body := uint64(len(t.data) - trailerLen)
	end, err := decodeTrailer(t.data[body:])
	if err != nil {
		return err
	}
	if end.index > body || end.info > body || uint64(end.blocks)*entrySize != end.info-end.index || end.info+uint64(end.length) != body || end.index > end.info {
		return fmt.Errorf("the trailer does not fit a file of %d bytes", len(t.data))
	}
	if checksum(t.data[end.index:body]) != end.crc {
		return fmt.Errorf("the index or the description is damaged")
	}
	if err := json.Unmarshal(t.data[end.info:body], &t.info); err != nil {
		return fmt.Errorf("the description: %w", err)
	}
	i := &t.info
	if i.Kind != Values && i.Kind != Distances || i.Index != indexName {
		return fmt.Errorf("a table of %q by %q is not known to this program", i.Kind, i.Index)
	}
	// Before the numbering takes memory: a file that promises few positions may
	// not ask for tables of many armies. With a mirror more than half remain.
	if n, err := rank.NewArmies(len(i.Places), i.Pieces, i.Pieces); err != nil || i.Positions < n.Size()/2 || i.Positions > n.Size() {
		return fmt.Errorf("the description contradicts itself: %d positions of %d pieces a side on %d places", i.Positions, i.Pieces, len(i.Places))
	}
	if t.number, err = i.numbering(); err != nil {
		return err
	}
	if i.Positions != t.number.Size() || i.Block != i.perBlock() || i.blocks() != int(end.blocks) {
		return fmt.Errorf("the description contradicts itself: %d positions in %d blocks of %d", i.Positions, end.blocks, i.Block)
	}
	t.index = t.data[end.index:end.info]
	at := uint64(len(magic))
	for b := range i.blocks() {
		from, size, _ := t.entry(b)
		if from != at || from+uint64(size) > end.index {
			return fmt.Errorf("the index says that block %d is at %d, want %d", b, from, at)
		}
		at += uint64(size)
	}
	if at != end.index {
		return fmt.Errorf("%d bytes between the last block and the index", end.index-at)
	}
	return nil
}

// entry returns where a block is.
func (t *Table) entry(block int) (from uint64, size, crc uint32) {
	e := t.index[block*entrySize:]
	return binary.LittleEndian.Uint64(e), binary.LittleEndian.Uint32(e[8:]), binary.LittleEndian.Uint32(e[12:])
}

// Close releases the file. The table must not be used any more.
func (t *Table) Close() error {
	t.zip.Close()
	return t.unmap()
}

// Info returns the description.
func (t *Table) Info() Info { return t.info }

// unpack reads and checks a block.
func (t *Table) unpack(block int) ([]byte, error) {
	from, size, crc := t.entry(block)
	zipped := t.data[from : from+uint64(size)]
	if checksum(zipped) != crc {
		return nil, fmt.Errorf("tablebase: %s: block %d of %d is damaged: its checksum is wrong", t.name, block, t.info.blocks())
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
// distances the plies to the end. Armies are from the mover's side; bit c is cell
// c. An illegal position has value Unknown.
func (t *Table) Value(mover, other uint64) (game.Value, int, error) {
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
	for b := range t.info.blocks() {
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
