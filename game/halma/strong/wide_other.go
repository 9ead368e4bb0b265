//go:build !amd64 || purego

package strong

import "perfectplay/internal/impl"

// useWide is always false, so that nobody calls the kernels.
var useWide bool

var _ = impl.Register("halma/strong", "avx2", &useWide, "not compiled in (not amd64, or built with purego)")

const noWide = "strong: this build has no kernels on 256 bits"

func wideBegin(*wideWord, int) int   { panic(noWide) }
func wideSpread(*wideWord, int)      { panic(noWide) }
func wideEnd(*wideWord, int) bool    { panic(noWide) }
func wideFirst(*wideWord, int)       { panic(noWide) }
func wideSettle(*wideWord, int) bool { panic(noWide) }
