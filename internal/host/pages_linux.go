//go:build !race

package host

import "golang.org/x/sys/unix"

// Pages maps n zero bytes outside the Go heap and asks for huge pages; huge says
// whether the system takes the advice. Memory is taken when it is written to.
// Give it back with [Unmap].
func Pages(n int) (b []byte, huge bool, err error) {
	b, err = unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, false, err
	}
	return b, unix.Madvise(b, unix.MADV_HUGEPAGE) == nil, nil
}
