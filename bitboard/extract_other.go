//go:build !amd64 || purego

package bitboard

import "perfectplay/internal/impl"

// useBMI2 is a variable only so that it can be registered; it stays false.
var useBMI2 bool

var _ = impl.Register("bitboard", "bmi2", &useBMI2, "not compiled in (not amd64, or built with purego)")

func extract64(x, mask uint64) uint64 { return extract64Portable(x, mask) }
func deposit64(x, mask uint64) uint64 { return deposit64Portable(x, mask) }

func extract128(lo, hi, maskLo, maskHi uint64) (outLo, outHi uint64) {
	return extract128Portable(lo, hi, maskLo, maskHi)
}

func deposit128(lo, hi, maskLo, maskHi uint64) (outLo, outHi uint64) {
	return deposit128Portable(lo, hi, maskLo, maskHi)
}

func extractSlice64(dst, src []uint64, mask uint64) { extractSlice64Portable(dst, src, mask) }
func depositSlice64(dst, src []uint64, mask uint64) { depositSlice64Portable(dst, src, mask) }

func extractSlice128(dst, src []Set128, mask Set128) { extractSlice128Portable(dst, src, mask) }
func depositSlice128(dst, src []Set128, mask Set128) { depositSlice128Portable(dst, src, mask) }
