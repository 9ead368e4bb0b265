//go:build !amd64 || purego

package census

import "perfectplay/internal/impl"

// No kernel is compiled in. The switches exist only so that they can be registered.
var useAVX512, useAVX2 bool

const notCompiled = "not compiled in (not amd64, or built with purego)"

var (
	_ = impl.Register("domino/census", "avx2", &useAVX2, notCompiled)
	_ = impl.Register("domino/census", "avx512", &useAVX512, notCompiled)
)

// run executes code on the slots with the pips of a block.
func run(code []uint32, slots, pips []uint64) { runPortable(code, slots, pips) }
