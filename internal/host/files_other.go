//go:build !linux && !darwin && !freebsd

package host

// OpenFiles is the number of files and connections that the process may have open: no
// limit is known here.
func OpenFiles() int { return 1 << 20 }

// HasInput reports whether a connection of package net has unread bytes, as far as the system says.
// This system never does.
func HasInput(any) bool { return false }
