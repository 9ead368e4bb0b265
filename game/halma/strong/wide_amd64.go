//go:build amd64 && !purego

package strong

import (
	"github.com/klauspost/cpuid/v2"

	"perfectplay/internal/impl"
)

var useWide bool

var _ = impl.Register("halma/strong", "avx2", &useWide, whyNotWide())

var avx2 = wideKernels{wideBegin, wideSpread, wideEnd, wideSettle, wideFirst}

func whyNotWide() string {
	if cpuid.CPU.Supports(cpuid.AVX2) {
		return ""
	}
	return "the processor has no AVX2"
}

//go:noescape
func wideBegin(w *wideWord, cells int) (hops int)

//go:noescape
func wideSpread(w *wideWord, hops int)

//go:noescape
func wideEnd(w *wideWord, cells int) bool

//go:noescape
func wideFirst(w *wideWord, cells int)

//go:noescape
func wideSettle(w *wideWord, cells int) bool
