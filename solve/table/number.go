package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"

	"perfectplay/game"
)

// Place is the place of a position in each layer.
type Place struct{ Block, Row, At int }

// Size is the size of a layer.
type Size struct {
	Numbers uint64
	Blocks  int
	Largest int // positions of the largest block
}

// Numbering gives positions their places in the layers of a table. A layer has blocks, a block
// rows, a row positions. It is immutable and safe for concurrent use.
type Numbering interface {
	// Place returns the place of a position. The error says why it has none.
	Place(s game.State) (Place, error)
	Size() Size
	// Rows appends the first position of each row of a block, then the number of positions of the
	// block. The totals over all blocks are the numbers that Size returns.
	Rows(block int, at []uint32) []uint32
}

// Plan is a numbering that takes Bytes of memory.
type Plan struct {
	Bytes uint64
	Make  func() (Numbering, error)
}

// Walker lists positions. It belongs to one goroutine.
type Walker interface {
	// Units is the number of units of work: positions that are best visited together. Bundle is
	// the number of positions of a unit that a sample takes.
	Units() uint64
	Bundle() int
	// Unit calls do for the positions of a unit until do fails. s is nil for an illegal position; else
	// it is valid during the call, and do must leave it unchanged. weight is the number of positions
	// that it stands for, with its mirror image.
	Unit(i uint64, do func(s game.State, p Place, weight uint64) error) error
	// Place is as for a [Numbering].
	Place(s game.State) (Place, error)
}

// Lister is a numbering that lists positions in the order of a table. Each walker belongs to one
// goroutine.
type Lister interface {
	Walker() Walker
}

// The numberings common to all games.
const (
	ByGame = "game" // numbers of a [game.Numberer]
	ByKeys = "keys" // keys, ascending by their first word, then the second, …

	maxKeyWords = 6
	perBlock    = 1 << 16 // positions of a block
)

// ErrUnknown says that a table does not have a position.
var ErrUnknown = errors.New("the table does not have this position: the start does not lead to it")

// Even is a layer of blocks with equal numbers of positions, each of one row.
type Even struct {
	Numbers uint64
	Per     int // positions of each block but the last
}

// Size implements [Numbering].
func (e Even) Size() Size {
	return Size{e.Numbers, int((e.Numbers + uint64(e.Per) - 1) / uint64(e.Per)), int(min(uint64(e.Per), e.Numbers))}
}

// Rows implements [Numbering].
func (e Even) Rows(block int, at []uint32) []uint32 {
	return append(at, 0, uint32(min(uint64(e.Per), e.Numbers-uint64(block)*uint64(e.Per))))
}

// At is the place of a number.
func (e Even) At(n uint64) Place {
	return Place{Block: int(n / uint64(e.Per)), At: int(n % uint64(e.Per))}
}

// numbers is the numbering by a game's own numbers.
type numbers struct {
	Even
	game game.Game
	by   game.Numberer
}

// Numbers is the numbering [ByGame].
func Numbers(g game.Game) (Numbering, error) {
	by := game.NumbererOf(g)
	if by == nil {
		return nil, errors.New("the game does not number its positions")
	}
	return numbers{Even{by.Numbers(), perBlock}, g, by}, nil
}

func (n numbers) Place(s game.State) (Place, error) {
	if i := n.by.Number(s); i < n.Numbers {
		return n.At(i), nil
	}
	return Place{}, ErrUnknown
}

// Walker implements [Lister].
func (n numbers) Walker() Walker { return &numbersWalker{n, n.game.Start()} }

type numbersWalker struct {
	numbers
	state game.State
}

// unit is the count of numbers in a unit of work.
const unit = 1 << 6

func (w *numbersWalker) Units() uint64 { return (w.Numbers + unit - 1) / unit }
func (w *numbersWalker) Bundle() int   { return 1 }

func (w *numbersWalker) Unit(i uint64, do func(s game.State, p Place, weight uint64) error) error {
	for n := i * unit; n < min((i+1)*unit, w.Numbers); n++ {
		if !w.by.At(w.state, n) {
			continue
		}
		if err := do(w.state, w.At(n), 1); err != nil {
			return err
		}
	}
	return nil
}

// keys is the numbering by keys in ascending order, all in memory.
type keys struct {
	Even
	game  game.Game
	width int
	list  []uint64
}

// Keys is the numbering [ByKeys] of n keys, to write a table with.
func Keys(n uint64) Numbering { return &keys{Even: Even{n, perBlock}} }

func (k *keys) read(t *Table) error {
	starter, ok := k.game.Start().(game.Keyer)
	if k.width = t.info.KeyWords; !ok || starter.KeyWords() != k.width {
		return fmt.Errorf("its keys have %d words, those of the game do not", k.width)
	}
	w := k.width
	k.list = make([]uint64, k.Numbers*uint64(w))
	var buf []byte
	for b := range k.Size().Blocks {
		n := int(k.Rows(b, nil)[1])
		var err error
		if buf, err = t.blocks.Unpack(b, 8*w*n, buf); err != nil {
			return err
		}
		for at := range n {
			for word := range w {
				k.list[(b*perBlock+at)*w+word] = binary.BigEndian.Uint64(buf[8*(word*n+at):])
			}
		}
	}
	for n := 1; n < int(k.Numbers); n++ {
		if slices.Compare(k.list[(n-1)*w:n*w], k.list[n*w:(n+1)*w]) >= 0 {
			return fmt.Errorf("keys %d and %d are not in order", n-1, n)
		}
	}
	return nil
}

func (k *keys) number(s game.State) (uint64, error) {
	w := k.width
	var key [maxKeyWords]uint64
	s.(game.Keyer).Key(key[:w])
	n, found := sort.Find(int(k.Numbers), func(i int) int { return slices.Compare(key[:w], k.list[i*w:(i+1)*w]) })
	if !found {
		return 0, ErrUnknown
	}
	return uint64(n), nil
}

func (k *keys) Place(s game.State) (Place, error) {
	n, err := k.number(s)
	return k.At(n), err
}

// Walker implements [Lister].
func (k *keys) Walker() Walker { return &keysWalker{k} }

// keysWalker visits the positions reached from the start, one for each key. All are in one unit,
// because a key does not yield its position.
type keysWalker struct{ *keys }

func (keysWalker) Units() uint64 { return 1 }
func (keysWalker) Bundle() int   { return 1 << 62 }

func (w keysWalker) Unit(_ uint64, do func(s game.State, p Place, weight uint64) error) error {
	seen, visited := make([]uint64, w.Numbers/64+1), uint64(0)
	s := w.game.Start()
	err := game.Walk(s, func() (fresh bool, err error) {
		n, err := w.number(s)
		if err != nil {
			return false, fmt.Errorf("position %s: %w", s, err)
		}
		if seen[n/64]>>(n%64)&1 != 0 {
			return false, nil
		}
		seen[n/64] |= 1 << (n % 64)
		visited++
		return true, do(s, w.At(n), 1)
	})
	if err == nil && visited != w.Numbers {
		err = fmt.Errorf("the start leads to %d positions, the table has %d", visited, w.Numbers)
	}
	return err
}
