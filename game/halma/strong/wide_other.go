//go:build !amd64 || purego

package strong

import "perfectplay/internal/impl"

// useWide is a variable only so that it can be registered; it is always false.
var useWide bool

var _ = impl.Register("halma/strong", "avx2", &useWide, "not compiled in (not amd64, or built with purego)")

func wideBegin(w *wideWord, cells int) int   { return wideBeginPortable(w, cells) }
func wideSpread(w *wideWord, hops int)       { wideSpreadPortable(w, hops) }
func wideEnd(w *wideWord, cells int) bool    { return wideEndPortable(w, cells) }
func wideFirst(w *wideWord, cells int)       { wideFirstPortable(w, cells) }
func wideSettle(w *wideWord, cells int) bool { return wideSettlePortable(w, cells) }
