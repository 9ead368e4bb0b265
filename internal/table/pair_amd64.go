//go:build amd64 && !race && !purego

package table

import (
	"github.com/klauspost/cpuid/v2"

	"perfectplay/internal/impl"
)

// usePairs says whether new tables read and write entries of two words in one access.
var usePairs bool

var _ = impl.Register("table", "pairs", &usePairs, whyNoPairs(&cpuid.CPU))

// whyNoPairs returns the reason why 16-byte accesses may be torn on this processor, or "" if they
// are not.
func whyNoPairs(cpu *cpuid.CPUInfo) string {
	if !cpu.Supports(cpuid.AVX) {
		return "the processor lacks AVX"
	}
	return ""
}

// loadPair returns the two words at p, a multiple of 16 bytes.
//
//go:noescape
func loadPair(p *uint64) (a, k uint64)

// storePair stores two words at p, a multiple of 16 bytes.
//
//go:noescape
func storePair(p *uint64, a, k uint64)
