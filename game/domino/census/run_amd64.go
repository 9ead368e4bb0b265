//go:build amd64 && !purego

package census

import (
	"github.com/klauspost/cpuid/v2"

	"perfectplay/internal/impl"
)

// useAVX512 and useAVX2 select the kernel. If both are set, the kernel for AVX-512 runs.
var useAVX512, useAVX2 bool

var (
	_ = impl.Register("domino/census", "avx2", &useAVX2, without(cpuid.AVX2, "the processor has no AVX2"))
	_ = impl.Register("domino/census", "avx512", &useAVX512, without(cpuid.AVX512BW, "the processor has no AVX-512BW"))
)

func without(feature cpuid.FeatureID, why string) string {
	if cpuid.CPU.Supports(feature) {
		return ""
	}
	return why
}

// Code ends with opEnd; slots and pips contain all its offsets.

//go:noescape
func runAVX512(code *uint32, slots, pips *uint64)

//go:noescape
func runAVX2(code *uint32, slots, pips *uint64)

func run(code []uint32, slots, pips []uint64) {
	switch {
	case useAVX512:
		runAVX512(&code[0], &slots[0], &pips[0])
	case useAVX2:
		runAVX2(&code[0], &slots[0], &pips[0])
	default:
		runPortable(code, slots, pips)
	}
}
