//go:build !(linux || darwin || freebsd || windows)

package host

import "time"

// ProcessTime is the time since the program started.
func ProcessTime() time.Duration { return time.Since(started) }

// ThreadTime is the time since the program started.
func ThreadTime() time.Duration { return time.Since(started) }
