package prove

import (
	"errors"
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
)

// TestFacts: the tables of both widths return the entry stored, for its position and side to move
// alone, and a proof does not give way to numbers. Zones above cell 109 may be larger. Package
// internal/table has the tests of the table itself.
func TestFacts(t *testing.T) {
	for _, id := range []string{"mnk-8x8k5", "mnk-10x10k5", "mnk-11x10k5", "mnk-16x8k5", "mnk-13x9k5"} {
		g := gameOf(t, id)
		store := func(x, y bitboard.Set128, attack uint64, f fact128) {}
		load := func(x, y bitboard.Set128, attack uint64) (f fact128, ok bool) { return f, false }
		last := noMove128
		switch p := openProver(t, g, Options{Threads: 1, Memory: 1 << 20}).searches.(type) {
		case *prover64:
			last = noMove64
			store = func(x, y bitboard.Set128, attack uint64, f fact128) {
				p.t.store(narrow64(x), narrow64(y), attack, fact64{f.verdict, f.move, narrow64(f.word)}, 1000)
			}
			load = func(x, y bitboard.Set128, attack uint64) (fact128, bool) {
				f, ok := p.t.load(narrow64(x), narrow64(y), attack)
				return fact128{f.verdict, f.move, wide64(f.word)}, ok
			}
		case *prover128:
			store = func(x, y bitboard.Set128, attack uint64, f fact128) { p.t.store(x, y, attack, f, 1000) }
			load = p.t.load
		}
		rng := rand.New(rand.NewPCG(3, uint64(g.Cells())))
		set := func() bitboard.Set128 {
			return bitboard.Set128{Lo: rng.Uint64(), Hi: rng.Uint64()}.And(bitboard.First128(g.Cells()))
		}
		for range 20_000 {
			x, y, attack := set(), set(), rng.Uint64N(2)
			f, numbers := fact128{verdict: verdict(1 + rng.IntN(2)), move: uint8(rng.IntN(last + 1)), word: set()}, openFact128(rng.Uint32(), rng.Uint32(), uint8(rng.IntN(last)))
			if rng.IntN(3) == 0 {
				f = numbers
			}
			store(x, y, attack, f)
			store(x, y, attack, numbers)
			got, ok := load(x, y, attack)
			if other, _ := load(x, y, 1-attack); !ok || other == got {
				t.Fatalf("%s: found %v, for the other side to move %v", id, ok, other == got)
			}
			more := got.word.AndNot(f.word)
			got.word = got.word.AndNot(more)
			if got != f || !more.IsEmpty() && (f.verdict == open || g.Cells() <= 110 || !more.Shr(92).Shl(92).AndNot(more).IsEmpty()) || !more.And(bitboard.First128(92)).IsEmpty() {
				t.Fatalf("%s: stored %+v, got %+v and %x more", id, f, got, more)
			}
		}
		if _, err := New(g, Options{Memory: MinMemory - 1}); !errors.Is(err, ErrMemory) {
			t.Errorf("%s: a small budget: %v", id, err)
		}
	}
}
