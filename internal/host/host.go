// Package host has services of operating systems that Go's library lacks: processor time, memory
// in huge pages, and files mapped as memory; and the loop that divides work among threads,
// [Parallel]. Without a service work is slower, or bounded by memory.
//
//	                 Linux   macOS, FreeBSD   Windows   elsewhere
//	[ProcessTime]    yes     yes              yes       time of day
//	[PeakMemory]     yes     no: what Go's runtime has
//	[Pages]          yes     no: ErrUnsupported, also under the race detector
//	[scratch]        yes     yes              no: ErrUnsupported
package host

import (
	"os"
	"runtime"
	"time"
)

// started is the time of the program's start, for systems without a clock of processor time.
var started = time.Now()

// memoryInUse is the memory that Go's runtime has from the operating system.
func memoryInUse() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}

// takeRoom writes n zero bytes to a new file: they reserve its room on the disk.
func takeRoom(f *os.File, n int) error {
	zeros := make([]byte, 1<<20)
	for at := 0; at < n; at += len(zeros) {
		if _, err := f.WriteAt(zeros[:min(len(zeros), n-at)], int64(at)); err != nil {
			return err
		}
	}
	return nil
}
