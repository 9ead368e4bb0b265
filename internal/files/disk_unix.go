//go:build unix

package files

import (
	"io/fs"
	"syscall"
)

// OnDisk returns the number of bytes that a file takes on the disk: fewer than its size if it
// has holes. known is false if the system does not say.
func OnDisk(info fs.FileInfo) (bytes int64, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int64(stat.Blocks) * 512, true
}
