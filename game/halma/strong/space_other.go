//go:build !linux

package strong

import "errors"

// canScratch says whether planes can be in files.
const canScratch = false

func mapScratch(string, int) ([]byte, error) {
	return nil, errors.New("working from files is not supported on this system")
}

func evict([]byte) {}

func unmapScratch([]byte) {}
