//go:build !amd64 || purego

package strong

import "perfectplay/internal/impl"

// useWide is always false.
var useWide bool

var _ = impl.Register("halma/strong", "avx2", &useWide, "not compiled in (not amd64, or built with purego)")

var avx2 = portable
