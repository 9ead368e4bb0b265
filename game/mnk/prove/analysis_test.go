package prove

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

func newRand(seed string) *rand.Rand {
	h := fnv.New64()
	h.Write([]byte(seed))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// gameOf returns the game of an id.
func gameOf(t testing.TB, id string) *mnk.Game {
	t.Helper()
	g, err := mnk.ByID(id)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// openProver returns a prover, and closes it when the test ends.
func openProver(t testing.TB, g *mnk.Game, o Options) *Prover {
	t.Helper()
	p, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// words returns sets of one word as numbers.
func words(sets []bitboard.Set64) (list []uint64) {
	for _, s := range sets {
		list = append(list, s.Lo)
	}
	return list
}

// checkAnalysis compares the analysis of the player with stones a against d.
func checkAnalysis(t *testing.T, id string, l *mnk.Lines64, a, d uint64) {
	t.Helper()
	var v analysis64
	v.analyse(l, one(a), one(d))
	v.reach(l)
	free := l.Cells.Lo &^ (a | d)
	var cells, threats, pairs, weight uint64
	open := 0
	var after [64]uint64 // by cell: cells that complete a window after a stone there
	for _, w := range words(l.All) {
		if w&d != 0 {
			continue
		}
		open++
		cells |= w
		weight += 1 << bits.OnesCount64(w&a)
		e := w & free
		switch bits.OnesCount64(e) {
		case 1:
			threats |= e
		case 2:
			pairs |= e
			lo, hi := bits.TrailingZeros64(e), 63-bits.LeadingZeros64(e)
			after[lo] |= 1 << hi
			after[hi] |= 1 << lo
		}
	}
	got := 0
	for dir := range 4 {
		got += v.open[dir].Count()
	}
	if got != open || v.cells.Lo != cells || v.threats.Lo != threats || v.weight != weight || v.pairs.Lo != pairs {
		t.Fatalf("%s %x %x: open %d cells %x threats %x weight %d pairs %x, want %d %x %x %d %x", id, a, d, got, v.cells, v.threats, v.weight, v.pairs, open, cells, threats, weight, pairs)
	}
	for c := range 64 {
		n := bits.OnesCount64(after[c])
		if double := v.doubles.Has(c); double != (n >= 2) {
			t.Fatalf("%s %x %x: cell %d is a double: %v, completes on %x", id, a, d, c, double, after[c])
		}
		if n < 2 {
			continue
		}
		if after[c]>>v.partner[c]&1 == 0 || after[c]>>v.other[c]&1 == 0 || v.partner[c] == v.other[c] {
			t.Fatalf("%s %x %x: cell %d has partners %d and %d, want two of %x", id, a, d, c, v.partner[c], v.other[c], after[c])
		}
		if more := v.more.Has(c); more != (n > 2) {
			t.Fatalf("%s %x %x: cell %d has more than two partners: %v, want %x", id, a, d, c, more, after[c])
		}
	}
	if !v.doubles.IsEmpty() {
		c := v.doubles.Min()
		answers := uint64(1) << c
		if bits.OnesCount64(after[c]) == 2 {
			answers |= after[c]
		}
		if v.answers().Lo != answers {
			t.Fatalf("%s %x %x: answers %x, want %x", id, a, d, v.answers(), answers)
		}
	}
}

// plainCover is the reference for cover: the pairing by its definition, window by window.
// It returns the pairs chosen.
func plainCover(l *mnk.Lines64, a, d, limit uint64) (pairs []uint64, zone uint64, ok bool) {
	free := l.Cells.Lo &^ (a | d)
	type window struct{ left uint64 } // left: the window's empty cells outside the pairs
	var left []window                 // windows that no pair hits
	weigh := func(in uint64) (sum uint64) {
		for _, w := range left {
			if w.left&in == in {
				sum += 1 << (l.K - bits.OnesCount64(w.left))
			}
		}
		return sum
	}
	for _, w := range words(l.All) {
		if w&d == 0 {
			left = append(left, window{w & free})
		}
	}
	for weigh(0) >= limit {
		heaviest := 65
		for _, w := range left {
			heaviest = min(heaviest, bits.OnesCount64(w.left))
		}
		if heaviest < 2 {
			return nil, 0, false
		}
		var best, most, least uint64
		tried := 0
		for _, w := range left {
			if bits.OnesCount64(w.left) != heaviest {
				continue
			}
			if tried++; tried > pairTries {
				break
			}
			for x := w.left; x != 0; x &= x - 1 {
				for y := x & (x - 1); y != 0; y &= y - 1 {
					hit, beside := weigh(x&-x|y&-y), weigh(x&-x)+weigh(y&-y)
					if hit > most || hit == most && beside < least {
						best, most, least = x&-x|y&-y, hit, beside
					}
				}
			}
		}
		pairs, zone = append(pairs, best), zone|best
		kept, dead := left[:0:0], false
		for _, w := range left {
			if w.left&best == best {
				continue
			}
			if w.left &^= best; w.left == 0 {
				dead = true
			}
			kept = append(kept, w)
		}
		if left = kept; dead {
			return nil, 0, false
		}
	}
	for _, w := range left {
		zone |= w.left
	}
	return pairs, zone, true
}

// TestCover compares pairings with the reference, pair by pair: random positions
// without a finished window, around the weights where pairings decide.
func TestCover(t *testing.T) {
	for _, id := range []string{"mnk-3x3k3", "mnk-5x5k4", "mnk-4x9k2", "mnk-7x7k5", "mnk-8x8k6", "mnk-8x8k8", "mnk-2x30k9", "mnk-64x1k12", "mnk-1x1k1"} {
		g := gameOf(t, id)
		l := g.Lines64()
		rng := newRand(id)
		var p pairing64
		var va analysis64
		found, failed := 0, 0
		for range 1500 {
			d := rng.Uint64() & l.Cells.Lo
			for range rng.IntN(4) {
				d &= rng.Uint64()
			}
			a := rng.Uint64() & rng.Uint64() & l.Cells.Lo &^ d
			for l.Won(one(a)) {
				a &= rng.Uint64()
			}
			va.analyse(l, one(a), one(d))
			limit := uint64(1) << (l.K - rng.IntN(2))
			pairs, zone, ok := plainCover(l, a, d, limit)
			gotZone, got := p.cover(l, &va, one(a), one(l.Cells.Lo&^(a|d)), limit)
			if got != ok || got && (gotZone.Lo != zone || !slices.Equal(words(p.pairs[:p.used]), pairs)) {
				t.Fatalf("%s %x %x limit %d: %v %x %x, want %v %x %x", id, a, d, limit, got, gotZone, p.pairs[:p.used], ok, zone, pairs)
			}
			if ok && len(pairs) > 0 {
				found++
			} else if !ok {
				failed++
			}
		}
		t.Logf("%s: %d found, %d not", id, found, failed)
	}
}
