package prove

import (
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// memory keeps the zones of positions that the writer of a certificate has met. When it is full it
// forgets the positions with the least work.
type memory struct {
	words []uint64
	width int // words of a set
	mask  uint64
	count uint64 // positions put so far
}

// ways is the number of places where a position may be kept.
const ways = 4

// memoryBits bounds the size of a memory: a position takes 32 bytes or more.
const memoryBits = 40

// entryWords is the number of words of an entry: P's stones, O's and the zone, all in the
// smallest picture; and a last word with, from the lowest bit, the side to move in 1 bit,
// the bit length of its work plus one in 7, the symmetry to the smallest picture in 3, and
// the number of the position.
func entryWords(g *mnk.Game) int {
	if g.Cells() <= 64 {
		return 4
	}
	return 7
}

const (
	symShift    = 8
	numberShift = 11
	workMask    = 1<<7 - 1
)

// newMemory returns a memory of 2^bits positions.
func newMemory(g *mnk.Game, bits int) (*memory, error) {
	if bits < 2 || bits > memoryBits {
		return nil, fmt.Errorf("prove: memory of 2^%d positions: want 2 to %d", bits, memoryBits)
	}
	return &memory{words: make([]uint64, entryWords(g)<<bits), width: entryWords(g) / 3, mask: 1<<(bits-2) - 1}, nil
}

// bucket returns the entries where a position may be.
func (m *memory) bucket(at sides, mine bool) []uint64 {
	h := mix(at.p.Lo, at.o.Lo)
	if m.width == 2 {
		h = mix(h^at.p.Hi, at.o.Hi)
	}
	if mine {
		h = ^h
	}
	size := ways * (3*m.width + 1)
	i := int(h&m.mask) * size
	return m.words[i : i+size]
}

func put128(to []uint64, s bitboard.Set128) {
	to[0] = s.Lo
	if len(to) > 1 {
		to[1] = s.Hi
	}
}

func get128(from []uint64) (s bitboard.Set128) {
	s.Lo = from[0]
	if len(from) > 1 {
		s.Hi = from[1]
	}
	return s
}

func (m *memory) is(e []uint64, at sides, mine bool) bool {
	w := m.width
	return e[3*w] != 0 && e[3*w]&1 == 1 == mine && get128(e[:w]) == at.p && get128(e[w:2*w]) == at.o
}

// get returns the step that refers to an earlier picture of a position.
func (m *memory) get(board *replay, at sides, mine bool) (s step, ok bool) {
	c, _ := board.canonical(at)
	b, w := m.bucket(c, mine), m.width
	for i := range ways {
		e := b[i*(3*w+1) : (i+1)*(3*w+1)]
		if !m.is(e, c, mine) {
			continue
		}
		first := board.perms[board.inverse[e[3*w]>>symShift&7]]
		p, o, zone := first.Apply(c.p), first.Apply(c.o), first.Apply(get128(e[2*w:3*w]))
		for sym, q := range board.perms {
			if q.Apply(p) == at.p && q.Apply(o) == at.o {
				return step{kind: stepKnown, zone: q.Apply(zone), back: m.count - e[3*w]>>numberShift, sym: sym}, true
			}
		}
	}
	return s, false
}

func (m *memory) put(board *replay, at sides, mine bool, zone bitboard.Set128, work uint64) {
	s, sym := board.canonical(at)
	b, w := m.bucket(s, mine), m.width
	least := b[:3*w+1]
	for i := 1; i < ways; i++ {
		if e := b[i*(3*w+1) : (i+1)*(3*w+1)]; e[3*w]>>1&workMask < least[3*w]>>1&workMask {
			least = e
		}
	}
	put128(least[:w], s.p)
	put128(least[w:2*w], s.o)
	put128(least[2*w:3*w], board.perms[sym].Apply(zone))
	least[3*w] = m.count<<numberShift | uint64(sym)<<symShift | uint64(bits.Len64(work)+1)<<1
	if mine {
		least[3*w] |= 1
	}
	m.count++
}

// kept holds the positions of a certificate in their order: P's stones, O's, the zone, and
// the side to move.
type kept struct {
	chunks [][]uint64
	n      int
	width  int // words of a set
}

// chunk is the number of positions in one allocation; their sides to move follow as bits.
const chunk = 1 << 12

func newKept(g *mnk.Game) kept { return kept{width: entryWords(g) / 3} }

func (k *kept) chunkWords() int { return chunk*3*k.width + chunk/64 }

// bytes is the memory of the positions, with room for one more.
func (k *kept) bytes() uint64 { return 8 * uint64(k.n/chunk+1) * uint64(k.chunkWords()) }

func (k *kept) add(at sides, mine bool, zone bitboard.Set128) {
	if k.n/chunk == len(k.chunks) {
		k.chunks = append(k.chunks, make([]uint64, k.chunkWords()))
	}
	k.n++
	e, turn, bit := k.entry(k.n - 1)
	for i, s := range []bitboard.Set128{at.p, at.o, zone} {
		put128(e[i*k.width:(i+1)*k.width], s)
	}
	*turn &^= bit
	if mine {
		*turn |= bit
	}
}

// entry returns the words of position i, and the bit of its side to move.
func (k *kept) entry(i int) (e []uint64, turn *uint64, bit uint64) {
	c, i, w := k.chunks[i/chunk], i%chunk, 3*k.width
	return c[i*w : (i+1)*w], &c[chunk*w+i/64], 1 << (i % 64)
}

func (k *kept) get(i int) (at sides, zone bitboard.Set128, mine bool) {
	e, turn, bit := k.entry(i)
	w := k.width
	return sides{get128(e[:w]), get128(e[w : 2*w])}, get128(e[2*w:]), *turn&bit != 0
}

// cut forgets the positions from number n on.
func (k *kept) cut(n int) { k.n = n }
