//go:build !js && !wasip1

package book

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"

	"perfectplay/internal/files"
)

// The store follows any page number: a page that leads to itself would end the process, and a page
// both free and in use loses facts at the next writing. So a book's pages are checked before the
// first use. The format is that of bbolt, internal/common/page.go and meta.go.
const (
	pageHeader  = 16 // id, flags, count, overflow
	branchEntry = 16 // position, size of the key, page
	leafEntry   = 16 // flags, position, sizes of key and value
	branchPage  = 0x01
	leafPage    = 0x02
	freePage    = 0x10
	metaMagic   = 0xED0CDAED
	bucketFlag  = 0x01
	noFreeList  = 1<<64 - 1
	deepest     = 64 // levels of a tree, far more than any tree has
	// mostPage bounds a page with its overflow, in bytes, far above the longest fact.
	mostPage  = 1 << 20
	mostHoles = 64 // largest ratio of file size to disk use; compression saves less
)

// pages checks the pages of a store.
type pages struct {
	in   io.ReaderAt
	size uint64   // bytes of a page
	n    uint64   // number of pages
	used []uint64 // one bit for each page
	left uint64   // pages not in use yet
}

// checkPages returns an error unless the pages of the store in a file form a tree and a list of
// free pages. Nobody else may write meanwhile.
func checkPages(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return err
	}
	p := &pages{in: f}
	root, free, err := p.meta(uint64(stat.Size()))
	if err != nil {
		return err
	}
	// A part never written is zeros, and no page is zeros.
	if has, known := files.OnDisk(stat); known && p.n*p.size > mostHoles*max(uint64(has), 1<<20) {
		return fmt.Errorf("its pages should have %d bytes, and %d are on the disk", p.n*p.size, has)
	}
	p.used, p.left = make([]uint64, (p.n+63)/64), p.n
	p.take(0)
	p.take(1)
	if err := p.tree(root, 0, true); err != nil {
		return err
	}
	return p.free(free)
}

// meta finds the page of the root and the page of the free list in the newer of the two first
// pages. Both first pages must be sound: if the newer is damaged, the store would take the older
// without notice.
func (p *pages) meta(bytes uint64) (root, free uint64, err error) {
	var b [80]byte
	newest, found := uint64(0), 0
	for _, size := range []uint64{0, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16} {
		if _, err := p.in.ReadAt(b[:], int64(size)); err != nil {
			continue
		}
		m := b[pageHeader:]
		word := func(i int) uint64 { return binary.LittleEndian.Uint64(m[i:]) }
		sum := fnv.New64a()
		sum.Write(m[:56])
		each := uint64(binary.LittleEndian.Uint32(m[8:]))
		if binary.LittleEndian.Uint32(m) != metaMagic || sum.Sum64() != word(56) || size != 0 && size != each {
			continue
		}
		found++
		if id := word(48); found == 1 || id > newest {
			newest = id
			root, free = word(16), word(32)
			p.size, p.n = each, word(40)
		}
	}
	if found == 0 || p.size < 512 || p.n < 2 || p.n > bytes/max(p.size, 1) {
		return 0, 0, errors.New("its first pages are damaged")
	}
	if found == 1 {
		return 0, 0, errors.New("one of its two first pages is damaged, and the other may be older")
	}
	return root, free, nil
}

// take marks a page as used, and reports whether it was unused.
func (p *pages) take(id uint64) bool {
	word, bit := &p.used[id/64], uint64(1)<<(id%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	p.left--
	return true
}

// page reads a page with its overflow pages and marks them as used; most bounds their bytes.
func (p *pages) page(id uint64, flags uint16, most uint64) (b []byte, count int, err error) {
	head := make([]byte, pageHeader)
	if id >= p.n {
		return nil, 0, fmt.Errorf("page %d is beyond its end", id)
	}
	if _, err := p.in.ReadAt(head, int64(id*p.size)); err != nil {
		return nil, 0, err
	}
	more := uint64(binary.LittleEndian.Uint32(head[12:]))
	if binary.LittleEndian.Uint64(head) != id || binary.LittleEndian.Uint16(head[8:])&flags == 0 || more >= p.n-id || more*p.size > most {
		return nil, 0, fmt.Errorf("page %d is damaged", id)
	}
	for i := range more + 1 {
		if !p.take(id + i) {
			return nil, 0, fmt.Errorf("page %d is in use twice", id+i)
		}
	}
	b = make([]byte, (more+1)*p.size)
	if _, err := p.in.ReadAt(b, int64(id*p.size)); err != nil {
		return nil, 0, err
	}
	return b, int(binary.LittleEndian.Uint16(b[10:])), nil
}

// tree checks a page and all pages below it.
func (p *pages) tree(id uint64, depth int, top bool) error {
	b, count, err := p.page(id, branchPage|leafPage, mostPage)
	if err != nil {
		return err
	}
	if depth > deepest || count == 0 && !top || pageHeader+count*branchEntry > len(b) {
		return fmt.Errorf("page %d is damaged", id)
	}
	leaf := binary.LittleEndian.Uint16(b[8:])&leafPage != 0
	for i := range count {
		e := b[pageHeader+i*branchEntry:]
		if !leaf {
			if err := p.tree(binary.LittleEndian.Uint64(e[8:]), depth+1, false); err != nil {
				return err
			}
			continue
		}
		at := uint64(pageHeader+i*leafEntry) + uint64(binary.LittleEndian.Uint32(e[4:])) + uint64(binary.LittleEndian.Uint32(e[8:]))
		if end := at + uint64(binary.LittleEndian.Uint32(e[12:])); end > uint64(len(b)) || binary.LittleEndian.Uint32(e)&bucketFlag != 0 && end < at+16 {
			return fmt.Errorf("page %d is damaged", id)
		}
		if binary.LittleEndian.Uint32(e)&bucketFlag == 0 {
			continue
		}
		// Page 0 means that the bucket's entries stand here.
		if below := binary.LittleEndian.Uint64(b[at:]); below != 0 {
			if err := p.tree(below, depth+1, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// free checks that exactly the unused pages are listed as free.
func (p *pages) free(id uint64) error {
	if id == noFreeList {
		return nil
	}
	b, count, err := p.page(id, freePage, 8*p.n+p.size)
	if err != nil {
		return err
	}
	list := b[pageHeader:]
	if count == 0xffff {
		count, list = int(min(binary.LittleEndian.Uint64(list), p.n)), list[8:]
	}
	if count > len(list)/8 {
		return errors.New("its list of free pages is damaged")
	}
	for i := range count {
		id := binary.LittleEndian.Uint64(list[8*i:])
		if id >= p.n || !p.take(id) {
			return fmt.Errorf("page %d is said to be free", id)
		}
	}
	if p.left != 0 {
		return fmt.Errorf("%d pages are neither free nor in use", p.left)
	}
	return nil
}
