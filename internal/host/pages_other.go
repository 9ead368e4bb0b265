//go:build !linux || race

package host

import "errors"

// Pages is not supported on this system, or hidden from the race detector, which
// sees the Go heap only.
func Pages(int) ([]byte, error) { return nil, errors.ErrUnsupported }
