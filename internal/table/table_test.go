package table

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"perfectplay/internal/impl"
)

// larger keeps the larger first word, so that the order of stores does not matter.
func larger(old, new Payload) Payload {
	if new.A > old.A {
		return new
	}
	return old
}

func open(t testing.TB, budget int64, keys, pay int) *Table {
	t.Helper()
	return openConfig(t, budget, Config{Keys: keys, Payloads: pay, Merge: larger})
}

// key makes the n-th key of a length; every word depends on n.
func key(n uint64, words int) []uint64 {
	k := make([]uint64, words)
	for i := range k {
		k[i] = n * (2*uint64(i) + 1)
	}
	return k
}

func rounds(n int) int {
	if testing.Short() {
		return n / 5
	}
	return n
}

// payload is the payload of key n in tests.
func payload(n uint64, pay int) Payload {
	p := Payload{A: n*0x9e3779b97f4a7c15>>8&callerMask | 1}
	if pay == 2 {
		p.B = ^n
	}
	return p
}

// TestAgainstMap stores many more keys than slots at random, and compares each payload found with a
// map of everything stored: a payload must have been stored for its key, and be no smaller than the
// key's last payload.
func TestAgainstMap(t *testing.T) { impl.TestAll(t, "table", againstMap) }

func againstMap(t *testing.T) {
	for keys := 1; keys <= MaxKeyWords; keys++ {
		for pay := 1; pay <= 2; pay++ {
			t.Run(fmt.Sprintf("keys=%d/pay=%d", keys, pay), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(keys), uint64(pay)))
				tab := open(t, MinBytes, keys, pay)
				stored := map[uint64][]uint64{}
				found := 0
				for range rounds(50_000) {
					n := rng.Uint64N(4000)
					k := key(n, keys)
					h := tab.Hash(k)
					if rng.IntN(2) == 0 {
						p := Payload{A: 1 + rng.Uint64N(1000)}
						if pay == 2 {
							p.B = p.A ^ n
						}
						tab.Store(k, h, p, rng.IntN(MaxEffort+1))
						stored[n] = append(stored[n], p.A)
						continue
					}
					p, ok := tab.Probe(k, h, 0)
					if !ok {
						continue
					}
					found++
					all := stored[n]
					if !slices.Contains(all, p.A) || p.A < all[len(all)-1] {
						t.Fatalf("key %d: %d, stored were %d", n, p.A, all)
					}
					if pay == 2 && p.B != p.A^n {
						t.Fatalf("key %d: second word %#x does not belong to first word %d", n, p.B, p.A)
					}
				}
				if found == 0 {
					t.Error("nothing was ever found")
				}
			})
		}
	}
}

// TestBudget: a table reserves no more than its budget. It leaves at most 1/2000 of the budget and
// a bucket unused.
func TestBudget(t *testing.T) {
	last := 24
	if testing.Short() {
		last = 20
	}
	for keys := 1; keys <= MaxKeyWords; keys++ {
		for shift := 12; shift <= last; shift += 2 {
			for _, off := range []int64{-1, 0, 1, 100} {
				budget := int64(1)<<shift + off
				tab, err := New(budget, Config{Keys: keys, Payloads: 1, Merge: larger})
				if budget < MinBytes {
					if !errors.Is(err, errBudget) {
						t.Errorf("budget %d: %v", budget, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				for tab.Grow() {
				}
				s := tab.Stats()
				if s.Bytes > budget || s.Bytes < budget-budget>>11-16*lineWords || s.InUse != s.Bytes {
					t.Errorf("budget %d: reserves %d, uses %d", budget, s.Bytes, s.InUse)
				}
				if err := tab.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// TestGrow fills a small part of a table, grows it to its end, and finds everything again.
func TestGrow(t *testing.T) { impl.TestAll(t, "table", growth) }

func growth(t *testing.T) {
	for _, keys := range []int{1, 2, 3, 6} {
		tab := open(t, 16<<20, keys, 1)
		if !tab.CanGrow() {
			t.Fatal("the table starts at its full size")
		}
		var held []uint64
		some := uint64(rounds(30_000))
		for n := uint64(1); n < some; n++ {
			k := key(n, MaxKeyWords) // the table reads the first words of a longer key
			tab.Store(k, tab.Hash(k), payload(n, 1), int(n%40))
		}
		for n := uint64(1); n < some; n++ {
			if _, ok := tab.Probe(key(n, keys), tab.Hash(key(n, keys)), 0); ok {
				held = append(held, n)
			}
		}
		if s := tab.Stats(); s.Filled != int64(len(held)) {
			t.Errorf("%d entries counted, %d found", s.Filled, len(held))
		}
		grown := 0
		for tab.GrowWith(1 + grown%3) {
			grown++
			for _, n := range held {
				if p, ok := tab.Probe(key(n, keys), tab.Hash(key(n, keys)), 0); !ok || p != payload(n, 1) {
					t.Fatalf("keys of %d words, after %d doublings: entry %d: %v %v", keys, grown, n, p, ok)
				}
			}
		}
		if grown == 0 || tab.CanGrow() {
			t.Errorf("%d doublings, can grow: %v", grown, tab.CanGrow())
		}
		tab.Clear()
		if s := tab.Stats(); s.Filled != 0 {
			t.Errorf("%d entries after Clear", s.Filled)
		}
	}
}

// TestShared lets goroutines store to and probe the same few buckets, while other goroutines only
// probe. No payload found may belong to another key or be torn.
func TestShared(t *testing.T) { impl.TestAll(t, "table", sharedBuckets) }

func sharedBuckets(t *testing.T) {
	for _, c := range []struct{ keys, pay, lead int }{{1, 1, 0}, {2, 1, 1}, {2, 2, 0}, {3, 1, 0}, {4, 1, 1}, {5, 2, 1}} {
		for _, recent := range []bool{false, true} {
			t.Run(fmt.Sprintf("keys=%d/pay=%d/recent=%v", c.keys, c.pay, recent), func(t *testing.T) {
				tab := openConfig(t, MinBytes, Config{Keys: c.keys, Payloads: c.pay, Merge: larger, Recent: recent})
				if tab.lead != c.lead {
					t.Fatalf("%d words count stores, want %d", tab.lead, c.lead)
				}
				var wg sync.WaitGroup
				for id := range 4 {
					wg.Go(func() {
						rng := rand.New(rand.NewPCG(uint64(id), 7))
						for range rounds(20_000) {
							n := 1 + rng.Uint64N(500)
							k := key(n, c.keys)
							h := tab.Hash(k)
							if p, ok := tab.Probe(k, h, 0); ok && p != payload(n, c.pay) {
								t.Errorf("key %d: %#x", n, p)
								return
							}
							if id > 0 {
								tab.Store(k, h, payload(n, c.pay), rng.IntN(30))
							}
						}
					})
				}
				wg.Wait()
			})
		}
	}
}

// TestTorn stores a few keys into one bucket as fast as possible, with another payload each
// time, while another goroutine probes for them.
func TestTorn(t *testing.T) {
	for _, c := range []struct{ keys, pay int }{{1, 1}, {4, 1}, {2, 2}} {
		for _, recent := range []bool{false, true} {
			t.Run(fmt.Sprintf("keys=%d/pay=%d/recent=%v", c.keys, c.pay, recent), func(t *testing.T) {
				impl.TestAll(t, "table", func(t *testing.T) { torn(t, c.keys, c.pay, recent) })
			})
		}
	}
}

func torn(t *testing.T, keys, pay int, recent bool) {
	const hash = 7
	newer := func(_, p Payload) Payload { return p }
	tab := openConfig(t, MinBytes, Config{Keys: keys, Payloads: pay, Merge: newer, Recent: recent})
	done := make(chan struct{})
	defer func() { <-done }()
	go func() {
		defer close(done)
		for i := range uint64(rounds(500_000)) {
			n := 1 + i*i%7
			p := Payload{A: n<<32 | i}
			if pay == 2 {
				p.B = ^p.A
			}
			tab.Store(key(n, keys), hash, p, int(i%5))
		}
	}()
	for i := uint64(0); ; i++ {
		n := 1 + i%7
		if p, ok := tab.Probe(key(n, keys), hash, 0); ok && (p.A>>32 != n || pay == 2 && p.B != ^p.A) {
			t.Fatalf("probe %d of key %d: %#x", i, n, p)
		}
		if i%1024 == 0 {
			select {
			case <-done:
				return
			default:
				runtime.Gosched() // under wasm nothing interrupts a running goroutine
			}
		}
	}
}

func TestPromises(t *testing.T) {
	for _, c := range []Config{{Keys: 0, Payloads: 1}, {Keys: MaxKeyWords + 1, Payloads: 1}, {Keys: 1, Payloads: 0}, {Keys: 1, Payloads: 3}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("keys of %d words, payloads of %d: no panic", c.Keys, c.Payloads)
				}
			}()
			_, _ = New(MinBytes, c)
		}()
	}
}

func TestNoAllocations(t *testing.T) {
	tab := open(t, 1<<20, 4, 1)
	k := key(5, 4)
	n := uint64(0)
	if got := testing.AllocsPerRun(1000, func() {
		n++
		k[0] = n
		h := tab.Hash(k)
		tab.Store(k, h, payload(n, 1), 3)
		tab.Probe(k, h, 0)
	}); got != 0 {
		t.Errorf("%v allocations a store and probe", got)
	}
}

func TestEffort(t *testing.T) {
	last := 0
	for n := uint64(1); n < 1<<40; n += n/5 + 1 {
		e := Effort(n)
		if e < last || e > MaxEffort {
			t.Fatalf("effort of %d nodes is %d after %d", n, e, last)
		}
		last = e
	}
	if Effort(0) != 0 || Effort(1<<63) != MaxEffort || Effort(2048)-Effort(1024) != 2 {
		t.Error("effort classes at the ends")
	}
}

// BenchmarkProbe looks up keys in a nearly full table of a gibibyte. Half of the keys are in the
// table. With ahead=0 every access waits for memory; else keys are prefetched that many probes
// before.
func BenchmarkProbe(b *testing.B) {
	for _, keys := range []int{1, 2, 4, 5, 6} {
		var tab *Table
		b.Cleanup(func() {
			if tab != nil {
				tab.Close()
			}
		})
		for _, ahead := range []int{0, 1, 4, 8} {
			b.Run(fmt.Sprintf("keys=%d/GiB=1/ahead=%d", keys, ahead), func(b *testing.B) {
				if tab == nil {
					tab = filled(b, 1<<30, keys)
				}
				probe(b, tab, keys, ahead)
			})
		}
	}
}

// filled returns a table into which as many keys were stored as it has slots.
func filled(b *testing.B, budget int64, keys int) *Table {
	tab, err := New(budget, Config{Keys: keys, Payloads: 1, Merge: larger})
	if err != nil {
		b.Fatal(err)
	}
	for tab.GrowWith(2) {
	}
	var k [MaxKeyWords]uint64
	for n := range uint64(tab.Slots()) {
		benchKey(&k, n, keys)
		tab.Store(k[:], tab.Hash(k[:]), payload(n, 1), 0)
	}
	return tab
}

func benchKey(k *[MaxKeyWords]uint64, n uint64, words int) {
	for i := range words {
		k[i] = n * (2*uint64(i) + 1)
	}
}

func probe(b *testing.B, tab *Table, keys, ahead int) {
	const ring = 16
	type place struct {
		n    uint64
		key  [MaxKeyWords]uint64
		hash uint64
	}
	var next [ring]place
	universe, state := 2*uint64(tab.Slots()), uint64(1)
	draw := func(p *place, more uint64) {
		state = state*6364136223846793005 + 1442695040888963407 + more
		p.n, _ = bits.Mul64(state, universe)
		benchKey(&p.key, p.n, keys)
		p.hash = tab.Hash(p.key[:])
		if ahead > 0 {
			tab.Fetch(p.hash)
		}
	}
	for i := range ahead {
		draw(&next[i], 0)
	}
	hits, found := 0, uint64(0)
	for i := 0; b.Loop(); i++ {
		draw(&next[(i+ahead)%ring], found)
		at := &next[i%ring]
		p, ok := tab.Probe(at.key[:], at.hash, 0)
		if ok {
			hits++
			if p != payload(at.n, 1) {
				b.Fatalf("key %d: %v", at.n, p)
			}
		}
		if ahead == 0 {
			found = p.A
		}
	}
	if b.N > 1000 && hits == 0 {
		b.Error("nothing is found")
	}
}
