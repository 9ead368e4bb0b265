//go:build !amd64 || purego

package bitboard

import "perfectplay/internal/impl"

var useBMI2 bool

var _ = impl.Register("bitboard", "bmi2", &useBMI2, "not compiled in (not amd64, or built with purego)")

func extract64(x, mask uint64) uint64 { return extract64Portable(x, mask) }
func deposit64(x, mask uint64) uint64 { return deposit64Portable(x, mask) }

func extract128(x, mask Set128) Set128 { return extract128Portable(x, mask) }
func deposit128(x, mask Set128) Set128 { return deposit128Portable(x, mask) }

func extractWords(dst, x, mask []uint64) { extractWordsPortable(dst, x, mask) }
func depositWords(dst, x, mask []uint64) { depositWordsPortable(dst, x, mask) }
