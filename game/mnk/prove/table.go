package prove

import (
	"errors"
	"math/bits"

	"perfectplay/internal/table"
)

// MinMemory is the smallest table in bytes.
const MinMemory = 1 << 16

// ErrMemory says that a budget of bytes is too small: below MinMemory for a table, or for
// the answers of a certificate.
var ErrMemory = errors.New("prove: memory budget too small")

// verdict says what is known about a position.
type verdict uint8

const (
	limited verdict = iota // the attacker was not found to with as many quiet moves as the move says; no proof
	won                    // the attacker can complete a window
	refuted                // the attacker cannot; the word is the zone
	open                   // the word is proof number << 32 | disproof number
)

// proof reports whether a verdict is one that nothing changes.
func (v verdict) proof() bool { return v == won || v == refuted }

// The payload of an entry begins with the verdict and who is to move, which is part of
// the key; see pack.
const (
	verdictMask = 3
	attackShift = 2 // the attacker is to move
)

// mergeFacts keeps a proof when less follows it.
func mergeFacts(old, new table.Payload) table.Payload {
	if verdict(old.A&verdictMask).proof() && !verdict(new.A&verdictMask).proof() {
		return old
	}
	return new
}

// mix hashes two words.
func mix(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, y^0xd6e8feb86659fd93)
	h := hi ^ lo
	h ^= h >> 29
	hi, lo = bits.Mul64(h, 0xa0761d6478bd642f)
	return hi ^ lo ^ x
}
