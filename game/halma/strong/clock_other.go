//go:build !linux

package strong

import "time"

// processorTime returns the time since the program started, where the processor
// time of a thread is not known.
func processorTime() time.Duration { return time.Since(started) }
