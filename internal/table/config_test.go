package table

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/internal/impl"
)

func openConfig(t testing.TB, budget int64, c Config) *Table {
	t.Helper()
	tab, err := New(budget, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	})
	return tab
}

// plainBucket is the reference for both schemes: its entries from the first place to the last.
type plainBucket struct {
	places int
	recent bool
	held   []plainEntry
}

type plainEntry struct {
	n      uint64
	p      Payload
	effort int
}

func (b *plainBucket) store(e plainEntry) Outcome {
	at, out := b.find(e.n), Updated
	switch {
	case at >= 0:
		e.p, e.effort = larger(b.held[at].p, e.p), max(b.held[at].effort, e.effort)
	case len(b.held) < b.places:
		at, out = len(b.held), Filled
		b.held = append(b.held, e)
	default:
		at, out = b.places-1, Replaced
	}
	weakest := 0 // the first entry of least effort; the last entry does not count
	for i := range b.places - 1 {
		if out == Replaced && b.held[i].effort < b.held[weakest].effort {
			weakest = i
		}
	}
	switch {
	case b.recent && e.effort >= b.held[0].effort:
		b.held = slices.Insert(slices.Delete(b.held, at, at+1), 0, e)
	case !b.recent && out == Replaced && e.effort >= b.held[weakest].effort:
		b.held[at], b.held[weakest] = b.held[weakest], e
	default:
		b.held[at] = e
	}
	return out
}

func (b *plainBucket) find(n uint64) int {
	return slices.IndexFunc(b.held, func(e plainEntry) bool { return e.n == n })
}

// storeHeld is Store, and panics if the bucket is unlocked too early.
func (t *Table) storeHeld(key []uint64, hash uint64, p Payload, effort int) Outcome {
	base := t.base(hash)
	b := t.words[base : base+uint64(t.stride)]
	first, put := lock(&b[0]), t.put
	if t.recent {
		put = t.putRecent
	}
	out := put(b, &first, key, p, uint64(effort)<<effortShift)
	if b[0]&lockBit == 0 {
		panic("table: the bucket is not locked any more")
	}
	t.release(&b[0], first)
	return out
}

// TestSchemes stores keys of one hash at random, some with equal words and another tag, and
// compares the bucket with the reference after each.
func TestSchemes(t *testing.T) { impl.TestAll(t, "table", schemes) }

func schemes(t *testing.T) {
	const hash, tag = 7, 1 << 40
	for keys := 1; keys <= MaxKeyWords; keys++ {
		for pay := 1; pay <= 2; pay++ {
			for _, recent := range []bool{false, true} {
				tab := openConfig(t, MinBytes, Config{Keys: keys, Payloads: pay, Merge: larger, Tag: tag, Recent: recent})
				if tab.pairs != (usePairs && keys == 1 && pay == 1) {
					t.Errorf("keys %d, payloads %d: pairs %v", keys, pay, tab.pairs)
				}
				plain := plainBucket{places: tab.slots, recent: recent}
				rng := rand.New(rand.NewPCG(uint64(keys), uint64(pay)))
				for step := range 2000 {
					n := rng.Uint64N(12)
					e := plainEntry{n, Payload{A: 1 + rng.Uint64N(1000) | n%2*tag}, min(rng.IntN(7)*12, MaxEffort)}
					if pay == 2 {
						e.p.B = e.p.A ^ ^n
					}
					store := tab.Store
					if step%2 == 0 {
						store = tab.storeHeld
					}
					out, want := store(key(n/2, keys), hash, e.p, e.effort), plain.store(e)
					if out != want {
						t.Fatalf("keys %d, payloads %d, recent %v, step %d: outcome %d, want %d", keys, pay, recent, step, out, want)
					}
					for n := range uint64(12) {
						p, ok := tab.Probe(key(n/2, keys), hash, n%2*tag)
						var want Payload
						at := plain.find(n)
						if at >= 0 {
							want = plain.held[at].p
						}
						if ok != (at >= 0) || p != want {
							t.Fatalf("keys %d, payloads %d, recent %v, step %d: key %d holds %v, %v, want %v", keys, pay, recent, step, n, p, ok, want)
						}
					}
				}
			}
		}
	}
}

// TestConfigs stores at random with all schemes, lengths and tags, with a hash of the caller's
// and a table that grows: every payload found was stored for that key and tag.
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
