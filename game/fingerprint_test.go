package game_test

import (
	"testing"

	"perfectplay/game"
	"perfectplay/game/gametest/stranger"
)

// TestFingerprint: games of one name that differ in their result, moves, start or keys have
// different fingerprints, and fingerprints in files stay valid.
func TestFingerprint(t *testing.T) {
	seen := map[string]int{}
	heap := stranger.Heap{Name: "one", Stones: 21, Most: 3, Keys: true}
	misere, more, fewer, shifted := heap, heap, heap, heap
	misere.Misere, more.Most, fewer.Stones = true, 4, 20
	shifted.KeyOf = func(left int) uint64 { return uint64(left) + 9 }
	for i, h := range []stranger.Heap{heap, misere, more, fewer, shifted} {
		print := game.Fingerprint(h.Game())
		if again := game.Fingerprint(h.Game()); again != print || len(print) != 35 {
			t.Errorf("heap %d: %s, then %s", i, print, again)
		}
		if was, ok := seen[print]; ok {
			t.Errorf("heaps %d and %d have one fingerprint", was, i)
		}
		seen[print] = i
	}
	if got, want := game.Fingerprint(heap.Game()), "3a863424-fa8cb104-595d5517-00000000"; got != want {
		t.Errorf("a heap of 21 has the fingerprint %s, and had %s: what is kept is not found any more", got, want)
	}
}
