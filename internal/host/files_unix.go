//go:build linux || darwin || freebsd

package host

import (
	"syscall"

	"golang.org/x/sys/unix"
)

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
