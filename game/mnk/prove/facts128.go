package prove

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
	"perfectplay/internal/table"
)

// What facts.go has for boards of at most 64 cells, and names that count cells.

// The limits of cells in two words, see cellBits and noMove.
const (
	cellBits128         = 7
	mostRating128       = 1 << 23
	noMove128           = 128
	lastPly128          = 129
	lambdaEntryBytes128 = 56
)

// fact128 is fact with a zone of two words.
type fact128 struct {
	verdict verdict
	move    uint8
	word    bitboard.Set128
}

func (f fact128) numbers() (phi, del uint32) { return uint32(f.word.Lo >> 32), uint32(f.word.Lo) }

func openFact128(phi, del uint32, move uint8) fact128 {
	return fact128{verdict: open, move: move, word: bitboard.Set128{Lo: uint64(phi)<<32 | uint64(del)}}
}

// facts128 is facts with keys of four words. The second payload word is the lower half of
// the zone. Of the upper half, the cells 64 to 109 have a bit each in the first word from
// zoneShift on; there the cells 110 to 127 share the bits of 92 to 109: a zone may be
// larger than it need be (doc.go).
type facts128 struct {
	t     *table.Table
	used  atomic.Uint64
	keep  *keeper
	cells bitboard.Set128
}

const (
	moveShift128 = 3
	moveMask128  = 255
	zoneShift    = moveShift128 + 8
	zoneBits     = 57 - zoneShift // table.Payload
	zoneShared   = 64 - zoneBits  // cells without a bit of their own
)

func openFacts128(budget int64, g *mnk.Game) (*facts128, error) {
	if budget < MinMemory {
		return nil, fmt.Errorf("%w: %d bytes, at least %d are needed", ErrMemory, budget, MinMemory)
	}
	t, err := table.New(budget-64, table.Config{Keys: 4, Payloads: 2, Merge: mergeFacts, Tag: 1 << attackShift, Hash: hashKey128, Recent: true})
	if err != nil {
		return nil, fmt.Errorf("prove: %w", err)
	}
	return &facts128{t: t, cells: bitboard.First128(g.Cells())}, nil
}

// mix128 hashes two sets.
func mix128(x, y bitboard.Set128) uint64 { return mix(mix(x.Lo, x.Hi), mix(y.Hi, y.Lo)) }

func hashKey128(key []uint64, tag uint64) uint64 {
	return hash128(bitboard.Set128{Lo: key[0], Hi: key[1]}, bitboard.Set128{Lo: key[2], Hi: key[3]}, tag>>attackShift)
}

func hash128(x, y bitboard.Set128, attack uint64) uint64 {
	y.Lo += attack << 62
	return mix128(x, y)
}

func (t *facts128) load(x, y bitboard.Set128, attack uint64) (f fact128, ok bool) {
	key := [4]uint64{x.Lo, x.Hi, y.Lo, y.Hi}
	p, ok := t.t.Probe(key[:], hash128(x, y, attack), attack<<attackShift)
	f = fact128{verdict(p.A & verdictMask), uint8(p.A >> moveShift128 & moveMask128), bitboard.Set128{Lo: p.B}}
	if f.verdict != open {
		high := p.A >> zoneShift & (1<<zoneBits - 1)
		f.word.Hi = high | high>>(zoneBits-zoneShared)<<zoneBits
		f.word = f.word.And(t.cells)
	}
	return f, ok
}

func (t *facts128) store(x, y bitboard.Set128, attack uint64, f fact128, nodes uint64) (fresh bool) {
	key := [4]uint64{x.Lo, x.Hi, y.Lo, y.Hi}
	high := f.word.Hi&(1<<zoneBits-1) | f.word.Hi>>zoneBits<<(zoneBits-zoneShared)
	p := table.Payload{A: uint64(f.verdict) | attack<<attackShift | uint64(f.move)<<moveShift128 | high<<zoneShift, B: f.word.Lo}
	return t.t.Store(key[:], hash128(x, y, attack), p, min(bits.Len64(nodes), table.MaxEffort)) == table.Filled
}

func (t *facts128) crowded() bool {
	return t.t.CanGrow() && t.used.Load() > uint64(t.t.Slots())/2
}

func (t *facts128) filled() float64 { return float64(t.used.Load()) / float64(t.t.Limit()) }

func (t *facts128) learn(a, d bitboard.Set128, attack bool, f fact128, nodes uint64) {
	t.keep.learn(a, d, attack, f.verdict == won, int(f.move), f.word, nodes)
}
