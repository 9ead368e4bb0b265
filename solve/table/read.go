package table

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"

	"perfectplay/game"
	"perfectplay/internal/blocks"
	"perfectplay/internal/files"
)

// Table is an open table. It is safe for concurrent use. It reads on demand and does not map the
// file: a file that is cut off while open leads to an error, and a file with a false size takes no
// memory.
type Table struct {
	name      string
	file      io.Closer
	blocks    *blocks.Unpacker
	info      Info
	game      game.Game
	numbering Numbering
	first     int // number of blocks of keys, which come before the blocks of layers

	cache []atomic.Pointer[block] // the blocks of layers that are in memory
	most  int                     // blocks allowed in memory
	mu    sync.Mutex              // guards the fields below; held to unpack a block
	held  []int                   // blocks in memory, as a ring
	next  int
}

// block is a block in memory, and the starts of its rows.
type block struct {
	raw []byte
	at  []uint32
}

// IsTable says whether a file begins like a table of any version.
func IsTable(name string) bool {
	f, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 64)
	n, _ := io.ReadFull(f, start)
	return format.Begins(start[:n])
}

// Describe returns the description of a table, checked for contradictions. Only the game can check
// whether it is true.
func Describe(name string) (Info, error) {
	t, _, err := openFile(name)
	if err != nil {
		return Info{}, fmt.Errorf("table: %s: %w", name, err)
	}
	return t.info, t.file.Close()
}

// Opener returns the game of a table and, if the numbering is neither [ByGame] nor [ByKeys], its
// numbering. It refuses a description that contradicts the game.
type Opener func(i Info) (game.Game, Plan, error)

// Open opens a table within memory bytes: it refuses one whose numbering takes more, and keeps
// unpacked blocks in the rest. It checks the description and the index; blocks are checked when
// they are read, or by [Table.Check].
func Open(name string, memory uint64, of Opener) (*Table, error) {
	t, r, err := openFile(name)
	if err == nil {
		if err = t.ready(r, memory, of); err != nil {
			t.file.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("table: %s: %w", name, err)
	}
	return t, nil
}

func openFile(name string) (*Table, *blocks.Reader, error) {
	f, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return nil, nil, err
	}
	stat, err := f.Stat()
	if err == nil {
		t := &Table{name: name, file: f}
		var r *blocks.Reader
		if r, err = t.read(f, uint64(stat.Size())); err == nil {
			return t, r, nil
		}
	}
	f.Close()
	return nil, nil, err
}

func (t *Table) read(f io.ReaderAt, size uint64) (*blocks.Reader, error) {
	r, err := blocks.Read(f, size, format)
	if err != nil {
		return nil, err
	}
	if err := r.Describe(&t.info); err != nil {
		return nil, err
	}
	if err := t.info.check(); err != nil {
		return nil, fmt.Errorf("the description contradicts itself: %w", err)
	}
	return r, nil
}

func (t *Table) ready(r *blocks.Reader, memory uint64, of Opener) error {
	i := &t.info
	g, plan, err := of(*i)
	switch {
	case err != nil:
		return err
	case !i.Is(g) || i.Seats != g.Seats():
		return fmt.Errorf("it is of %s under rules %s with %d seats, the game is %s under %s with %d", i.Game, i.Rules, i.Seats, g.ID(), g.Rules(), g.Seats())
	}
	if print := game.Fingerprint(g); i.Fingerprint != print {
		return fmt.Errorf("%s of %s have changed since it was written: %s", game.Changed(i.Fingerprint, print), i.Game, format.Anew)
	}
	t.game = g
	var k *keys
	switch i.Numbering {
	case ByGame:
		plan = Plan{Make: func() (Numbering, error) { return Numbers(g) }}
	case ByKeys:
		k = &keys{Even: Even{i.Numbers, perBlock}, game: g}
		t.first = k.Size().Blocks
		plan = Plan{Bytes: i.Numbers * uint64(8*i.KeyWords), Make: func() (Numbering, error) { return k, nil }}
	}
	if plan.Make == nil {
		return fmt.Errorf("numbers by %q are not known to this program", i.Numbering)
	}
	all := max(r.Blocks()-t.first, 1)
	need := plan.Bytes + uint64(8*all) + 1<<16
	if need > memory {
		return fmt.Errorf("to number its positions takes %d bytes of memory, %d are allowed", need, memory)
	}
	if t.numbering, err = plan.Make(); err != nil {
		return err
	}
	size := t.numbering.Size()
	largest := i.largest(size)
	switch {
	case size.Numbers != i.Numbers:
		return fmt.Errorf("the description contradicts itself: %d numbers, the game has %d", i.Numbers, size.Numbers)
	case r.Blocks() != t.first+len(i.Sets)*size.Blocks:
		return fmt.Errorf("%d blocks, want %d", r.Blocks(), t.first+len(i.Sets)*size.Blocks)
	case largest > MaxBlock:
		return fmt.Errorf("a block of %d bytes: at most %d are possible", largest, MaxBlock)
	}
	t.cache = make([]atomic.Pointer[block], all)
	t.most = int(min((memory-need)/uint64(largest), uint64(all)-1)) + 1
	if t.blocks = blocks.NewUnpacker(r, largest); k != nil {
		return k.read(t)
	}
	return nil
}

// Info returns the description.
func (t *Table) Info() Info { return t.info }

// Game returns the game of the table.
func (t *Table) Game() game.Game { return t.game }

// Numbering returns the numbering of positions.
func (t *Table) Numbering() Numbering { return t.numbering }

// Close closes the file. No call may be under way or follow.
func (t *Table) Close() error {
	t.blocks.Close()
	return t.file.Close()
}

// Value returns the result that a set of seats, bit i for seat i, can force from a position, and in
// a table of distances the plies to the end of the game, 0 for a draw. An illegal position has
// value Unknown. A table does not have the results of two seats together.
func (t *Table) Value(s game.State, seats uint8) (game.Value, int, error) {
	p, err := t.numbering.Place(s)
	if err != nil {
		return game.Unknown, 0, err
	}
	return t.At(p, s.Seat(), seats)
}

// At is [Table.Value] for a place and a seat to move.
func (t *Table) At(p Place, seat int, seats uint8) (game.Value, int, error) {
	n := t.info.Seats
	whole := uint8(1<<n - 1)
	set := seats
	if t.info.FromMover {
		set = (seats>>seat | seats<<(n-seat)) & whole
	}
	if set&1 == 0 {
		set ^= whole
	}
	layer := int(set / 2)
	if layer >= len(t.info.Sets) || seats == 0 || seats > whole {
		return game.Unknown, 0, fmt.Errorf("table: it has no results of the seats %b", seats)
	}
	v, d, err := t.Lookup(p, layer)
	if seats>>seat&1 == 0 {
		v = v.Negate()
	}
	return v, d, err
}

// Lookup reads a layer at a place: the value to the side of the seat to move, the set of the layer
// or all others.
func (t *Table) Lookup(p Place, layer int) (v game.Value, plies int, err error) {
	b := t.cache[p.Block*len(t.info.Sets)+layer].Load()
	if b == nil {
		if b, err = t.load(p.Block, layer); err != nil {
			return game.Unknown, 0, err
		}
	}
	at := int(b.at[p.Row]) + p.At
	switch t.info.Bits {
	case 2:
		v, plies = decode(uint16(b.raw[at/4]>>(at%4*2)&3), false)
	case 8:
		v, plies = decode(uint16(b.raw[at]), true)
	default:
		v, plies = decode(uint16(b.raw[2*at])|uint16(b.raw[2*at+1])<<8, true)
	}
	return v, plies, nil
}

// load unpacks a block of a layer, and drops another if too many are in memory.
func (t *Table) load(number, layer int) (*block, error) {
	b := &block{at: t.numbering.Rows(number, nil)}
	i := number*len(t.info.Sets) + layer
	var err error
	if b.raw, err = t.blocks.Unpack(t.first+i, t.info.bytes(int(b.at[len(b.at)-1])), nil); err != nil {
		return nil, fmt.Errorf("table: %s: %w", t.name, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.cache[i].Load(); p != nil {
		return p, nil // another goroutine has unpacked the block meanwhile
	}
	if len(t.held) < t.most {
		t.held = append(t.held, i)
	} else {
		t.cache[t.held[t.next]].Store(nil)
		t.held[t.next] = i
		t.next = (t.next + 1) % len(t.held)
	}
	t.cache[i].Store(b)
	return b, nil
}

// Check unpacks all blocks and compares checksums and signature. report, if not nil, gets the
// share done.
func (t *Table) Check(ctx context.Context, threads int, report func(share float64)) error {
	i, sum, all := &t.info, sha256.New(), t.blocks.Blocks()
	type buffer struct {
		raw []byte
		at  []uint32
	}
	err := blocks.InOrder(ctx, threads, all, func() *buffer { return &buffer{} }, func(b int, w *buffer) (err error) {
		number, width := b, 64*i.KeyWords
		if b >= t.first {
			number, width = (b-t.first)/len(i.Sets), i.Bits
		}
		w.at = t.numbering.Rows(number, w.at[:0])
		w.raw, err = t.blocks.Unpack(b, (int(w.at[len(w.at)-1])*width+7)/8, w.raw)
		return err
	}, func(b int, w *buffer) error {
		sum.Write(w.raw)
		if report != nil {
			report(float64(b+1) / float64(all))
		}
		return nil
	})
	if have := hex.EncodeToString(sum.Sum(nil)); err == nil && have != i.Signature {
		err = fmt.Errorf("the signature is %s, the description says %s", have, i.Signature)
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("table: %s: %w", t.name, err)
	}
	return err
}
