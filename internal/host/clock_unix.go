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
