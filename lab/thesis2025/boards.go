package thesis2025

import (
	"errors"
	"fmt"
	"math/bits"

	"perfectplay/internal/table"
	"perfectplay/rank"
)

// errMemory is wrapped by the error of a run whose set of visited boards does
// not fit the memory budget.
var errMemory = errors.New("memory budget exceeded")

// boards is the exact set of visited boards with the winner of each, 0 for a board not won.
// It is an open-addressing table without deletion that stores whole keys: no two boards
// share one, so a count can never be wrong by chance.
//
// A key has width words. The lowest four bits of the first belong to the table: a mark that
// the slot is taken, and the winner. Slots are ordered by hash, so growing reads and writes
// both tables in order.
type boards struct {
	width int
	block table.Block
	slots []uint64 // capacity·width words of the block
	count uint64
	cap   uint64
	limit uint64 // count from which the table grows
	bytes int64  // budget
}

const (
	slotTaken   = 1
	winnerShift = 1
	keyShift    = 4
	// minBoards is the smallest capacity.
	minBoards = 1 << 12
	// Load is kept below loadNumber/loadDenom, beyond which probing gets slow.
	loadNumber, loadDenom = 3, 4
)

// newBoards returns an empty set within a budget of bytes, with room for at least expect
// boards if that is not 0.
func newBoards(width int, expect uint64, bytes int64) (*boards, error) {
	b := &boards{width: width, bytes: bytes}
	capacity := max(minBoards, expect+expect/2)
	if fits := uint64(bytes) / uint64(8*width); capacity > fits {
		// A tighter table than ideal is fine if all boards fit.
		if capacity = max(minBoards, expect+expect/16); capacity > fits {
			return nil, fmt.Errorf("thesis2025: %d boards of %d bytes in %d MiB: %w", max(expect, minBoards), 8*width, bytes>>20, errMemory)
		}
		capacity = fits
	}
	return b, b.allocate(capacity)
}

func (b *boards) allocate(capacity uint64) (err error) {
	if b.block, err = table.Allocate(int(capacity) * b.width); err != nil {
		return fmt.Errorf("thesis2025: %d boards of %d bytes: %w", capacity, 8*b.width, err)
	}
	b.cap, b.slots = capacity, b.block.Words
	b.limit = capacity / loadDenom * loadNumber
	return nil
}

// free releases the memory. The set may not be used afterwards.
func (b *boards) free() error {
	b.slots = nil
	return b.block.Free()
}

// hashBoard hashes a key. Its first word has its low four bits clear.
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
	if b.width == 1 {
		k := key[0] | slotTaken
		for {
			s := b.slots[i]
			if s&^(7<<winnerShift) == k {
				return i, true
			}
			if s == 0 {
				return i, false
			}
			if i++; i == b.cap {
				i = 0
			}
		}
	}
	w := uint64(b.width)
search:
	for ; ; i++ {
		if i == b.cap {
			i = 0
		}
		s := b.slots[i*w : i*w+w]
		if s[0] == 0 {
			return i, false
		}
		if s[0]&^(7<<winnerShift) != key[0]|slotTaken {
			continue
		}
		for j := 1; j < len(s) && j < len(key); j++ {
			if s[j] != key[j] {
				continue search
			}
		}
		return i, true
	}
}

// enter adds a board as not won, or returns the winner stored for it. slot is its place
// until the next board is entered.
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

// setWinner stores the winner of a board that has just been entered.
func (b *boards) setWinner(slot uint64, winner int) {
	b.slots[slot*uint64(b.width)] |= uint64(winner) << winnerShift
}

// grow doubles the table. Meanwhile both tables exist and must fit the budget; if they do
// not, the table fills up further, to 15 in 16.
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

// keys turns boards into keys: each seat's holes are ranked among all sets of the same
// size, and the ranks are packed into words, as many whole ones as fit. The first word
// keeps its low four bits clear.
type keys struct {
	width int
	word  [7]int
	shift [7]uint
	mask  uint64 // of an unshifted rank
	sets  *rank.Subsets
}

func newKeys(g *grid) *keys {
	sets, err := rank.NewSubsets(len(g.at), g.Pieces)
	if err != nil {
		panic("thesis2025: " + err.Error()) // not for 10 pieces on 121 holes
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
