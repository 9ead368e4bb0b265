//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// lock locks a file for as long as it is open. On a file system without locks it does nothing,
// and no other process gets one either.
func lock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }

// tryLock locks a file; false if another process has locked it.
func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// noFollow keeps lock files from being opened through links.
const noFollow = syscall.O_NOFOLLOW

// planted reports whether a name in a directory where all may write, such as /tmp, belongs
// neither to this user nor to the owner of the directory.
func planted(name string, stat fs.FileInfo) bool {
	dir, err := os.Stat(filepath.Dir(name))
	if err != nil || dir.Mode()&fs.ModeSticky == 0 || dir.Mode().Perm()&0o002 == 0 {
		return false
	}
	owner, ok := stat.Sys().(*syscall.Stat_t)
	above, okDir := dir.Sys().(*syscall.Stat_t)
	return ok && okDir && int(owner.Uid) != os.Geteuid() && owner.Uid != above.Uid
}
