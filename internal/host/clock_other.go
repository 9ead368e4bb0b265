//go:build !(linux || darwin || freebsd || windows)

package host

import "time"

// ProcessTime is the time since the program started.
func ProcessTime() time.Duration { return time.Since(started) }
