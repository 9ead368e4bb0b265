package tiles

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/internal/blocks"
	"perfectplay/internal/files"
)

// Table is an open file. It is safe for concurrent use. Blocks are read when they
// are needed, and the last few kept.
type Table struct {
	name string
	info Info
	*numbering
	file   file
	blocks *blocks.Reader
	zip    *zstd.Decoder

	mu    sync.Mutex
	cache map[int]*block
	order []int // blocks that are kept, the oldest first
	limit int
}

// file is where a table is: on the disk or in memory.
type file interface {
	io.ReaderAt
	io.Closer
}

// memory is a table that [Make] has made.
type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

// block is a block that is unpacked, and where its rows begin and end.
type block struct {
	raw []byte
	at  []uint32
}

// Open opens a table, and keeps as many blocks as go into memory bytes, at least
// one. It checks the description and the index; blocks are checked when they are
// read.
func Open(name string, memory uint64) (_ *Table, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("tiles: %s: %w", name, err)
		}
	}()
	f, size, err := openFile(name)
	if err != nil {
		return nil, err
	}
	return open(name, f, size, memory)
}

// openFile returns an open file and its size.
func openFile(name string) (*os.File, uint64, error) {
	f, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return nil, 0, err
	}
	stat, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, uint64(stat.Size()), nil
}

// Describe returns the description of a table.
func Describe(name string) (info Info, err error) {
	f, size, err := openFile(name)
	if err == nil {
		defer f.Close()
		t := &Table{name: name, file: f}
		err = t.load(size)
		info = t.info
	}
	if err != nil {
		return Info{}, fmt.Errorf("tiles: %s: %w", name, err)
	}
	return info, nil
}

// Least is about the least memory in bytes in which [Open] opens such a table: the
// numbers of its armies and one block.
func (i *Info) Least() (bytes uint64) {
	largest := uint64(0)
	for seat := range i.Seats {
		armies := choose(len(i.Places[seat%i.Period]), i.Pieces)
		bytes, largest = bytes+8*armies, max(largest, armies)
	}
	return bytes + uint64(i.Rows)*largest + 1<<18
}

// open opens a table in a file that is its own from then on.
func open(name string, f file, size, memory uint64) (_ *Table, err error) {
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	t := &Table{name: name, file: f, cache: map[int]*block{}}
	if err := t.load(size); err != nil {
		return nil, err
	}
	if t.numbering, err = t.info.number(); err != nil {
		return nil, fmt.Errorf("the description contradicts itself: %w", err)
	}
	largest := 0
	for _, s := range t.shapes {
		largest = max(largest, t.info.Rows*s.row)
	}
	t.limit = max(1, int(min(memory/uint64(largest), 1<<20)))
	t.zip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(uint64(max(largest, 1<<17))))
	return t, err
}

// IsTable reports whether a file begins as a table of several armies does.
func IsTable(name string) bool {
	f, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(Magic))
	_, err = io.ReadFull(f, start)
	return err == nil && strings.HasPrefix(string(start), format.Family)
}

// load reads the parts of a file of a size that are not blocks.
func (t *Table) load(size uint64) (err error) {
	if t.blocks, err = blocks.Read(t.file, size, format); err != nil {
		return err
	}
	if err := t.blocks.Describe(&t.info); err != nil {
		return err
	}
	shapes, err := t.info.shapes()
	if err != nil {
		return fmt.Errorf("the description contradicts itself: %w", err)
	}
	described := 0
	for _, s := range shapes {
		described += s.blocks(&t.info)
	}
	if described != t.blocks.Blocks() {
		return fmt.Errorf("%d blocks, described are %d", t.blocks.Blocks(), described)
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

// unpack reads and checks a block of a size.
func (t *Table) unpack(block, size int, raw []byte) ([]byte, error) {
	fail := func(err error) ([]byte, error) {
		return nil, fmt.Errorf("tiles: %s: block %d: %w", t.name, block, err)
	}
	zipped, err := t.blocks.Block(block, zipped(size))
	if err != nil {
		return fail(err)
	}
	if raw, err = t.zip.DecodeAll(zipped, raw[:0]); err != nil {
		return fail(err)
	}
	if len(raw) != size {
		return fail(fmt.Errorf("%d bytes, want %d", len(raw), size))
	}
	return raw, nil
}

// block returns an unpacked block from the cache or the file: that of a set which
// holds a row. It returns the number of the row in it, too.
func (t *Table) block(kind, set, row int) (b *block, in int, err error) {
	number, first, n := t.shapes[kind].block(&t.info, set, row)
	in = row - first
	t.mu.Lock()
	b, ok := t.cache[number]
	t.mu.Unlock()
	if ok {
		return b, in, nil
	}
	b = &block{at: t.offsets(make([]uint32, 0, n+1), kind, first, n)}
	if b.raw, err = t.unpack(number, int(b.at[n]), nil); err != nil {
		return nil, 0, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.cache[number]; ok {
		return b, in, nil // another goroutine has unpacked it, too
	}
	if len(t.order) == t.limit {
		delete(t.cache, t.order[0])
		t.order = t.order[1:]
	}
	t.cache[number] = b
	t.order = append(t.order, number)
	return b, in, nil
}

// Row is the positions that differ only in the army of the seat that moves last
// in turn order from the one to move. It belongs to one goroutine.
type Row struct {
	t      *Table
	seat   int // to move
	last   int
	number int
	taken  bitboard.Set128 // by the other armies
	free   bitboard.Set128 // places of the last army
	codes  [][]byte        // of each set that was asked for
}

// Row returns the positions with a seat to move, armies being the cells of each
// seat's pieces; the army of the seat before the one to move is
// left open.
func (t *Table) Row(seat int, armies []bitboard.Set128) (*Row, error) {
	i := &t.info
	if len(armies) != i.Seats || seat < 0 || seat >= i.Seats {
		return nil, fmt.Errorf("tiles: %s: %d armies, seat %d to move", t.name, len(armies), seat)
	}
	r := &Row{t: t, seat: seat, last: (seat + i.Seats - 1) % i.Seats, codes: make([][]byte, len(i.Sets))}
	dims := t.shapes[seat%i.Period].dims
	for n := range i.Seats - 1 {
		s := (seat + n) % i.Seats
		if !armies[s].And(r.taken).IsEmpty() {
			return nil, fmt.Errorf("tiles: %s: armies overlap", t.name)
		}
		r.taken = r.taken.Or(armies[s])
		set, err := t.places(s, armies[s])
		if err != nil {
			return nil, fmt.Errorf("tiles: %s: %w", t.name, err)
		}
		r.number = r.number*dims[n] + t.rank(set, bitboard.First128(maxCells))
	}
	for c := range t.open[r.last].AndNot(r.taken).Cells() {
		r.free = r.free.With(int(t.place[r.last][c]))
	}
	return r, nil
}

// Tile returns the number of the tile that holds the row, as the file has them.
func (r *Row) Tile() int {
	kind := r.seat % r.t.info.Period
	tile := r.number / r.t.shapes[kind].tileRows
	for _, s := range r.t.shapes[:kind] {
		tile += s.tiles
	}
	return tile
}

// Tiles returns the number of tiles.
func (t *Table) Tiles() (n int) {
	for _, s := range t.shapes {
		n += s.tiles
	}
	return n
}

// Value returns what a set of seats can force against all others, and in how many
// plies, 0 for a draw, with an army of the seat left open; seats is not empty, and
// not all.
func (r *Row) Value(seats uint8, army bitboard.Set128) (game.Value, int, error) {
	fail := func(err error) (game.Value, int, error) {
		return game.Unknown, 0, fmt.Errorf("tiles: %s: %w", r.t.name, err)
	}
	n := r.t.info.Seats
	whole := uint8(1<<n - 1)
	set := (seats>>r.seat | seats<<(n-r.seat)) & whole
	if set == 0 || set == whole || seats > whole {
		return fail(fmt.Errorf("no such set of seats: %b", seats))
	}
	if !army.And(r.taken).IsEmpty() {
		return fail(errors.New("armies overlap"))
	}
	places, err := r.t.places(r.last, army)
	if err != nil {
		return fail(err)
	}
	negate := set&1 == 0
	if negate {
		set ^= whole
	}
	codes := &r.codes[set/2]
	if *codes == nil {
		b, in, err := r.t.block(r.seat%r.t.info.Period, int(set/2), r.number)
		if err != nil {
			return game.Unknown, 0, err
		}
		*codes = b.raw[b.at[in]:b.at[in+1]]
	}
	v, d := decode((*codes)[r.t.rank(places, r.free)])
	if negate {
		v = v.Negate()
	}
	return v, d, nil
}

// Value returns what a set of seats can force in a position against all others,
// and in how many plies, 0 for a draw. armies are the cells of each seat's pieces;
// seats is not empty, and not all.
func (t *Table) Value(seats uint8, seat int, armies []bitboard.Set128) (game.Value, int, error) {
	r, err := t.Row(seat, armies)
	if err != nil {
		return game.Unknown, 0, err
	}
	return r.Value(seats, armies[r.last])
}
