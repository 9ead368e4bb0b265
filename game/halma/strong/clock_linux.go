package strong

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time of the calling thread, which other
// programs on the machine do not lengthen. Call runtime.LockOSThread before.
func processorTime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		return time.Since(started)
	}
	return time.Duration(ts.Nano())
}
