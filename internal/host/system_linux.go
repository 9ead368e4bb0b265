package host

import (
	"bytes"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// allocate takes the room of n bytes on the disk for a file.
func allocate(f *os.File, n int) error { return unix.Fallocate(int(f.Fd()), 0, 0, int64(n)) }

// PeakMemory is the most memory that the process has had resident, in bytes. The peak by getrusage
// is useless: it is never below the peak of the program that started this program.
func PeakMemory() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return memoryInUse()
	}
	var kib uint64
	_, line, _ := bytes.Cut(status, []byte("\nVmHWM:"))
	if _, err := fmt.Sscan(string(line), &kib); err != nil {
		return memoryInUse()
	}
	return kib << 10
}
