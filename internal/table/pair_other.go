//go:build !amd64 || race || purego

package table

import "perfectplay/internal/impl"

var usePairs bool

var _ = impl.Register("table", "pairs", &usePairs, "this build or processor has no access of 16 bytes")

func loadPair(*uint64) (a, k uint64) { panic("table: no access of 16 bytes") }

func storePair(*uint64, uint64, uint64) { panic("table: no access of 16 bytes") }
