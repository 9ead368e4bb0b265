package prove

import (
	"errors"
	"fmt"
	"math/bits"
	"sync/atomic"

	"perfectplay/internal/table"
)

// MinMemory is the smallest table in bytes.
const MinMemory = 1 << 16

// ErrMemory says that a budget of bytes is too small: below MinMemory for a table, or for
// the answers of a certificate.
var ErrMemory = errors.New("prove: memory budget too small")

// verdict says what is known about a position.
type verdict uint8

const (
	won     verdict = 1 + iota // the attacker can complete a window
	refuted                    // the attacker cannot; the word is the zone
	open                       // the word is proof number << 32 | disproof number
)

// noMove is the move of a fact that was found without one: a pairing.
const noMove = 64

// fact is what the table holds about a position. move proves it, if it is a claim
// of the side to move.
type fact struct {
	verdict verdict
	move    uint8
	word    uint64
}

// facts is a transposition table from positions to facts. The key is the sets of
// the attacker's and the defender's stones, walls in both, and who is to move.
// The first payload word holds the verdict, the side to move and, from moveShift,
// the move; the second is the fact's word.
type facts struct {
	t    *table.Table
	used atomic.Uint64 // entries that hold something
}

const (
	verdictMask = 3
	attackShift = 2 // the attacker is to move: part of the key
	moveShift   = 8
	moveMask    = 127
)

// openFacts returns an empty table of at most budget bytes.
func openFacts(budget int64) (*facts, error) {
	if budget < MinMemory {
		return nil, fmt.Errorf("%w: %d bytes, at least %d are needed", ErrMemory, budget, MinMemory)
	}
	t, err := table.New(budget-64, table.Config{Keys: 2, Payloads: 2, Merge: mergeFacts, Tag: 1 << attackShift, Hash: hashKey, Recent: true})
	if err != nil {
		return nil, fmt.Errorf("prove: %w", err)
	}
	return &facts{t: t}, nil
}

// mergeFacts keeps a proof when proof numbers follow it.
func mergeFacts(old, new table.Payload) table.Payload {
	if verdict(new.A&verdictMask) == open && verdict(old.A&verdictMask) != open {
		return old
	}
	return new
}

// mix hashes two words.
func mix(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, y^0xd6e8feb86659fd93)
	h := hi ^ lo
	h ^= h >> 29
	hi, lo = bits.Mul64(h, 0xa0761d6478bd642f)
	return hi ^ lo ^ x
}

func hashKey(key []uint64, tag uint64) uint64 {
	return mix(key[0], key[1]+tag>>attackShift<<62)
}

// load returns what is known about a position; attack is 1 if the attacker is
// to move.
func (t *facts) load(x, y uint64, attack uint64) (f fact, ok bool) {
	key := [2]uint64{x, y}
	p, ok := t.t.Probe(key[:], mix(x, y+attack<<62), attack<<attackShift)
	return fact{verdict(p.A & verdictMask), uint8(p.A >> moveShift & moveMask), p.B}, ok
}

// store keeps what is known about a position that took the given nodes. A
// proof is never replaced by less than a proof. fresh reports that the table
// holds one entry more than before.
func (t *facts) store(x, y uint64, attack uint64, f fact, nodes uint64) (fresh bool) {
	key := [2]uint64{x, y}
	p := table.Payload{A: uint64(f.verdict) | attack<<attackShift | uint64(f.move)<<moveShift, B: f.word}
	return t.t.Store(key[:], mix(x, y+attack<<62), p, min(bits.Len64(nodes), table.MaxEffort)) == table.Filled
}

// crowded reports whether the table is half full and can grow.
func (t *facts) crowded() bool { return t.t.CanGrow() && t.used.Load() > uint64(t.t.Slots())/2 }

// filled is how full the table is, of all that it may use, 0…1.
func (t *facts) filled() float64 { return float64(t.used.Load()) / float64(t.t.Limit()) }
