//go:build amd64 && !purego

package strong

import (
	"github.com/klauspost/cpuid/v2"

	"perfectplay/internal/impl"
)

var useWide bool

var _ = impl.Register("halma/strong", "avx2", &useWide, whyNotWide())

func whyNotWide() string {
	if cpuid.CPU.Supports(cpuid.AVX2) {
		return ""
	}
	return "the processor has no AVX2"
}

// The kernels on a word, in assembly. cells is the number of cells, hops the number of possible
// hops.

// wideBegin lists the possible hops. It sets flood to to, near to the cells from which a step or
// one hop leads to a cell of to, and alone to the cells at the ends of possible hops. It returns
// the number of possible hops.
//
//go:noescape
func wideBegin(w *wideWord, cells int) (hops int)

// wideSpread adds to flood all cells to which possible hops lead from cells of flood.
//
//go:noescape
func wideSpread(w *wideWord, hops int)

// wideEnd adds to near the cells of flood outside of to. It leaves in alone the cells of to that
// have hops and are not in near. It says whether alone has any cell.
//
//go:noescape
func wideEnd(w *wideWord, cells int) bool

// wideFirst moves the first cell of each lane from alone to flood and first.
//
//go:noescape
func wideFirst(w *wideWord, cells int)

// wideSettle adds to near the cells that flood and to share, in the lanes where there are others
// besides first. It removes the cells of flood from alone, and says whether alone has any cell
// left.
//
//go:noescape
func wideSettle(w *wideWord, cells int) bool
