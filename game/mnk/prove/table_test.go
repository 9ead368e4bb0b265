package prove

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// TestTable compares the table with a map: an entry may be lost, but never changed, and a
// proof never gives way to numbers of the same key. Growing keeps entries.
func TestTable(t *testing.T) {
	g := gameOf(t, "mnk-8x8k5")
	tab, err := openFacts64(32<<20+64, g)
	if err != nil {
		t.Fatal(err)
	}
	defer tab.t.Close()
	begin := tab.t.Slots()
	if tab.t.Limit() != 128*begin {
		t.Fatalf("%d of %d entries in use", begin, tab.t.Limit())
	}
	type key struct{ x, y, attack uint64 }
	rng := rand.New(rand.NewPCG(1, 1))
	truth := map[key]fact64{}
	var keys []key
	fresh := uint64(0)
	for range 400_000 {
		k := key{rng.Uint64N(3000), rng.Uint64N(3000), rng.Uint64N(2)}
		if len(keys) > 0 && rng.IntN(4) == 0 {
			k = keys[rng.IntN(len(keys))]
		}
		f := fact64{verdict(1 + rng.IntN(3)), uint8(rng.IntN(65)), one(rng.Uint64())}
		if old, ok := truth[k]; ok && old.verdict != open {
			f = old // a position has one value: store the same again
			if rng.IntN(2) == 0 {
				f.verdict = open // must not replace the proof, unless that was lost
			}
		}
		if got, ok := tab.load(one(k.x), one(k.y), k.attack); ok && got != truth[k] {
			t.Fatalf("key %v holds %v, want %v", k, got, truth[k])
		} else if !ok || got.verdict == open || f.verdict != open {
			truth[k] = f
		}
		if tab.store(one(k.x), one(k.y), k.attack, f, rng.Uint64N(1000)) {
			fresh++
		}
		keys = append(keys, k)
		if tab.used.Store(fresh); tab.crowded() {
			before := 0
			for k := range truth {
				if _, ok := tab.load(one(k.x), one(k.y), k.attack); ok {
					before++
				}
			}
			tab.t.Grow()
			after := 0
			for k, f := range truth {
				if got, ok := tab.load(one(k.x), one(k.y), k.attack); ok {
					after++
					if got != f {
						t.Fatalf("key %v holds %v after growing, want %v", k, got, f)
					}
				}
			}
			if after < before {
				t.Errorf("growing to %d entries lost %d entries", tab.t.Slots(), before-after)
			}
		}
	}
	if tab.t.Slots() == begin {
		t.Error("the table never grew")
	}
	if _, err := openFacts64(MinMemory-1, g); !errors.Is(err, ErrMemory) {
		t.Errorf("a small budget: %v", err)
	}
}
