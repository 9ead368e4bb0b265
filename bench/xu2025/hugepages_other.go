//go:build !linux

package xu2025

// hugePages has no effect on this system.
func hugePages([]uint64) {}
