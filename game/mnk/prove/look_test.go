package prove

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"testing"

	"perfectplay/game/mnk"
)

func newRand(seed string) *rand.Rand {
	h := fnv.New64()
	h.Write([]byte(seed))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// checkSee compares a look at the player with stones a against d.
func checkSee(t *testing.T, id string, l *mnk.Lines64, a, d uint64) {
	t.Helper()
	var v look
	v.see(l, a, d)
	free := l.Cells &^ (a | d)
	var cells, threats, pairs, weight uint64
	open := 0
	var after [64]uint64 // cells that complete after a stone on the cell
	for _, w := range l.All {
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
		got += bits.OnesCount64(v.open[dir])
	}
	if got != open || v.cells != cells || v.threats != threats || v.weight != weight || v.pairs != pairs {
		t.Fatalf("%s %x %x: open %d cells %x threats %x weight %d pairs %x, want %d %x %x %d %x", id, a, d, got, v.cells, v.threats, v.weight, v.pairs, open, cells, threats, weight, pairs)
	}
	answers := ^uint64(0)
	for c := range 64 {
		n := bits.OnesCount64(after[c])
		if double := v.doubles>>c&1 != 0; double != (n >= 2) {
			t.Fatalf("%s %x %x: cell %d is a double: %v, completes on %x", id, a, d, c, double, after[c])
		}
		if n < 2 {
			continue
		}
		s := uint64(1) << c
		if n == 2 {
			s |= after[c]
		}
		answers &= s
		if after[c]>>v.partner[c]&1 == 0 || after[c]>>v.other[c]&1 == 0 || v.partner[c] == v.other[c] {
			t.Fatalf("%s %x %x: cell %d has partners %d and %d, want two of %x", id, a, d, c, v.partner[c], v.other[c], after[c])
		}
	}
	if v.answers() != answers {
		t.Fatalf("%s %x %x: answers %x, want %x", id, a, d, v.answers(), answers)
	}
}
