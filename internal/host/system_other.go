//go:build !(linux || darwin || freebsd)

package host

import "errors"

// OpenFiles is the number of files and connections that the process may have open: no
// limit is known here.
func OpenFiles() int { return 1 << 20 }

// HasInput reports whether a connection of package net has unread bytes, as far as the system says.
// This system never does.
func HasInput(any) bool { return false }

// HasScratch says whether the system has [scratch].
const HasScratch = false

// scratch is not supported on this system.
func scratch(string, int) ([]byte, error) { return nil, errors.ErrUnsupported }

// evict does nothing: no [scratch] file is mapped.
func evict([]byte) {}

// Unmap has nothing to free: there is no memory of [scratch] or [Pages] on this system.
func Unmap([]byte) error { return errors.ErrUnsupported }
