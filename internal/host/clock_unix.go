//go:build linux || darwin || freebsd

package host

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessTime is the processor time of the process so far, in all its threads.
func ProcessTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return time.Since(started)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// ThreadTime is the processor time of the calling thread, which other programs on the machine
// do not lengthen. Call runtime.LockOSThread before.
func ThreadTime() time.Duration {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts) != nil {
		return time.Since(started)
	}
	return time.Duration(ts.Nano())
}
