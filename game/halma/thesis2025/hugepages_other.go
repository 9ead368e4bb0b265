//go:build !linux

package thesis2025

// hugePages has no effect on this system.
func hugePages([]uint64) {}
