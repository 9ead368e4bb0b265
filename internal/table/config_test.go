package table

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func openConfig(t *testing.T, budget int64, c Config) *Table {
	t.Helper()
	tab, err := New(budget, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tab.Close() })
	return tab
}

// TestTwoBig1 follows the entries of one bucket through the scheme that prefers
// the newer of equal effort.
func TestTwoBig1(t *testing.T) {
	tab := openConfig(t, MinBytes, Config{Keys: 2, Payloads: 2, Merge: larger, Recent: true})
	const hash = 7
	for i, c := range []struct {
		key    uint64
		effort int
		out    Outcome
		held   []uint64
	}{
		{1, 5, Filled, []uint64{1}},
		{2, 3, Filled, []uint64{1, 2}},   // less: second place
		{3, 1, Replaced, []uint64{1, 3}}, // which is always replaced
		{4, 5, Replaced, []uint64{1, 4}}, // as much: the first moves to the second
		{5, 4, Replaced, []uint64{4, 5}}, // the first stays
		{5, 9, Updated, []uint64{4, 5}},  // moves to the front
		{6, 6, Replaced, []uint64{5, 6}},
		{5, 1, Updated, []uint64{5, 6}}, // its effort stays
		{7, 8, Replaced, []uint64{5, 7}},
	} {
		if out := tab.Store(key(c.key, 2), hash, payload(c.key, 2), c.effort); out != c.out {
			t.Fatalf("step %d: outcome %d, want %d", i, out, c.out)
		}
		var held []uint64
		for n := range uint64(10) {
			if p, ok := tab.Probe(key(n, 2), hash, 0); ok {
				if p != payload(n, 2) {
					t.Fatalf("step %d: key %d has payload %v", i, n, p)
				}
				held = append(held, n)
			}
		}
		if !slices.Equal(held, c.held) {
			t.Fatalf("step %d: %v held, want %v", i, held, c.held)
		}
	}
}

// TestConfigs stores at random under every scheme, length and a tag of two bits,
// with a hash of the caller's and a table that grows: what is found was stored
// for that key and that tag.
func TestConfigs(t *testing.T) {
	const tagAt = 40
	hash := func(key []uint64, tag uint64) uint64 { return (key[0] ^ tag>>tagAt) * 0x9e3779b97f4a7c15 }
	for _, keys := range []int{1, 2, 3, MaxKeyWords} {
		for pay := 1; pay <= 2; pay++ {
			for _, recent := range []bool{false, true} {
				tab := openConfig(t, 2*startBytes, Config{Keys: keys, Payloads: pay, Merge: larger, Tag: 3 << tagAt, Hash: hash, Recent: recent})
				rng := rand.New(rand.NewPCG(uint64(keys), uint64(pay)))
				type named struct{ n, tag uint64 }
				last := map[named]Payload{}
				found, n := 0, rounds(40_000)
				for i := range n {
					k := named{rng.Uint64N(uint64(n / 8)), rng.Uint64N(4) << tagAt}
					words := key(k.n, keys)
					got, ok := tab.Probe(words, hash(words, k.tag), k.tag)
					if ok && got != last[k] {
						t.Fatalf("keys %d, payloads %d, recent %v: key %v holds %v, want %v", keys, pay, recent, k, got, last[k])
					}
					p := Payload{A: 1 + rng.Uint64N(1<<30) | k.tag}
					if pay == 2 {
						p.B = p.A ^ k.n
					}
					if ok {
						found++
						p = larger(got, p)
					}
					last[k] = p
					tab.Store(words, hash(words, k.tag), p, rng.IntN(MaxEffort+1))
					if i == n/2 {
						tab.Grow()
					}
				}
				if found < n*9/40 {
					t.Errorf("keys %d, payloads %d, recent %v: found %d times only", keys, pay, recent, found)
				}
			}
		}
	}
}
