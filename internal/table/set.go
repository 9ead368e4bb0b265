//go:build !amd64 || race || purego

package table

import "sync/atomic"

// set stores a word of a bucket that the caller has locked, or the word that unlocks it.
// Readers without the lock see such stores in their order.
func set(p *uint64, v uint64) { atomic.StoreUint64(p, v) }
