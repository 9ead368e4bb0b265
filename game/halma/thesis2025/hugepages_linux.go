package thesis2025

import (
	"syscall"
	"unsafe"
)

// hugePages asks the kernel to back a large table with huge pages: most of the
// time of a random access to small pages goes into translating its address.
// It is a hint, and failure has no effect but on speed.
func hugePages(words []uint64) {
	const page = 1 << 12
	size := len(words) * 8
	if size < 64<<20 {
		return
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size)
	start := -uintptr(unsafe.Pointer(&words[0])) % page
	_ = syscall.Madvise(bytes[start:(uintptr(size)-start)&^(page-1)+start], syscall.MADV_HUGEPAGE)
}
