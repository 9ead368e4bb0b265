//go:build !(linux || darwin || freebsd)

package host

import "errors"

// HasScratch says whether the system has [scratch].
const HasScratch = false

// scratch is not supported on this system.
func scratch(string, int) ([]byte, error) { return nil, errors.ErrUnsupported }

// evict does nothing: no [scratch] file is mapped.
func evict([]byte) {}

// Unmap has nothing to free: there is no memory of [scratch] or [Pages] on this system.
func Unmap([]byte) error { return errors.ErrUnsupported }
