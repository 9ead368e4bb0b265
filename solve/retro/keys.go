package retro

import (
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"perfectplay/game"
)

// parts is a list in parts of equal length. It grows without moving items, so growing never takes
// the memory twice.
type parts[T any] struct {
	list [][]T
	n    int
}

const partBits = 12 // a part has 1<<partBits items

func (p *parts[T]) at(i int) *T { return &p.list[i>>partBits][i&(1<<partBits-1)] }

func (p *parts[T]) push(v T) {
	p.grow(p.n + 1)
	*p.at(p.n - 1) = v
}

// grow makes the list at least n items long. The items of new parts are zero.
func (p *parts[T]) grow(n int) {
	for len(p.list)<<partBits < n {
		p.list = append(p.list, make([]T, 1<<partBits))
	}
	p.n = max(p.n, n)
}

// cut makes the list n items long. It keeps one spare part.
func (p *parts[T]) cut(n int) {
	p.n = n
	if most := n>>partBits + 2; most < len(p.list) {
		clear(p.list[most:])
		p.list = p.list[:most]
	}
}

func (p *parts[T]) bytes() uint64 {
	var v T
	return uint64(len(p.list)) << partBits * uint64(unsafe.Sizeof(v))
}

// keyed numbers positions by their keys, in the order in which moves to them are first seen. Each has
// a record: its key, then a byte as in graph.what, 0 until the position is met.
type keyed struct {
	game    game.Game
	words   int // words of a key
	n       int // number of positions
	entries int // number of entries of all slots
	records [][]byte
	slots   [1 << slotBits]slots
}

const (
	recordBits = 14 // a part has 1<<recordBits records
	slotBits   = 8  // the first bits of a hash choose the slots
	mostKeyed  = math.MaxUint32 - 1
)

// slots is an open hash table of the numbers of keys whose hashes share the first bits. An entry is
// a number plus one; the bits above it are bits of the hash.
type slots struct {
	list []uint32
	used int
	bits int // bits of an entry for a number plus one
}

func newKeyed(g game.Game) *keyed {
	return &keyed{game: g, words: g.Start().(game.Keyer).KeyWords()}
}

// hash mixes a key.
func hash(key []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range key {
		h = (h ^ w) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

// each is the number of bytes of a record.
func (k *keyed) each() int { return 8*k.words + 1 }

func (k *keyed) record(n uint32) []byte {
	return k.records[n>>recordBits][int(n&(1<<recordBits-1))*k.each():][:k.each()]
}

// what is the last byte of a record.
func (k *keyed) what(n uint32) *byte { return &k.record(n)[8*k.words] }

// key writes the key of a number.
func (k *keyed) key(n uint32, dst []uint64) {
	r := k.record(n)
	for i := range k.words {
		dst[i] = binary.LittleEndian.Uint64(r[8*i:])
	}
}

// first is the entry at which the search for a key begins.
func (s *slots) first(h uint64) uint64 { return uint64(uint32(h)) * uint64(len(s.list)) >> 32 }

// find returns the number of a key.
func (k *keyed) find(key []uint64, h uint64) (n uint32, ok bool) {
	s := &k.slots[h>>(64-slotBits)]
	if len(s.list) == 0 {
		return 0, false
	}
	n, _, ok = k.probe(s, key, h)
	return n, ok
}

// probe returns the number of a key, or the entry that is free for it.
func (k *keyed) probe(s *slots, key []uint64, h uint64) (n uint32, free uint64, ok bool) {
	mark, mask := uint32(h>>32)<<s.bits, uint32(1)<<s.bits-1
	for i := s.first(h); ; {
		e := s.list[i]
		if e == 0 {
			return 0, i, false
		}
		if e&^mask == mark {
			n := e&mask - 1
			r, same := k.record(n), true
			for w := range key {
				same = same && binary.LittleEndian.Uint64(r[8*w:]) == key[w]
			}
			if same {
				return n, i, true
			}
		}
		if i++; i == uint64(len(s.list)) {
			i = 0
		}
	}
}

// add returns the number of a key, which it enters if it is new.
func (k *keyed) add(key []uint64, h uint64) uint32 {
	s := &k.slots[h>>(64-slotBits)]
	if 8*s.used >= 7*len(s.list) || (k.n+1)>>s.bits != 0 {
		k.grow(s)
	}
	n, free, ok := k.probe(s, key, h)
	if ok {
		return n
	}
	n = uint32(k.n)
	if k.n&(1<<recordBits-1) == 0 {
		k.records = append(k.records, make([]byte, k.each()<<recordBits))
	}
	k.n++
	r := k.record(n)
	for i, w := range key {
		binary.LittleEndian.PutUint64(r[8*i:], w)
	}
	s.list[free] = n + 1 | uint32(h>>32)<<s.bits
	s.used++
	return n
}

// grow makes room for twice as many numbers.
func (k *keyed) grow(s *slots) {
	old, mask := s.list, uint32(1)<<s.bits-1
	s.list, s.bits = make([]uint32, max(16, 2*len(old))), min(bits.Len64(uint64(k.n)*2+64), 32)
	k.entries += len(s.list) - len(old)
	var key [maxWords]uint64
	var hashes [64]uint64
	for part := range slices.Chunk(old, len(hashes)) {
		// Hashes first, in a loop of their own, so that reads of records overlap.
		for i, e := range part {
			if e != 0 {
				k.key(e&mask-1, key[:])
				hashes[i] = hash(key[:k.words])
			}
		}
		for i, e := range part {
			if e == 0 {
				continue
			}
			at := s.first(hashes[i])
			for s.list[at] != 0 {
				if at++; at == uint64(len(s.list)) {
					at = 0
				}
			}
			s.list[at] = e&mask | uint32(hashes[i]>>32)<<s.bits
		}
	}
}

// bytes is the memory in use.
func (k *keyed) bytes() uint64 {
	return uint64(len(k.records)*k.each()<<recordBits) + 4*uint64(k.entries)
}

func (k *keyed) size() uint64 { return uint64(k.n) }

// number returns the number of a position.
func (k *keyed) number(s game.State) (uint64, bool) {
	keyer, ok := s.(game.Keyer)
	if !ok || keyer.KeyWords() != k.words {
		return 0, false
	}
	var key [maxWords]uint64
	keyer.Key(key[:k.words])
	n, ok := k.find(key[:k.words], hash(key[:k.words]))
	return uint64(n), ok
}

func (k *keyed) walk(yield func(game.State) bool) error {
	for _, s := range k.play() {
		if !yield(s) {
			break
		}
	}
	return nil
}

// play yields the positions in the order of play from the start. Of positions with the same key it
// yields the one that the solver met first.
func (k *keyed) play() iter.Seq2[uint32, game.State] {
	return func(yield func(uint32, game.State) bool) {
		met := make([]uint64, k.n/64+1)
		s := k.game.Start()
		_ = game.Walk(s, func() (bool, error) {
			n, ok := k.number(s)
			word, bit := n/64, uint64(1)<<(n%64)
			if !ok || met[word]&bit != 0 {
				return false, nil
			}
			if met[word] |= bit; !yield(uint32(n), s) {
				return false, errStopped
			}
			return true, nil
		})
	}
}

var errStopped = errors.New("stopped")

// sorted returns the numbers in the order of their keys.
func (k *keyed) sorted() []uint32 {
	// Divide the numbers by the highest 12 bits in which keys differ, and sort each part.
	or, and := uint64(0), ^uint64(0)
	var key [maxWords]uint64
	for n := range uint32(k.n) {
		k.key(n, key[:])
		or, and = or|key[0], and&key[0]
	}
	shift := max(bits.Len64(or&^and)-12, 0)
	begin := make([]int, 1<<12+1)
	place := func(w uint64) uint64 { return (w &^ and) >> shift }
	for n := range uint32(k.n) {
		k.key(n, key[:])
		begin[place(key[0])+1]++
	}
	for i := range 1 << 12 {
		begin[i+1] += begin[i]
	}
	order, at := make([]uint32, k.n), slices.Clone(begin)
	for n := range uint32(k.n) {
		k.key(n, key[:])
		p := &at[place(key[0])]
		order[*p] = n
		*p++
	}
	var list, spare []uint64 // keys, each with its number
	for i := range 1 << 12 {
		part := order[begin[i]:begin[i+1]]
		list = list[:0]
		for _, n := range part {
			k.key(n, key[:])
			list = append(append(list, key[:k.words]...), uint64(n))
		}
		spare = slices.Grow(spare[:0], len(list))[:len(list)]
		list, spare = sortKeys(list, spare, k.words+1, k.words)
		for j := range part {
			part[j] = uint32(list[j*(k.words+1)+k.words])
		}
	}
	return order
}
