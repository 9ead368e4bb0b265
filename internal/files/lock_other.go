//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package files

import (
	"io/fs"
	"os"
	"runtime"
)

// lock does nothing: Windows removes no file that is open.
func lock(*os.File) {}

// tryLock reports whether a file may be removed: on Windows, which refuses if a process has it
// open.
func tryLock(f *os.File) bool {
	f.Close()
	return runtime.GOOS == "windows"
}

// noFollow would keep lock files from being opened through links.
const noFollow = 0

// planted reports false: these systems have no directory like /tmp, where everybody may write and
// only the owner of a file may remove the file.
func planted(string, fs.FileInfo) bool { return false }
