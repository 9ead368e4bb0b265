//go:build !(linux || darwin || freebsd)

package host

import "errors"

// HasScratch says whether the system has [Scratch].
const HasScratch = false

// Scratch is not supported on this system.
func Scratch(string, int) ([]byte, error) { return nil, errors.ErrUnsupported }

// Evict takes a [Scratch] file out of memory: there is none.
func Evict([]byte) {}

// Unmap frees memory of [Scratch] or [Pages]: there is none.
func Unmap([]byte) error { return errors.ErrUnsupported }
