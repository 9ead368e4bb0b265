//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package files

import (
	"os"
	"runtime"
)

// lock does nothing: Windows removes no file that is open.
func lock(*os.File) {}

// tryLock reports whether to remove a file is safe: on Windows, which refuses if
// a process has it open.
func tryLock(f *os.File) bool {
	f.Close()
	return runtime.GOOS == "windows"
}
