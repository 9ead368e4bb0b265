//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"os"
	"syscall"
)

// lock locks a file for as long as it is open. Where the file system has no
// locks it does nothing, and no other process will get one either.
func lock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }

// tryLock locks a file and reports whether no other process has done so.
func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
