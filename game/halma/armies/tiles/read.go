package tiles

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"

	"perfectplay/game"
	"perfectplay/internal/files"
)

// Table is an open file. It is safe for concurrent use. Blocks are read when they
// are needed, and the last few kept.
type Table struct {
	name   string
	info   Info
	shapes []shape
	file   *os.File
	index  uint64 // where the index is, and the blocks end
	zip    *zstd.Decoder

	mu    sync.Mutex
	cache map[int][]byte
	order []int // blocks that are kept, the oldest first
	limit int
}

// maxInfo bounds the description, in bytes.
const maxInfo = 1 << 16

// Open opens a table, and keeps as many blocks as go into memory bytes, at least
// one. It checks the description and the index; blocks are checked when they are
// read.
func Open(name string, memory uint64) (_ *Table, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("tiles: %s: %w", name, err)
		}
	}()
	f, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	t := &Table{name: name, file: f, cache: map[int][]byte{}}
	if err := t.open(); err != nil {
		return nil, err
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
	return err == nil && string(start) == Magic
}

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
	start, err := t.read(0, min(size, uint64(len(Magic))))
	if err != nil {
		return err
	}
	if string(start) != Magic {
		return fmt.Errorf("this is no table of several armies: it does not begin with %q", Magic[:len(Magic)-1])
	}
	if size < uint64(len(Magic)+trailerLen) {
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
	if end.index > end.info || end.info > body || end.length > maxInfo || uint64(end.blocks)*entrySize != end.info-end.index || end.info+uint64(end.length) != body {
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
	if t.shapes, err = t.info.shapes(); err != nil {
		return fmt.Errorf("the description contradicts itself: %w", err)
	}
	blocks := 0
	for _, s := range t.shapes {
		blocks += s.slabs * len(t.info.Sets) * s.slabBlocks
	}
	if blocks != int(end.blocks) {
		return fmt.Errorf("%d blocks, described are %d", end.blocks, blocks)
	}
	t.index = end.index
	at := uint64(len(Magic))
	entries := bufio.NewReaderSize(io.NewSectionReader(t.file, int64(end.index), int64(end.info-end.index)), 1<<16)
	for b := range end.blocks {
		var e [entrySize]byte
		if _, err := io.ReadFull(entries, e[:]); err != nil {
			return fmt.Errorf("the index: %w", err)
		}
		from, size := binary.LittleEndian.Uint64(e[:]), binary.LittleEndian.Uint32(e[8:])
		if from != at || uint64(size) > end.index-from {
			return fmt.Errorf("the index says that block %d is at %d, want %d", b, from, at)
		}
		at += uint64(size)
	}
	if at != end.index {
		return fmt.Errorf("%d bytes between the last block and the index", end.index-at)
	}
	return nil
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
	e, err := t.read(t.index+uint64(block)*entrySize, entrySize)
	if err != nil {
		return fail(err)
	}
	from, length := binary.LittleEndian.Uint64(e), uint64(binary.LittleEndian.Uint32(e[8:]))
	if from > t.index || length > t.index-from || length > uint64(2*size+1<<10) {
		return fail(errors.New("the index has changed"))
	}
	zipped, err := t.read(from, length)
	if err != nil {
		return fail(err)
	}
	if checksum(zipped) != binary.LittleEndian.Uint32(e[12:]) {
		return fail(errors.New("damaged: its checksum is wrong"))
	}
	if raw, err = t.zip.DecodeAll(zipped, raw[:0]); err != nil {
		return fail(err)
	}
	if len(raw) != size {
		return fail(fmt.Errorf("%d bytes, want %d", len(raw), size))
	}
	return raw, nil
}

// block returns an unpacked block from the cache or the file.
func (t *Table) block(block, size int) ([]byte, error) {
	t.mu.Lock()
	b, ok := t.cache[block]
	t.mu.Unlock()
	if ok {
		return b, nil
	}
	raw, err := t.unpack(block, size, nil)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if b, ok := t.cache[block]; ok {
		return b, nil // another goroutine has unpacked it, too
	}
	if len(t.order) == t.limit {
		delete(t.cache, t.order[0])
		t.order = t.order[1:]
	}
	t.cache[block] = raw
	t.order = append(t.order, block)
	return raw, nil
}

// place returns the kind and ranks of a position.
func (t *Table) place(seat int, armies []uint64) (kind int, ranks []int, err error) {
	i := &t.info
	if len(armies) != i.Seats || seat < 0 || seat >= i.Seats {
		return 0, nil, fmt.Errorf("tiles: %s: %d armies, seat %d to move", t.name, len(armies), seat)
	}
	taken := uint64(0)
	for n := range i.Seats {
		s := (seat + n) % i.Seats
		army := armies[s]
		if army&taken != 0 {
			return 0, nil, fmt.Errorf("tiles: %s: armies overlap", t.name)
		}
		taken |= army
		r, err := i.rank(s, army)
		if err != nil {
			return 0, nil, fmt.Errorf("tiles: %s: %w", t.name, err)
		}
		ranks = append(ranks, r)
	}
	return seat % i.Period, ranks, nil
}

// rank returns the rank of a seat's army.
func (i *Info) rank(seat int, army uint64) (int, error) {
	if bits.OnesCount64(army) != i.Pieces || army>>i.Cells != 0 {
		return 0, fmt.Errorf("seat %d has %d pieces, want %d on %d cells", seat, bits.OnesCount64(army), i.Pieces, i.Cells)
	}
	for range seat / i.Period {
		back := uint64(0)
		for c, to := range i.Turn {
			back |= army >> to & 1 << c
		}
		army = back
	}
	r, found := uint64(0), 0
	for p, c := range i.Places[seat%i.Period] {
		if army>>c&1 != 0 {
			found++
			r += choose(p, found)
		}
	}
	if found != i.Pieces {
		return 0, fmt.Errorf("seat %d: a piece stands where none may", seat)
	}
	return int(r), nil
}

// Value returns what a set of seats can force in a position against all others,
// and in how many plies, 0 for a draw. armies are the cells of each seat's pieces,
// bit c for cell c; seats is not empty, and not all.
func (t *Table) Value(seats uint8, seat int, armies []uint64) (game.Value, int, error) {
	i := &t.info
	kind, ranks, err := t.place(seat, armies)
	if err != nil {
		return game.Unknown, 0, err
	}
	n := i.Seats
	whole := uint8(1<<n - 1)
	set := (seats>>seat | seats<<(n-seat)) & whole
	if set == 0 || set == whole || seats > whole {
		return game.Unknown, 0, fmt.Errorf("tiles: %s: no such set of seats: %b", t.name, seats)
	}
	negate := set&1 == 0
	if negate {
		set ^= whole
	}
	s := &t.shapes[kind]
	slab := 0
	for k, r := range ranks[:n-2] {
		slab = slab*s.dims[k] + r
	}
	row := ranks[n-2]
	first := row / i.Rows * i.Rows
	size := min(i.Rows, s.slabRows-first) * s.row
	raw, err := t.block(s.block(len(i.Sets), slab, int(set/2), row/i.Rows), size)
	if err != nil {
		return game.Unknown, 0, err
	}
	v, d := decode(raw[(row-first)*s.row+ranks[n-1]])
	if negate {
		v = v.Negate()
	}
	return v, d, nil
}

// Check reads every block, compares checksums and signature, and counts all
// positions again by where the armies of their places stand. progress, if not nil,
// gets the share done.
func (t *Table) Check(ctx context.Context, progress func(done float64)) error {
	i := &t.info
	sum := sha256.New()
	armies, err := i.armies()
	if err != nil {
		return fmt.Errorf("tiles: %s: %w", t.name, err)
	}
	var raw []byte
	all, done := 0, 0
	for _, s := range t.shapes {
		all += s.slabs
	}
	for kind := range t.shapes {
		s := &t.shapes[kind]
		counts := make([]Counts, len(i.Sets))
		for slab := range s.slabs {
			if err := ctx.Err(); err != nil {
				return err
			}
			still, rest, real := uint64(0), slab, true
			for n := i.Seats - 3; n >= 0; n-- {
				army := armies[(kind+n)%i.Seats][rest%s.dims[n]]
				rest /= s.dims[n]
				real = real && army&still == 0
				still |= army
			}
			for set := range i.Sets {
				for b := range s.slabBlocks {
					first := b * i.Rows
					rows := min(i.Rows, s.slabRows-first)
					if raw, err = t.unpack(s.block(len(i.Sets), slab, set, b), rows*s.row, raw); err != nil {
						return err
					}
					sum.Write(raw)
					for r := 0; real && r < rows; r++ {
						army := armies[(kind+i.Seats-2)%i.Seats][first+r]
						if army&still != 0 {
							continue
						}
						blocked := still | army
						codes := raw[r*s.row : (r+1)*s.row]
						for c, last := range armies[(kind+i.Seats-1)%i.Seats] {
							if last&blocked == 0 {
								counts[set].Add(codes[c], 1)
							}
						}
					}
				}
			}
			done++
			if progress != nil {
				progress(float64(done) / float64(all))
			}
		}
		for set, c := range counts {
			if c != i.Counts[kind][set] {
				return fmt.Errorf("tiles: %s: set %b has %d wins, %d losses and %d draws, the description says %d, %d and %d", t.name, i.Sets[set],
					c.Wins, c.Losses, c.Draws, i.Counts[kind][set].Wins, i.Counts[kind][set].Losses, i.Counts[kind][set].Draws)
			}
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != i.Signature {
		return fmt.Errorf("tiles: %s: the signature is %s, the description says %s", t.name, got, i.Signature)
	}
	return nil
}

// armies lists the armies of each seat by rank, as they stand on the board.
func (i *Info) armies() ([][]uint64, error) {
	var list [][]uint64
	for seat := range i.Seats {
		places := i.Places[seat%i.Period]
		armies := make([]uint64, choose(len(places), i.Pieces))
		var put func(from, left int, army uint64) error
		put = func(from, left int, army uint64) error {
			if left == 0 {
				r, err := i.rank(seat, army)
				if err == nil {
					armies[r] = army
				}
				return err
			}
			for p := from; p < len(places); p++ {
				c := places[p]
				for range seat / i.Period {
					c = i.Turn[c]
				}
				if err := put(p+1, left-1, army|1<<c); err != nil {
					return err
				}
			}
			return nil
		}
		if err := put(0, i.Pieces, 0); err != nil {
			return nil, err
		}
		list = append(list, armies)
	}
	return list, nil
}
