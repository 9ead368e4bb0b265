package table

import (
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/dgryski/go-farm"
)

// Payload is the value of a key. The low 57 bits of A are the caller's, not all zero; the others
// are zero. B is kept only by tables with two payload words.
type Payload struct{ A, B uint64 }

const (
	lockBit     = 1 << 63
	effortShift = 57
	callerMask  = 1<<effortShift - 1
	effortMask  = uint64(MaxEffort) << effortShift

	// MaxEffort is the largest effort class, see [Effort].
	MaxEffort = 63

	// MaxKeyWords is the longest key.
	MaxKeyWords = 6

	lineWords  = 8
	startBytes = 256 << 10
)

// MinBytes is the smallest budget that New accepts, for tests.
const MinBytes = 4096

var errBudget = errors.New("table: memory budget too small")

// Outcome is the effect of a Store.
type Outcome uint8

const (
	Filled   Outcome = iota // took an empty slot
	Updated                 // combined with an entry of the same key
	Replaced                // pushed another key out of the table
)

// Table maps keys to payloads within a fixed number of bytes.
type Table struct {
	words   []uint64 // every word of the block, aligned to a cache line
	buckets uint64   // buckets in use; at least 1
	limit   uint64   // buckets of the whole block; buckets times a power of two
	stride  int      // words of a bucket
	keys    int      // words of a key
	pay     int      // words of a payload
	slots   int      // entries of a bucket, at least 2
	lead    int      // 1 if the first word of a bucket counts its stores, else 0
	pairs   bool     // an entry is two words, read and written in one access
	merge   func(old, new Payload) Payload
	tag     uint64 // bits of A that belong to the key
	recent  bool   // the second replacement scheme, see [Config]
	hash    func(key []uint64, tag uint64) uint64
	block   Block
}

// Config describes a table. Keys is the length of a key in words (1…6), Payloads the length of a
// payload (1 or 2). If a Store meets an entry of its own key, Merge combines the payloads; it must
// be a pure function.
type Config struct {
	Keys, Payloads int
	Merge          func(old, new Payload) Payload
	// Tag are bits of [Payload].A that are compared as part of the key, such as the side to
	// move.
	Tag uint64
	// Hash replaces [Table.Hash]. It is called when the table grows, by several threads in
	// [Table.GrowWith], and must agree with the hashes passed to Probe and Store.
	Hash func(key []uint64, tag uint64) uint64
	// Recent prefers the newer of two entries of equal effort: an entry of at least the effort
	// of the first of its bucket moves in front of all others, any other takes the last place.
	Recent bool
}

// New returns an empty table of at most budget bytes. Close frees the memory.
func New(budget int64, c Config) (*Table, error) {
	if c.Keys < 1 || c.Keys > MaxKeyWords || c.Payloads < 1 || c.Payloads > 2 {
		panic(fmt.Sprintf("table: %d key words and %d payload words", c.Keys, c.Payloads))
	}
	if budget < MinBytes {
		return nil, fmt.Errorf("%w: %d bytes, at least %d are needed", errBudget, budget, MinBytes)
	}
	t := &Table{keys: c.Keys, pay: c.Payloads, merge: c.Merge, tag: c.Tag & callerMask, recent: c.Recent, hash: c.Hash, stride: lineWords}
	if t.hash == nil {
		t.hash = func(key []uint64, _ uint64) uint64 { return t.Hash(key) }
	}
	entry := t.keys + t.pay
	if 2*entry > lineWords {
		t.stride = 2 * lineWords
	}
	t.slots = t.stride / entry
	t.lead = min(1, t.stride-t.slots*entry)
	t.pairs = entry == 2 && usePairs
	t.limit = uint64(budget) / uint64(t.stride*8)
	t.buckets = t.limit
	var doublings uint
	for t.buckets*uint64(t.stride*8) > startBytes {
		t.buckets /= 2
		doublings++
	}
	t.limit = t.buckets << doublings
	var err error
	t.block, err = Allocate(int(t.limit) * t.stride)
	if err != nil {
		return nil, fmt.Errorf("table: cannot reserve %d bytes: %w", budget, err)
	}
	t.words = t.block.Words
	return t, nil
}

// Close frees the memory. The table must not be used afterwards.
func (t *Table) Close() error {
	t.words = nil
	return t.block.Free()
}

// Hash returns the hash of a key of this table's length: Fingerprint64 of the key's bytes in
// memory.
func (t *Table) Hash(key []uint64) uint64 {
	key = key[:t.keys]
	return farm.Fingerprint64(unsafe.Slice((*byte)(unsafe.Pointer(&key[0])), 8*len(key)))
}

// base is the index of the first word of the hash's bucket.
func (t *Table) base(hash uint64) uint64 {
	i, _ := bits.Mul64(hash, t.buckets)
	return i * uint64(t.stride)
}

// lock locks the bucket whose first word is at p and returns that word without the lock bit.
func lock(p *uint64) uint64 {
	for spin := 0; ; spin++ {
		v := atomic.LoadUint64(p)
		if v&lockBit == 0 && atomic.CompareAndSwapUint64(p, v, v|lockBit) {
			return v
		}
		if spin >= 32 {
			runtime.Gosched()
		}
	}
}

// release unlocks a bucket and sets its first word to v, plus one if that word counts stores.
func (t *Table) release(p *uint64, v uint64) { set(p, (v+uint64(t.lead))&^lockBit) }

// Fetch prefetches the memory for a Probe or Store of this hash.
func (t *Table) Fetch(hash uint64) {
	base := t.base(hash)
	fetch(&t.words[base])
	if t.stride > lineWords {
		fetch(&t.words[base+lineWords])
	}
}

// Probe returns the payload stored for key, whose Hash is hash, and tag, which is 0 if
// [Config].Tag is.
func (t *Table) Probe(key []uint64, hash, tag uint64) (p Payload, ok bool) {
	base := t.base(hash)
	b := t.words[base : base+uint64(t.stride) : base+uint64(t.stride)]
	if t.pairs {
		return t.findPair((*[lineWords]uint64)(b), key[0], tag)
	}
	if t.lead == 0 {
		first := lock(&b[0])
		p, ok = t.find(b, key, tag)
		set(&b[0], first)
		return p, ok
	}
	for spin := 0; ; spin++ {
		if count := atomic.LoadUint64(&b[0]); count&lockBit == 0 {
			p, ok = t.find(b, key, tag)
			if atomic.LoadUint64(&b[0]) == count {
				return p, ok
			}
		}
		if spin >= 32 {
			runtime.Gosched()
		}
	}
}

// findPair is find in a bucket of pairs, without a lock. While a Store moves an entry, the bucket
// may hold the entry twice.
func (t *Table) findPair(b *[lineWords]uint64, key, tag uint64) (p Payload, ok bool) {
	for e := 0; e < lineWords; e += 2 {
		if atomic.LoadUint64(&b[e+1]) != key {
			continue
		}
		a, k := loadPair(&b[e])
		if a &^= lockBit; k == key && a != 0 && (a^tag)&t.tag == 0 {
			return Payload{A: a & callerMask}, true
		}
	}
	return Payload{}, false
}

func (t *Table) find(b []uint64, key []uint64, tag uint64) (p Payload, ok bool) {
	e := t.lead
	for range t.slots {
		if a := atomic.LoadUint64(&b[e]) &^ lockBit; a != 0 && (a^tag)&t.tag == 0 && t.same(b, e, key) {
			return t.payload(b, a, e), true
		}
		e += t.keys + t.pay
	}
	return Payload{}, false
}

func (t *Table) same(b []uint64, e int, key []uint64) bool {
	e += t.pay
	for i, k := range key[:t.keys] {
		if atomic.LoadUint64(&b[e+i]) != k {
			return false
		}
	}
	return true
}

// Store keeps p for key, whose Hash is hash, or combines it with the entry of the key. effort
// (0…MaxEffort, see [Effort]) is the cost of p; entries of more effort stay longer.
func (t *Table) Store(key []uint64, hash uint64, p Payload, effort int) Outcome {
	base := t.base(hash)
	b := t.words[base : base+uint64(t.stride) : base+uint64(t.stride)]
	first := lock(&b[0])
	var out Outcome
	if t.recent {
		out = t.putRecent(b, &first, key, p, uint64(effort)<<effortShift)
	} else {
		out = t.put(b, &first, key, p, uint64(effort)<<effortShift)
	}
	t.release(&b[0], first)
	return out
}

// put stores into a locked bucket and sets *first to its first word for release. effort is already
// shifted to its bits of [Payload].A.
func (t *Table) put(b []uint64, first *uint64, key []uint64, p Payload, effort uint64) Outcome {
	step := t.keys + t.pay
	last := t.lead + (t.slots-1)*step
	weakest, least := -1, ^uint64(0)
	for e := t.lead; e <= last; e += step {
		a := atomic.LoadUint64(&b[e]) &^ lockBit
		if a == 0 {
			t.write(b, first, e, key, p, effort)
			return Filled
		}
		if (a^p.A)&t.tag == 0 && t.same(b, e, key) {
			t.write(b, first, e, key, t.merge(t.payload(b, a, e), p), max(effort, a&effortMask))
			return Updated
		}
		if e < last && a&effortMask < least {
			weakest, least = e, a&effortMask
		}
	}
	if effort < least {
		t.write(b, first, last, key, p, effort)
		return Replaced
	}
	t.move(b, weakest, last)
	t.write(b, first, weakest, key, p, effort)
	return Replaced
}

// putRecent is put under the scheme of [Config].Recent.
func (t *Table) putRecent(b []uint64, first *uint64, key []uint64, p Payload, effort uint64) Outcome {
	step := t.keys + t.pay
	front := t.lead
	last := front + (t.slots-1)*step
	e, out := front, Replaced
	for {
		a := atomic.LoadUint64(&b[e]) &^ lockBit
		if a == 0 {
			out = Filled
			break
		}
		if (a^p.A)&t.tag == 0 && t.same(b, e, key) {
			out, p, effort = Updated, t.merge(t.payload(b, a, e), p), max(effort, a&effortMask)
			break
		}
		if e == last {
			break
		}
		e += step
	}
	if effort < atomic.LoadUint64(&b[front])&effortMask {
		t.write(b, first, e, key, p, effort)
		return out
	}
	for ; e > front; e -= step { // move entries back by one place, to free the front one
		t.move(b, e-step, e)
	}
	t.write(b, first, front, key, p, effort)
	return out
}

func (t *Table) payload(b []uint64, a uint64, e int) Payload {
	p := Payload{A: a & callerMask}
	if t.pay == 2 {
		p.B = atomic.LoadUint64(&b[e+1])
	}
	return p
}

// move copies the entry at offset from of a locked bucket to offset to.
func (t *Table) move(b []uint64, from, to int) {
	a := atomic.LoadUint64(&b[from]) &^ lockBit
	if t.pairs {
		storePair(&b[to], a, b[from+1])
		return
	}
	set(&b[to], a)
	for i := range t.keys + t.pay - 1 {
		set(&b[to+1+i], b[from+1+i])
	}
}

// write fills the entry at offset e of a locked bucket.
func (t *Table) write(b []uint64, first *uint64, e int, key []uint64, p Payload, effort uint64) {
	a := p.A&callerMask | effort
	if e == 0 {
		*first = a
	}
	switch {
	case t.pairs && e == 0:
		storePair(&b[0], a|lockBit, key[0])
		return
	case t.pairs:
		storePair(&b[e], a, key[0])
		return
	case e > 0:
		set(&b[e], a)
	}
	if t.pay == 2 {
		set(&b[e+1], p.B)
	}
	for i, k := range key[:t.keys] {
		set(&b[e+t.pay+i], k)
	}
}

// Grow doubles the part of the block in use and keeps every entry that still fits. It reports
// false if the whole block is in use. No other method may run meanwhile.
func (t *Table) Grow() bool { return t.GrowWith(1) }

// GrowWith is Grow with a number of threads, the caller's included.
func (t *Table) GrowWith(threads int) bool {
	if t.buckets >= t.limit {
		return false
	}
	n := t.buckets
	t.buckets *= 2
	// Bucket i of n splits into buckets 2i and 2i+1 of 2n. Buckets are split from the last one down,
	// so none is overwritten before it has moved. Of the buckets left, the upper half moves to free
	// places, so threads may split it at the same time.
	for n > 0 {
		if threads < 2 || n < shareBuckets {
			t.split(0, n)
			break
		}
		half := (n + 1) / 2
		part := (n - half + uint64(threads) - 1) / uint64(threads)
		var wait sync.WaitGroup
		for from := half + part; from < n; from += part {
			wait.Go(func() { t.split(from, min(from+part, n)) })
		}
		t.split(half, half+part)
		wait.Wait()
		n = half
	}
	return true
}

const shareBuckets = 1 << 12

// split moves the entries of the buckets lo…hi−1 to their buckets in the doubled table.
func (t *Table) split(lo, hi uint64) {
	step := t.keys + t.pay
	var old [2 * lineWords]uint64
	for i := hi; i > lo; i-- {
		from := (i - 1) * uint64(t.stride)
		copy(old[:t.stride], t.words[from:])
		clear(t.words[from : from+uint64(t.stride)])
		for e := t.lead; e+step <= t.lead+t.slots*step; e += step {
			if old[e] == 0 {
				continue
			}
			p := t.payload(old[:], old[e], e)
			key := old[e+t.pay : e+step]
			base := t.base(t.hash(key, p.A&t.tag))
			b := t.words[base : base+uint64(t.stride)]
			first := b[0]
			t.put(b, &first, key, p, old[e]&effortMask)
			b[0] = first
		}
	}
}

// Clear empties the table. No other method may run meanwhile.
func (t *Table) Clear() { clear(t.words[:t.buckets*uint64(t.stride)]) }

// Stats is the size and fill of a table.
type Stats struct {
	Bytes  int64 // size of the whole block
	InUse  int64 // bytes of the part in use
	Slots  int64 // entries that fit the part in use
	Filled int64 // entries stored
}

// Slots is the number of entries that the part in use can hold.
func (t *Table) Slots() int64 { return int64(t.buckets) * int64(t.slots) }

// Limit is the number of entries that the whole block can hold.
func (t *Table) Limit() int64 { return int64(t.limit) * int64(t.slots) }

// CanGrow reports whether part of the block is not in use yet.
func (t *Table) CanGrow() bool { return t.buckets < t.limit }

// Stats counts the table. While others store, the count is approximate.
func (t *Table) Stats() Stats {
	s := Stats{Bytes: int64(t.limit) * int64(t.stride) * 8, InUse: int64(t.buckets) * int64(t.stride) * 8, Slots: t.Slots()}
	step := t.keys + t.pay
	for i := uint64(0); i < t.buckets; i++ {
		b := t.words[i*uint64(t.stride) : (i+1)*uint64(t.stride)]
		for e := t.lead; e < t.lead+t.slots*step; e += step {
			if atomic.LoadUint64(&b[e])&callerMask != 0 {
				s.Filled++
			}
		}
	}
	return s
}

// Effort is the class of a number of nodes: about twice its binary logarithm.
func Effort(nodes uint64) int {
	if nodes == 0 {
		return 0
	}
	n := bits.Len64(nodes) - 1
	return min(2*n+int(2*nodes>>n&1), MaxEffort)
}
