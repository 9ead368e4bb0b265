package parquet

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
)

// Page is some rows, a few thousand for good files. It belongs to one goroutine.
//
// [Page.Row] begins a row and [Page.Element] an element of its list; then each column
// of the row or the element gets its value, counted from 0 in the order of the
// fields, those of a group in its place.
type Page struct {
	leaves   []leaf
	columns  []column
	rows     int
	elements int // of the row
	sealed   []sealed
}

// column is a column of a page.
type column struct {
	plain   []byte   // texts and numbers
	words   []uint16 // numbers of words
	defined []uint16 // definition levels, where there are some
	again   []uint16 // repetition levels: 1 for an element after the first
}

// Page returns an empty page for a writer's rows.
func (f *Writer) Page() *Page {
	return &Page{leaves: f.leaves, columns: make([]column, len(f.leaves))}
}

// Row begins a row.
func (p *Page) Row() {
	p.closeRow()
	p.rows++
	p.elements = 0
}

// closeRow notes that the row's list has no elements.
func (p *Page) closeRow() {
	if p.rows == 0 || p.elements > 0 {
		return
	}
	for i := range p.leaves {
		if p.leaves[i].listed {
			c := &p.columns[i]
			c.again, c.defined = append(c.again, 0), append(c.defined, 0)
		}
	}
}

// Element begins an element of the row's list.
func (p *Page) Element() { p.elements++ }

// level notes the levels of a value.
func (p *Page) level(i int, missing bool) *column {
	l, c := &p.leaves[i], &p.columns[i]
	if l.listed {
		again := uint16(1)
		if p.elements == 1 {
			again = 0
		}
		c.again = append(c.again, again)
	}
	if l.maxDef > 0 {
		defined := uint16(l.maxDef)
		if missing {
			defined--
		}
		c.defined = append(c.defined, defined)
	}
	return c
}

// Text sets a column of texts.
func (p *Page) Text(i int, text []byte) {
	c := p.level(i, false)
	c.plain = appendText(c.plain, text)
}

// Word sets a column of words to one by its number.
func (p *Page) Word(i, word int) {
	c := p.level(i, false)
	c.words = append(c.words, uint16(word))
}

// Int sets a column of numbers.
func (p *Page) Int(i, v int) {
	c := p.level(i, false)
	c.plain = binary.LittleEndian.AppendUint32(c.plain, uint32(v))
}

// Missing leaves a value of an optional column out.
func (p *Page) Missing(i int) { p.level(i, true) }

// Sealer compresses pages. It belongs to one goroutine.
type Sealer struct {
	zip  *zstd.Encoder
	body []byte
}

// Sealer returns a new one.
func (f *Writer) Sealer() (*Sealer, error) {
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	return &Sealer{zip: zip}, err
}

// Seal ends a page and packs it.
func (s *Sealer) Seal(p *Page) {
	p.closeRow()
	p.sealed = make([]sealed, len(p.leaves))
	for i := range p.leaves {
		l, c := &p.leaves[i], &p.columns[i]
		values := p.rows
		b := s.body[:0]
		if l.listed {
			values = len(c.again)
			b = appendLevels(b, c.again, 1)
		}
		if l.maxDef > 0 {
			b = appendLevels(b, c.defined, l.maxDef) // as many bits as levels above 0: 1 or 2
		}
		if l.Type == Word {
			b = appendPacked(append(b, byte(l.width)), c.words, l.width)
		} else {
			b = append(b, c.plain...)
		}
		s.body = b
		packed := s.zip.EncodeAll(b, nil)
		var h thrift
		h.int(1, typeI32, pageData)
		h.int(2, typeI32, int64(len(b)))
		h.int(3, typeI32, int64(len(packed)))
		h.begin(5)
		h.int(1, typeI32, int64(values))
		if l.Type == Word {
			h.int(2, typeI32, dictionary)
		} else {
			h.int(2, typeI32, plain)
		}
		h.int(3, typeI32, levels)
		h.int(4, typeI32, levels)
		h.end()
		h.end()
		p.sealed[i] = sealed{append(h.b, packed...), len(h.b) + len(b), values}
	}
	p.columns = nil
}

// appendLevels appends levels with the length of their bytes before them.
func appendLevels(b []byte, list []uint16, width int) []byte {
	at := len(b)
	b = appendPacked(append(b, 0, 0, 0, 0), list, width)
	binary.LittleEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b
}

// appendPacked appends numbers of width bits each as one run of the format's hybrid
// encoding, filled up to a multiple of eight.
func appendPacked(b []byte, list []uint16, width int) []byte {
	groups := (len(list) + 7) / 8
	b = binary.AppendUvarint(b, uint64(groups)<<1|1)
	end := len(b) + groups*width
	acc, n := uint64(0), 0
	for _, v := range list {
		acc |= uint64(v) << n
		for n += width; n >= 8; n -= 8 {
			b = append(b, byte(acc))
			acc >>= 8
		}
	}
	if n > 0 {
		b = append(b, byte(acc))
	}
	for len(b) < end {
		b = append(b, 0)
	}
	return b
}
