package prove

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
	"perfectplay/internal/table"
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
// The second payload word is the fact's word.
type facts struct {
	t    *table.Table
	used atomic.Uint64 // entries that hold something
	keep *keeper       // nil if there is no book
}

// openFacts returns an empty table of at most budget bytes.
func openFacts(budget int64, _ *mnk.Game) (*facts, error) {
	if budget < MinMemory {
		return nil, fmt.Errorf("%w: %d bytes, at least %d are needed", ErrMemory, budget, MinMemory)
	}
	t, err := table.New(budget-64, table.Config{Keys: 2, Payloads: 2, Merge: mergeFacts, Tag: 1 << attackShift, Hash: hashKey, Recent: true})
	if err != nil {
		return nil, fmt.Errorf("prove: %w", err)
	}
	return &facts{t: t}, nil
}

// numbers returns the proof and disproof number of a fact that is open.
func (f fact) numbers() (phi, del uint32) { return uint32(f.word >> 32), uint32(f.word) }

// openFact is what is known of a position that is not decided.
func openFact(phi, del uint32, move uint8) fact {
	return fact{verdict: open, move: move, word: uint64(phi)<<32 | uint64(del)}
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

// learn adds a fact that is not open to the book, see keeper.
func (t *facts) learn(a, d uint64, attack bool, f fact, nodes uint64) {
	t.keep.learn(bitboard.Set128{Lo: a}, bitboard.Set128{Lo: d}, attack, f.verdict == won, int(f.move), bitboard.Set128{Lo: f.word}, nodes)
}
