//go:build !linux

package cli

// addressSpace says that no limit is known.
func addressSpace() (left Size, ok bool) { return 0, false }
