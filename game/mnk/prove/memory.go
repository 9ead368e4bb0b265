package prove

import (
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// memory keeps the zones of positions that a walk has met, of fixed size: where it is
// full it forgets those that were least work. What it forgets depends on the walk and
// on its size alone, so that a certificate says when an answer is asked for again.
type memory struct {
	words []uint64
	width int // words of a set
	mask  uint64
}

// ways is how many places a position can be kept in.
const ways = 4

// memoryBits bounds the size of a memory: a position takes 32 bytes or more.
const memoryBits = 40

// entryWords are those of an entry: P's stones, O's, the zone, and whose turn and how
// much work it was, at least 1.
func entryWords(g *mnk.Game) int {
	if g.Cells() <= 64 {
		return 4
	}
	return 7
}

// positionBytes is what a position of a walk takes.
func positionBytes(g *mnk.Game) uint64 { return 8 * uint64(entryWords(g)) }

// newMemory returns a memory of 2^bits positions, if they take no more than so many
// bytes.
func newMemory(g *mnk.Game, bits int, most uint64) (*memory, error) {
	if bits < 2 || bits > memoryBits {
		return nil, fmt.Errorf("prove: memory of 2^%d positions: want 2 to %d", bits, memoryBits)
	}
	if size := positionBytes(g) << bits; size > most {
		return nil, fmt.Errorf("%w: the proof wants %d bytes for positions, and may take %d", ErrMemory, size, most)
	}
	m := &memory{words: make([]uint64, entryWords(g)<<bits), width: entryWords(g) / 3, mask: 1<<(bits-2) - 1}
	return m, nil
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

func (m *memory) get(at sides, mine bool) (zone bitboard.Set128, ok bool) {
	b, w := m.bucket(at, mine), m.width
	for i := range ways {
		if e := b[i*(3*w+1) : (i+1)*(3*w+1)]; m.is(e, at, mine) {
			return get128(e[2*w : 3*w]), true
		}
	}
	return zone, false
}

// put keeps the zone of a position that took so much work.
func (m *memory) put(at sides, mine bool, zone bitboard.Set128, work uint64) {
	b, w := m.bucket(at, mine), m.width
	least := b[:3*w+1]
	for i := 1; i < ways; i++ {
		if e := b[i*(3*w+1) : (i+1)*(3*w+1)]; e[3*w]>>1 < least[3*w]>>1 {
			least = e
		}
	}
	put128(least[:w], at.p)
	put128(least[w:2*w], at.o)
	put128(least[2*w:3*w], zone)
	least[3*w] = uint64(bits.Len64(work)+1) << 1
	if mine {
		least[3*w] |= 1
	}
}
