//go:build !race

package host

import "golang.org/x/sys/unix"

// smallBytes is the size of the first part of a mapping that stays in ordinary pages: clearing
// a huge page takes milliseconds on some machines, longer than many a small search.
const smallBytes = 2 << 20

// Pages maps n zero bytes outside the Go heap and asks for huge pages beyond the first 2 MiB.
// Memory is taken when it is written to. Free it with [Unmap].
func Pages(n int) (b []byte, err error) {
	b, err = unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, err
	}
	if n > smallBytes {
		_ = unix.Madvise(b[smallBytes:], unix.MADV_HUGEPAGE)
	}
	return b, nil
}
