package prove

import (
	"errors"
	"math/bits"

	"perfectplay/internal/table"
)

// MinMemory is the smallest table in bytes.
const MinMemory = 1 << 16

// ErrMemory says that a budget of bytes is too small: below MinMemory for a table, or too
// small for the positions of a certificate.
var ErrMemory = errors.New("prove: memory budget too small")

// verdict is the kind of an entry.
type verdict uint8

const (
	limited verdict = iota // no proof: the attacker has no win with at most move quiet moves
	won                    // the attacker can complete a window
	refuted                // the attacker cannot; the word is the zone
	open                   // the word is proof number << 32 | disproof number
)

// proof reports whether a verdict is final.
func (v verdict) proof() bool { return v == won || v == refuted }

// The payload of an entry begins with the verdict and the side to move, which is part of
// the key; see pack.
const (
	verdictMask = 3
	attackShift = 2 // set if the attacker is to move
)

// mergeFacts keeps a proof unless another proof replaces it.
func mergeFacts(old, new table.Payload) table.Payload {
	if verdict(old.A&verdictMask).proof() && !verdict(new.A&verdictMask).proof() {
		return old
	}
	return new
}

func mix(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, y^0xd6e8feb86659fd93)
	h := hi ^ lo
	h ^= h >> 29
	hi, lo = bits.Mul64(h, 0xa0761d6478bd642f)
	return hi ^ lo ^ x
}
