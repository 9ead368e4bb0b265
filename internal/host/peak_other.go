//go:build !linux

package host

// PeakMemory is [MemoryInUse]: this system does not say more.
func PeakMemory() uint64 { return MemoryInUse() }
