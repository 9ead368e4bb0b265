package cli

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// addressSpace returns how much more memory the process may map within the limits of ulimit -v and
// -d; false without limits.
func addressSpace() (left Size, ok bool) {
	text, err := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(text)
	if err != nil || len(fields) < 6 {
		return 0, false
	}
	for resource, field := range map[int]int{unix.RLIMIT_AS: 0, unix.RLIMIT_DATA: 5} {
		var limit unix.Rlimit
		pages, err := strconv.ParseUint(string(fields[field]), 10, 64)
		if err != nil || unix.Getrlimit(resource, &limit) != nil || limit.Cur == unix.RLIM_INFINITY {
			continue
		}
		rest := limit.Cur - min(pages*uint64(os.Getpagesize()), limit.Cur)
		if !ok || Size(rest) < left {
			left, ok = Size(rest), true
		}
	}
	return left, ok
}
