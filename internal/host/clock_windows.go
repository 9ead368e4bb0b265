package host

import (
	"time"

	"golang.org/x/sys/windows"
)

// ProcessTime is the processor time of the process so far, in all its threads.
func ProcessTime() time.Duration {
	var begin, end, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &begin, &end, &kernel, &user) != nil {
		return time.Since(started)
	}
	return ticks(kernel) + ticks(user)
}

// ticks converts a length of time in units of 100 ns; Filetime.Nanoseconds is for
// points in time.
func ticks(t windows.Filetime) time.Duration {
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * 100
}
