package prove

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
	"perfectplay/internal/table"
)

// fact64 is an entry of the table. move proves it, if the side to move succeeds. word is
// the zone of a proof.
type fact64 struct {
	verdict verdict
	move    uint8
	word    bitboard.Set64
}

// numbers returns the proof and disproof number of a fact that is open.
func (f fact64) numbers() (phi, del uint32) { return uint32(f.word.Lo >> 32), uint32(f.word.Lo) }

// openFact64 returns the entry of an undecided position.
func openFact64(phi, del uint32, move uint8) fact64 {
	return fact64{verdict: open, move: move, word: bitboard.Set64{Lo: uint64(phi)<<32 | uint64(del)}}
}

// facts64 is a transposition table from positions to facts. The key is the attacker's and
// the defender's stones, with walls in both sets, and the side to move.
type facts64 struct {
	t     *table.Table
	used  atomic.Uint64 // entries in use
	keep  *keeper       // nil without a book
	cells bitboard.Set64
}

// openFacts64 returns an empty table of at most budget bytes.
func openFacts64(budget int64, g *mnk.Game) (*facts64, error) {
	if budget < MinMemory {
		return nil, fmt.Errorf("%w: %d bytes, at least %d are needed", ErrMemory, budget, MinMemory)
	}
	t, err := table.New(budget-64, table.Config{Keys: keyWords64, Payloads: 2, Merge: mergeFacts, Tag: 1 << attackShift, Hash: hash64, Recent: true})
	if err != nil {
		return nil, fmt.Errorf("prove: %w", err)
	}
	return &facts64{t: t, cells: bitboard.First64(g.Cells())}, nil
}

// load returns the entry of a position; attack is 1 if the attacker is to move.
func (t *facts64) load(x, y bitboard.Set64, attack uint64) (f fact64, ok bool) {
	key := key64(x, y)
	p, ok := t.t.Probe(key[:], hash64(key[:], attack<<attackShift), attack<<attackShift)
	return unpack64(p, t.cells), ok
}

// store enters a position whose search took nodes. Only a proof replaces a proof. fresh
// reports that the table has one entry more than before.
func (t *facts64) store(x, y bitboard.Set64, attack uint64, f fact64, nodes uint64) (fresh bool) {
	key := key64(x, y)
	p := f.pack()
	p.A |= uint64(f.verdict) | attack<<attackShift
	return t.t.Store(key[:], hash64(key[:], attack<<attackShift), p, min(bits.Len64(nodes), table.MaxEffort)) == table.Filled
}

// crowded reports whether the table is half full and can grow.
func (t *facts64) crowded() bool { return t.t.CanGrow() && t.used.Load() > uint64(t.t.Slots())/2 }

// filled is the number of entries over the largest number that the table can hold, 0…1.
func (t *facts64) filled() float64 { return float64(t.used.Load()) / float64(t.t.Limit()) }

// learn adds a proved entry to the book, see keeper.
func (t *facts64) learn(a, d bitboard.Set64, attack bool, f fact64, nodes uint64) {
	t.keep.learn(wide64(a), wide64(d), attack, f.verdict == won, int(f.move), wide64(f.word), nodes)
}
