package prove

import (
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// MinMemory is the smallest table in bytes.
const MinMemory = 1 << 16

// ErrMemory says that a byte budget is below MinMemory.
var ErrMemory = errors.New("prove: memory budget too small")

// table is a fixed block of memory that maps positions to what is proved about
// them. A bucket is a cache line of two entries of four words:
//
//	word 0   bit 63 lock (first entry only), 57–62 effort, 8–13 move,
//	         2 attacker to move, 0–1 verdict; zero is empty
//	word 1   attacker's stones and walls     the exact key,
//	word 2   defender's stones and walls     never a hash alone
//	word 3   zone of a refutation, or proof and disproof number
//
// The first entry of a bucket keeps what took more effort, the second is always
// replaced (TwoBig1 of Breuker, Uiterwijk and van den Herik, 1994). load and
// store may be called from any number of goroutines.
//
// Use begins with a small prefix of the block and doubles as it fills, because
// the first touch of memory is far slower than the search of a small board.
type table struct {
	words   []uint64 // the whole block
	buckets uint64   // in use; limit divided by a power of two
	limit   uint64
	used    atomic.Uint64 // entries that hold something
}

// startBuckets is how many buckets are in use at first.
const startBuckets = 1 << 16

const (
	entryWords  = 4
	bucketWords = 2 * entryWords
	lockBit     = 1 << 63
	effortShift = 57
)

// verdict says what is known about a position.
type verdict uint8

const (
	won     verdict = 1 + iota // the attacker can complete a window
	refuted                    // the attacker cannot; the word is the zone
	open                       // the word is proof number << 32 | disproof number
)

// fact is what the table holds about a position.
type fact struct {
	verdict verdict
	move    uint8
	word    uint64
}

// newTable returns an empty table of at most budget bytes.
func newTable(budget int64) (*table, error) {
	if budget < MinMemory {
		return nil, fmt.Errorf("%w: %d bytes, at least %d are needed", ErrMemory, budget, MinMemory)
	}
	t := &table{buckets: uint64(budget-64) / (bucketWords * 8)}
	var doublings uint
	for t.buckets > startBuckets {
		t.buckets /= 2
		doublings++
	}
	t.limit = t.buckets << doublings
	words := make([]uint64, t.limit*bucketWords+8)
	skip := 0
	for uintptr(unsafe.Pointer(&words[skip]))%64 != 0 {
		skip++
	}
	t.words = words[skip : skip+int(t.limit*bucketWords)]
	hugePages(words)
	return t, nil
}

// reset empties the table. No other method may run meanwhile.
func (t *table) reset() {
	clear(t.words[:t.buckets*bucketWords])
	for t.buckets > startBuckets {
		t.buckets /= 2
	}
	t.used.Store(0)
}

// bytes is the size of the block.
func (t *table) bytes() int64 { return int64(t.limit*bucketWords*8) + 64 }

// hugePages asks for large pages where a table spans many; it is advice, and a
// system that does not take it only makes the table slower.
func hugePages(words []uint64) {
	const page = 2 << 20
	from := uintptr(unsafe.Pointer(unsafe.SliceData(words)))
	skip := int((page - from%page) % page / 8)
	if n := (len(words) - skip) * 8 / page * page; n > 0 && len(words) > skip {
		_ = unix.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(&words[skip])), n), unix.MADV_HUGEPAGE)
	}
}

// mix hashes a key.
func mix(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, y^0xd6e8feb86659fd93)
	h := hi ^ lo
	h ^= h >> 29
	hi, lo = bits.Mul64(h, 0xa0761d6478bd642f)
	return hi ^ lo ^ x
}

func (t *table) bucket(x, y uint64, attack uint64) []uint64 {
	i, _ := bits.Mul64(mix(x, y+attack<<62), t.buckets)
	return t.words[i*bucketWords : (i+1)*bucketWords : (i+1)*bucketWords]
}

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

// crowded reports whether the table should grow and can.
func (t *table) crowded() bool { return t.buckets < t.limit && t.used.Load() > t.buckets }

// grow doubles the part in use and moves every entry to its place. No other
// method may run meanwhile.
func (t *table) grow() {
	n := t.buckets
	t.buckets *= 2
	var old [bucketWords]uint64
	// Bucket i of n becomes 2i and 2i+1: from the top, nothing is overwritten
	// before it has moved.
	for i := n; i > 0; i-- {
		from := t.words[(i-1)*bucketWords : i*bucketWords]
		copy(old[:], from)
		clear(from)
		for e := bucketWords - entryWords; e >= 0; e -= entryWords {
			meta := old[e]
			if meta == 0 {
				continue
			}
			b := t.bucket(old[e+1], old[e+2], meta>>2&1)
			if b[0] != 0 { // it held the less important entry, which gives way
				copy(b[entryWords:], b[:entryWords])
			}
			copy(b[:entryWords], old[e:e+entryWords])
		}
	}
}

// load returns what is known about a position; attack is 1 if the attacker is
// to move.
func (t *table) load(x, y uint64, attack uint64) (f fact, ok bool) {
	b := t.bucket(x, y, attack)
	first := lock(&b[0])
	meta := first
	for e := 0; ; {
		if meta != 0 && b[e+1] == x && b[e+2] == y && meta>>2&1 == attack {
			f, ok = fact{verdict(meta & 3), uint8(meta >> 8 & 63), b[e+3]}, true
			break
		}
		if e != 0 {
			break
		}
		e = entryWords
		meta = b[e]
	}
	atomic.StoreUint64(&b[0], first)
	return f, ok
}

// store keeps what is known about a position that took the given nodes. A
// proof is never replaced by less than a proof. fresh reports that the table
// holds one entry more than before.
func (t *table) store(x, y uint64, attack uint64, f fact, nodes uint64) (fresh bool) {
	effort := min(uint64(bits.Len64(nodes)), 63)
	meta := effort<<effortShift | uint64(f.move)<<8 | attack<<2 | uint64(f.verdict)
	b := t.bucket(x, y, attack)
	first := lock(&b[0])
	e := -1 // the entry of this position
	switch {
	case first != 0 && b[1] == x && b[2] == y && first>>2&1 == attack:
		e = 0
		if f.verdict == open && verdict(first&3) != open {
			atomic.StoreUint64(&b[0], first)
			return false
		}
	case b[4] != 0 && b[5] == x && b[6] == y && b[4]>>2&1 == attack:
		e = entryWords
		if f.verdict == open && verdict(b[4]&3) != open {
			atomic.StoreUint64(&b[0], first)
			return false
		}
	}
	fresh = e < 0 && (first == 0 || b[4] == 0)
	switch {
	case e == 0:
		b[3] = f.word
		first = meta
	case effort >= first>>effortShift&63:
		// Entry 1 held this position or the less important one: it gives way.
		if first != 0 {
			b[4], b[5], b[6], b[7] = first, b[1], b[2], b[3]
		}
		first, b[1], b[2], b[3] = meta, x, y, f.word
	default:
		b[4], b[5], b[6], b[7] = meta, x, y, f.word
	}
	atomic.StoreUint64(&b[0], first)
	return fresh
}

// filled is how full the table is, of all that it may use, 0…1.
func (t *table) filled() float64 { return float64(t.used.Load()) / float64(2*t.limit) }
