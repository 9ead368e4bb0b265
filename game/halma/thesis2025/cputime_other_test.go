//go:build !unix

package thesis2025

import "time"

var processStart = time.Now()

// cpuTime is wall time, where processor time is not to be had this way.
func cpuTime() time.Duration { return time.Since(processStart) }
