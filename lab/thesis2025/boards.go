package thesis2025

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"perfectplay/internal/table"
	"perfectplay/rank"
)

var errMemory = errors.New("memory budget exceeded")

// boards is the set of visited boards with the winner of each, 0 for a board not won: an
// open-addressing table without deletion. It stores whole keys, so no collision can change a count.
//
// A key has width words. The lowest four bits of the first word belong to the table: a mark that
// the slot is taken, and the winner. Slots are in the order of their hashes.
type boards struct {
	width int
	block table.Block
	slots []uint64 // capacity·width words of the block
	count uint64
	cap   uint64
	limit uint64 // number of boards at which the table grows
	bytes int64  // memory budget
}

const (
	slotTaken   = 1
	winnerShift = 1
	keyShift    = 4
	// minBoards is the smallest capacity.
	minBoards = 1 << 12
	// The table grows when more than loadNumber/loadDenom of its slots are taken.
	loadNumber, loadDenom = 3, 4
)

// newBoards returns an empty set for a budget of bytes, with room for expect boards; 0 if their
// number is unknown.
func newBoards(width int, expect uint64, bytes int64) (*boards, error) {
	b := &boards{width: width, bytes: bytes}
	fits := uint64(bytes) / uint64(8*width)
	if max(minBoards, expect+expect/16) > fits {
		return nil, fmt.Errorf("thesis2025: %d boards of %d bytes in %d MiB: %w", max(expect, minBoards), 8*width, bytes>>20, errMemory)
	}
	return b, b.allocate(min(max(minBoards, expect+expect/2), fits))
}

func (b *boards) allocate(capacity uint64) (err error) {
	if b.block, err = table.Allocate(int(capacity) * b.width); err != nil {
		return fmt.Errorf("thesis2025: %d boards of %d bytes: %w", capacity, 8*b.width, err)
	}
	b.cap, b.slots = capacity, b.block.Words
	b.limit = capacity / loadDenom * loadNumber
	return nil
}

func (b *boards) free() error {
	b.slots = nil
	return b.block.Free()
}

func hashBoard(key []uint64) uint64 {
	h := uint64(0)
	for _, k := range key {
		hi, lo := bits.Mul64(k^h^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
		h = hi ^ lo
	}
	hi, lo := bits.Mul64(h, 0xa0761d6478bd642f)
	return hi ^ lo
}

// find returns the slot of a key, or the free slot where it belongs.
func (b *boards) find(key []uint64) (slot uint64, seen bool) {
	i, _ := bits.Mul64(hashBoard(key), b.cap)
	w := uint64(b.width)
	for ; ; i++ {
		if i == b.cap {
			i = 0
		}
		s := b.slots[i*w : i*w+w]
		if s[0] == 0 {
			return i, false
		}
		if s[0]&^(7<<winnerShift) == key[0]|slotTaken && slices.Equal(s[1:], key[1:]) {
			return i, true
		}
	}
}

// enter adds a board as not won, or returns the winner stored for it. slot is valid until the
// next call.
func (b *boards) enter(key []uint64) (slot uint64, winner int, seen bool, err error) {
	slot, seen = b.find(key)
	w := uint64(b.width)
	if seen {
		return slot, int(b.slots[slot*w] >> winnerShift & 7), true, nil
	}
	if b.count >= b.limit {
		if err := b.grow(); err != nil {
			return 0, 0, false, err
		}
		slot, _ = b.find(key)
	}
	copy(b.slots[slot*w:slot*w+w], key)
	b.slots[slot*w] |= slotTaken
	b.count++
	return slot, 0, false, nil
}

func (b *boards) setWinner(slot uint64, winner int) {
	b.slots[slot*uint64(b.width)] |= uint64(winner) << winnerShift
}

// grow doubles the table. The old and the new table together must fit the budget. If they do not,
// the old one is filled to 15/16.
func (b *boards) grow() error {
	w := uint64(b.width)
	capacity := 2 * b.cap
	if fits := uint64(b.bytes)/(8*w) - b.cap; capacity > fits {
		if capacity = fits; capacity < b.cap+b.cap/4 || b.cap > fits {
			if tight := b.cap / 16 * 15; b.limit < tight {
				b.limit = tight
				return nil
			}
			return fmt.Errorf("thesis2025: %d boards of %d bytes in %d MiB: %w", b.count, 8*w, b.bytes>>20, errMemory)
		}
	}
	return b.move(capacity)
}

// move puts all boards into a table of another capacity.
func (b *boards) move(capacity uint64) error {
	w, old, block := uint64(b.width), b.slots, b.block
	if err := b.allocate(capacity); err != nil {
		return err
	}
	var key [maxKeyWords]uint64
	for ; len(old) > 0; old = old[w:] {
		if old[0] == 0 {
			continue
		}
		copy(key[:w], old[:w])
		winner := key[0] & (7 << winnerShift)
		key[0] &^= 1<<keyShift - 1
		slot, _ := b.find(key[:w])
		copy(b.slots[slot*w:slot*w+w], key[:w])
		b.slots[slot*w] |= slotTaken | winner
	}
	return block.Free()
}

// maxKeyWords is the largest width: six seats of ten pieces, a word each.
const maxKeyWords = 6

// keys turns boards into keys: the rank of each seat's holes among all sets of the same size. A
// word holds as many whole ranks as fit; the first word keeps its low four bits clear.
type keys struct {
	width int
	word  [7]int
	shift [7]uint
	mask  uint64 // bits of an unshifted rank
	sets  *rank.Subsets
}

func newKeys(g *grid) *keys {
	sets, err := rank.NewSubsets(len(g.at), g.Pieces)
	if err != nil {
		panic("thesis2025: " + err.Error())
	}
	size := uint(bits.Len64(sets.Size() - 1))
	k := &keys{sets: sets, mask: 1<<size - 1}
	shift := uint(keyShift)
	for _, seat := range g.seats {
		if shift+size > 64 {
			k.width++
			shift = 0
		}
		k.word[seat], k.shift[seat] = k.width, shift
		shift += size
	}
	k.width++
	return k
}
