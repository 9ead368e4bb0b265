package table

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"perfectplay/game"
	"perfectplay/internal/blocks"
	"perfectplay/internal/files"
)

// Table is an open file. It is safe for concurrent use.
type Table struct {
	name   string
	file   *os.File
	blocks *blocks.Unpacker
	info   Info
	game   game.Game
	by     game.Numberer // nil for a table by keys
	keys   []uint64      // ascending
	side   [][MaxSeats]uint8

	cache []atomic.Pointer[[]byte] // blocks of layers
	most  int                      // blocks that may be in memory
	mu    sync.Mutex               // of what follows: who unpacks a block
	held  []int                    // blocks in memory, as a ring
	next  int
}

// IsTable says whether a file begins like a table.
func IsTable(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(format.Magic))
	n, _ := f.Read(start)
	return string(start[:n]) == format.Magic
}

// Describe returns the description of a table, which agrees with itself.
func Describe(name string) (Info, error) {
	t, err := open(name)
	if err != nil {
		return Info{}, fmt.Errorf("table: %s: %w", name, err)
	}
	t.blocks.Close()
	return t.info, t.file.Close()
}

// Open opens a table within memory bytes and the game that it is of, by what returns the
// game of an id and rules.
func Open(name string, memory uint64, of func(id, rules string) (game.Game, error)) (*Table, error) {
	t, err := open(name)
	if err == nil {
		if err = t.ready(memory, of); err != nil {
			_ = t.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("table: %s: %w", name, err)
	}
	return t, nil
}

// open reads what is not blocks.
func open(name string) (t *Table, err error) {
	f, err := files.Open(name, 1<<62)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	stat, err := f.Stat()
	if err != nil {
		return nil, err
	}
	t = &Table{name: name, file: f}
	if t.blocks, err = blocks.NewUnpacker(f, uint64(stat.Size()), format, 8*6*perBlock); err != nil {
		return nil, err
	}
	if err := t.blocks.Describe(&t.info); err != nil {
		return nil, err
	}
	if err := t.info.check(t.blocks.Blocks()); err != nil {
		return nil, fmt.Errorf("the description: %w", err)
	}
	return t, t.blocks.CheckIndex()
}

// ready makes a table ready for questions.
func (t *Table) ready(memory uint64, of func(id, rules string) (game.Game, error)) (err error) {
	i := &t.info
	if t.game, err = of(i.Game, i.Rules); err != nil {
		return fmt.Errorf("its game: %w", err)
	}
	if t.game.ID() != i.Game || t.game.Rules() != i.Rules || t.game.Seats() != i.Seats {
		return fmt.Errorf("it is of %s %s with %d seats, the game is %s %s with %d", i.Game, i.Rules, i.Seats, t.game.ID(), t.game.Rules(), t.game.Seats())
	}
	keys := i.Numbers * uint64(8*i.KeyWords)
	if keys+2*perBlock > memory {
		return fmt.Errorf("%d bytes of memory are needed, %d are allowed", keys+2*perBlock, memory)
	}
	t.most = int(min((memory-keys)/(perBlock+oddBytes), uint64(len(i.Sets)*i.perLayer())))
	t.cache = make([]atomic.Pointer[[]byte], len(i.Sets)*i.perLayer())
	for _, set := range i.Sets {
		var side [MaxSeats]uint8
		for s := range i.Seats {
			side[s] = 1 &^ (uint8(set) >> s)
		}
		t.side = append(t.side, side)
	}
	if i.Numbering == ByGame {
		by, ok := t.game.(game.Numberer)
		if !ok || by.Numbers() != i.Numbers {
			return fmt.Errorf("its positions have %d numbers, those of the game do not", i.Numbers)
		}
		t.by = by
		return nil
	}
	if k, ok := t.game.Start().(game.Keyer); !ok || k.KeyWords() != i.KeyWords {
		return fmt.Errorf("its keys have %d words, those of the game do not", i.KeyWords)
	}
	return t.readKeys()
}

// readKeys reads all keys into memory.
func (t *Table) readKeys() error {
	i := &t.info
	w := i.KeyWords
	t.keys = make([]uint64, i.Numbers*uint64(w))
	var buf []byte
	for b := range i.keyBlocks() {
		n := i.inBlock(b)
		var err error
		if buf, err = t.blocks.Unpack(b, 8*w*n, buf); err != nil {
			return err
		}
		for at := range n {
			for word := range w {
				t.keys[(b*perBlock+at)*w+word] = binary.BigEndian.Uint64(buf[8*(word*n+at):])
			}
		}
	}
	for n := 1; n < int(i.Numbers); n++ {
		if slices.Compare(t.keys[(n-1)*w:n*w], t.keys[n*w:(n+1)*w]) >= 0 {
			return fmt.Errorf("keys %d and %d are not in order", n-1, n)
		}
	}
	return nil
}

// Info returns the description.
func (t *Table) Info() Info { return t.info }

// Game returns the game that the table is of.
func (t *Table) Game() game.Game { return t.game }

// Close closes the file. No call may be under way or follow.
func (t *Table) Close() error {
	t.blocks.Close()
	return t.file.Close()
}

// ErrUnknown says that a position is none of a table's.
var ErrUnknown = errors.New("the table does not have this position: the start does not lead to it")

// Number returns the number of a position.
func (t *Table) Number(s game.State) (uint64, error) {
	if t.by != nil {
		if n := t.by.Number(s); n < t.info.Numbers {
			return n, nil
		}
		return 0, ErrUnknown
	}
	w := t.info.KeyWords
	var key [6]uint64
	s.(game.Keyer).Key(key[:w])
	lo, hi := 0, int(t.info.Numbers)
	for lo < hi {
		mid := (lo + hi) / 2
		if slices.Compare(t.keys[mid*w:(mid+1)*w], key[:w]) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == int(t.info.Numbers) || !slices.Equal(t.keys[lo*w:(lo+1)*w], key[:w]) {
		return 0, ErrUnknown
	}
	return uint64(lo), nil
}

// Value returns what a set of seats, bit i for seat i, can force from a position, and the
// plies to the end of the game, 0 for a draw. What all of two seats can do together is not
// in a table.
func (t *Table) Value(s game.State, seats uint8) (game.Value, int, error) {
	n, err := t.Number(s)
	if err != nil {
		return game.Unknown, 0, err
	}
	whole := uint8(1<<t.info.Seats - 1)
	first := seats
	if seats&1 == 0 {
		first = whole &^ seats
	}
	layer := slices.Index(t.info.Sets, int(first))
	if layer < 0 {
		return game.Unknown, 0, fmt.Errorf("table: what seats %b can force is not in it", seats)
	}
	side, d, decided, err := t.Outcome(layer, n, s.Seat())
	switch {
	case err != nil:
		return game.Unknown, 0, err
	case !decided:
		return game.Draw, 0, nil
	case side == 0 == (seats == first):
		return game.Win, d, nil
	}
	return game.Loss, d, nil
}

// Outcome is which side of a layer wins from the position of a number where a seat is to
// move, 0 for its set and 1 for the others, and in how many plies.
func (t *Table) Outcome(layer int, n uint64, seat int) (side uint8, plies int, decided bool, err error) {
	b, at := int(n/perBlock), int(n%perBlock)
	p := t.cache[layer*t.info.perLayer()+b].Load()
	if p == nil {
		if p, err = t.load(layer, b); err != nil {
			return 0, 0, false, err
		}
	}
	code := int((*p)[at])
	if code == 0 || code > MaxDistance+1 {
		return 0, 0, false, nil
	}
	d, seats := code-1, t.info.Seats
	side = t.side[layer][(seat+d-1+seats)%seats]
	if t.info.Odd[layer] {
		count := t.info.inBlock(b)
		side ^= (*p)[count+at/8] >> (at % 8) & 1
	}
	return side, d, true, nil
}

// load unpacks a block of a layer, and lets another go if there are too many.
func (t *Table) load(layer, b int) (*[]byte, error) {
	i := layer*t.info.perLayer() + b
	raw, err := t.blocks.Unpack(t.info.keyBlocks()+i, t.info.sized(layer, b), nil)
	if err != nil {
		return nil, fmt.Errorf("table: %s: %w", t.name, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.cache[i].Load(); p != nil {
		return p, nil // another was faster
	}
	if len(t.held) < t.most {
		t.held = append(t.held, i)
	} else {
		t.cache[t.held[t.next]].Store(nil)
		t.held[t.next] = i
		t.next = (t.next + 1) % len(t.held)
	}
	t.cache[i].Store(&raw)
	return &raw, nil
}

// Check unpacks all blocks and compares the signature.
func (t *Table) Check(ctx context.Context, report func(share float64)) error {
	i := &t.info
	sum := sha256.New()
	sum.Write(i.begin())
	var buf []byte
	all := t.blocks.Blocks()
	for b := range all {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		size := 8 * i.KeyWords * i.inBlock(min(b, i.perLayer()-1))
		if k := b - i.keyBlocks(); k >= 0 {
			size = i.sized(k/i.perLayer(), k%i.perLayer())
		}
		var err error
		if buf, err = t.blocks.Unpack(b, size, buf); err != nil {
			return fmt.Errorf("table: %s: %w", t.name, err)
		}
		sum.Write(buf)
		report(float64(b+1) / float64(all))
	}
	if have := hex.EncodeToString(sum.Sum(nil)); have != i.Signature {
		return fmt.Errorf("table: %s: its signature is %s, that of its contents %s", t.name, cmp.Or(i.Signature, "empty"), have)
	}
	return nil
}

// Walk visits all positions: by their numbers on several goroutines, each with what begin
// returns to it, or those that the start leads to, each class of one key once, on one. The
// state is valid during the call and must come back as it was.
func (t *Table) Walk(ctx context.Context, threads int, report func(share float64), begin func() func(n uint64, s game.State) error) error {
	if t.by == nil {
		return t.explore(ctx, report, begin())
	}
	const some = 1 << 12
	tasks := (t.info.Numbers + some - 1) / some
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next, done atomic.Uint64
	var all sync.WaitGroup
	var mu sync.Mutex
	for range threads {
		all.Go(func() {
			s, visit := t.game.Start(), begin()
			for task := next.Add(1) - 1; task < tasks && ctx.Err() == nil; task = next.Add(1) - 1 {
				for n := task * some; n < min((task+1)*some, t.info.Numbers); n++ {
					if !t.by.At(s, n) {
						continue
					}
					if err := visit(n, s); err != nil {
						cancel(err)
						return
					}
				}
				mu.Lock()
				report(float64(done.Add(1)) / float64(tasks))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// explore visits what the start leads to.
func (t *Table) explore(ctx context.Context, report func(share float64), visit func(n uint64, s game.State) error) error {
	seen := make([]uint64, t.info.Numbers/64+1)
	s := t.game.Start()
	var moves []game.Move
	var left []int // moves of each position on the way that are still to be made
	visited := uint64(0)
	arrive := func() (fresh bool, err error) {
		n, err := t.Number(s)
		if err != nil || seen[n/64]>>(n%64)&1 != 0 {
			return false, err
		}
		seen[n/64] |= 1 << (n % 64)
		if visited++; visited%4096 == 0 {
			report(float64(visited) / float64(t.info.Numbers))
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
		}
		if err := visit(n, s); err != nil {
			return false, err
		}
		before := len(moves)
		moves = s.Moves(moves)
		left = append(left, len(moves)-before)
		return true, nil
	}
	if _, err := arrive(); err != nil {
		return err
	}
	for len(left) > 0 {
		top := &left[len(left)-1]
		if *top == 0 {
			if left = left[:len(left)-1]; len(left) > 0 {
				s.Unmake()
			}
			continue
		}
		*top--
		s.Make(moves[len(moves)-1])
		moves = moves[:len(moves)-1]
		fresh, err := arrive()
		if err != nil {
			return fmt.Errorf("position %s: %w", s, err)
		}
		if !fresh {
			s.Unmake()
		}
	}
	if visited != t.info.Positions {
		return fmt.Errorf("the start leads to %d positions, the table has %d", visited, t.info.Positions)
	}
	return nil
}
