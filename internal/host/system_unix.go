//go:build linux || darwin || freebsd

package host

import (
	"errors"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"perfectplay/internal/files"
)

// ProcessTime is the processor time of the process so far, in all its threads.
func ProcessTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return time.Since(started)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// OpenFiles is the number of files and connections that the process may have open.
func OpenFiles() int {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) != nil {
		return 256
	}
	return int(min(uint64(l.Cur), 1<<20))
}

// HasInput reports whether a connection of package net has unread bytes. The argument is any, so
// that programs without a network do not link package net.
func HasInput(c any) bool {
	s, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return false
	}
	n := 0
	err = raw.Control(func(fd uintptr) {
		n, _, _ = unix.Recvfrom(int(fd), make([]byte, 1), unix.MSG_PEEK|unix.MSG_DONTWAIT)
	})
	return err == nil && n > 0
}

// HasScratch says whether the system has [scratch].
const HasScratch = true

// scratch maps a new file of n bytes without a name, which disappears with the process, however
// it ends. Its room on the disk is taken now: later a full disk would look like a crash. Free
// it with [Unmap].
func scratch(dir string, n int) ([]byte, error) {
	f, err := files.Scratch(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = allocate(f, n)
	if errors.Is(err, errors.ErrUnsupported) { // this system or the file system does not support it
		err = takeRoom(f, n)
	}
	if err != nil {
		return nil, err
	}
	return unix.Mmap(int(f.Fd()), 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

// evict takes a [scratch] file out of memory; its contents stay in the file.
func evict(b []byte) { _ = unix.Madvise(b, unix.MADV_DONTNEED) }

// Unmap frees memory of [scratch] or [Pages].
func Unmap(b []byte) error { return unix.Munmap(b) }
