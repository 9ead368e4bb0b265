//go:build !linux

package host

// PeakMemory is [memoryInUse]: this system does not say more.
func PeakMemory() uint64 { return memoryInUse() }
