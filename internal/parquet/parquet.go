// Package parquet writes tables as Parquet files, the columnar format that data
// frames and databases read: rows of text, words of a small set, whole numbers, and
// lists of such. It is all that solve export needs of the format, compressed with
// Zstandard; it reads nothing.
//
// Rows are gathered in a [Page] by one goroutine, on as many goroutines as there are;
// [Writer.Append] puts pages one after another and [Writer.Close] ends the file.
//
// Libraries were measured first. parquet-go/parquet-go adds 30 seconds of processor
// time to the compilation for each system and 9 MB to the program;
// fraugster/parquet-go takes 56 µs to write a position with its moves, this package
// less than one. The tests read the files with the latter.
package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/klauspost/compress/zstd"
)

// Type is what a column holds.
type Type int

// The types.
const (
	Text  Type = iota // UTF-8
	Word              // UTF-8, one of Field.Words
	Int               // 32 bits with a sign
	Group             // a list of rows of Field.Fields, perhaps none
)

// Field describes a column, or a list of rows of columns.
type Field struct {
	Name     string
	Type     Type
	Optional bool     // an Int that may be missing
	Words    []string // of a Word, at most 65,536
	Fields   []Field  // of a Group; no group is in a group
}

// leaf is a column as the file has it.
type leaf struct {
	Field
	path     []string
	listed   bool
	maxDef   int    // definition levels
	width    int    // bits of a number of a word
	words    []byte // the dictionary's page, header and all; nil without one
	wordsRaw int    // its size before compression, with the header
}

// groupRows is about how many rows a row group has.
const groupRows = 1 << 17

// Writer writes a file. It belongs to one goroutine.
type Writer struct {
	w       io.Writer
	creator string
	fields  []Field
	leaves  []leaf
	zip     *zstd.Encoder
	at      int64 // bytes written
	rows    int64

	group     [][]sealed // by leaf: pages not yet written
	groupRows int64
	most      int64  // of them
	groups    thrift // the row groups written, encoded
	count     int
}

// sealed is a page of a column as it is in the file.
type sealed struct {
	data   []byte // header and body
	raw    int    // bytes of both before compression
	values int
}

const magic = "PAR1"

// NewWriter begins a file of rows of fields. creator names the program.
func NewWriter(w io.Writer, creator string, fields ...Field) (*Writer, error) {
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	f := &Writer{w: w, creator: creator, fields: fields, zip: zip, most: groupRows}
	for _, field := range fields {
		if field.Type != Group {
			f.leaves = append(f.leaves, newLeaf(field, nil))
			continue
		}
		for _, inner := range field.Fields {
			f.leaves = append(f.leaves, newLeaf(inner, []string{field.Name, "list", "element"}))
		}
	}
	for i := range f.leaves {
		f.leaves[i].seal(zip)
	}
	f.group = make([][]sealed, len(f.leaves))
	return f, f.write([]byte(magic))
}

func newLeaf(f Field, path []string) leaf {
	l := leaf{Field: f, listed: path != nil, path: append(path[:len(path):len(path)], f.Name)}
	if l.listed {
		l.maxDef++
	}
	if f.Optional {
		l.maxDef++
	}
	if f.Type == Word {
		l.width = max(1, bits.Len(uint(len(f.Words)-1)))
	}
	return l
}

// seal makes the page of the dictionary.
func (l *leaf) seal(zip *zstd.Encoder) {
	if l.Type != Word {
		return
	}
	var body []byte
	for _, w := range l.Words {
		body = appendText(body, w)
	}
	packed := zip.EncodeAll(body, nil)
	var h thrift
	h.int(1, typeI32, pageDictionary)
	h.int(2, typeI32, int64(len(body)))
	h.int(3, typeI32, int64(len(packed)))
	h.begin(7)
	h.int(1, typeI32, int64(len(l.Words)))
	h.int(2, typeI32, plain)
	h.end()
	h.end()
	l.words, l.wordsRaw = append(h.b, packed...), len(h.b)+len(body)
}

func appendText[T string | []byte](b []byte, text T) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(text))), text...)
}

func (f *Writer) write(b []byte) error {
	n, err := f.w.Write(b)
	f.at += int64(n)
	return err
}

// Append adds the rows of a page, which is sealed. The page's memory is the writer's
// from then on.
func (f *Writer) Append(p *Page) error {
	for i := range f.leaves {
		f.group[i] = append(f.group[i], p.sealed[i])
	}
	f.groupRows += int64(p.rows)
	if f.groupRows < f.most {
		return nil
	}
	return f.flush()
}

// flush writes the row group.
func (f *Writer) flush() error {
	if f.groupRows == 0 {
		return nil
	}
	g := &f.groups
	g.element()
	f.count++
	g.list(1, typeStruct, len(f.leaves))
	all := int64(0)
	for i := range f.leaves {
		l := &f.leaves[i]
		start, raw, values := f.at, l.wordsRaw, 0
		if err := f.write(l.words); err != nil {
			return err
		}
		data := f.at
		for _, p := range f.group[i] {
			if err := f.write(p.data); err != nil {
				return err
			}
			raw, values = raw+p.raw, values+p.values
		}
		clear(f.group[i])
		f.group[i] = f.group[i][:0]
		all += int64(raw)
		g.element()
		g.int(2, typeI64, start)
		g.begin(3)
		g.int(1, typeI32, int64(l.physical()))
		encodings := []int64{plain, levels}
		if l.Type == Word {
			encodings = append(encodings, dictionary)
		}
		g.list(2, typeI32, len(encodings))
		for _, e := range encodings {
			g.signed(e)
		}
		g.list(3, typeBinary, len(l.path))
		for _, name := range l.path {
			g.bytes(name)
		}
		g.int(4, typeI32, zstandard)
		g.int(5, typeI64, int64(values))
		g.int(6, typeI64, int64(raw))
		g.int(7, typeI64, f.at-start)
		g.int(9, typeI64, data)
		if l.Type == Word {
			g.int(11, typeI64, start)
		}
		g.end()
		g.end()
	}
	g.int(2, typeI64, all)
	g.int(3, typeI64, f.groupRows)
	g.end()
	f.rows += f.groupRows
	f.groupRows = 0
	return nil
}

// Close writes what is left and the description, without which there is no file.
func (f *Writer) Close() error {
	if err := f.flush(); err != nil {
		return err
	}
	var d thrift
	d.int(1, typeI32, 1)
	nodes := 1 + len(f.fields)
	for _, field := range f.fields {
		if field.Type == Group {
			nodes += 2 + len(field.Fields)
		}
	}
	d.list(2, typeStruct, nodes)
	node := func(name string, physical, repetition, children, converted int64) {
		d.element()
		if physical >= 0 {
			d.int(1, typeI32, physical)
		}
		if repetition >= 0 {
			d.int(3, typeI32, repetition)
		}
		d.text(4, name)
		if children > 0 {
			d.int(5, typeI32, children)
		}
		if converted >= 0 {
			d.int(6, typeI32, converted)
		}
		d.end()
	}
	column := func(l Field) {
		repetition, converted := int64(required), int64(-1)
		if l.Optional {
			repetition = optional
		}
		if l.Type != Int {
			converted = utf8
		}
		node(l.Name, l.physical(), repetition, 0, converted)
	}
	node("schema", -1, -1, int64(len(f.fields)), -1)
	for _, field := range f.fields {
		if field.Type != Group {
			column(field)
			continue
		}
		node(field.Name, -1, required, 1, list)
		node("list", -1, repeated, 1, -1)
		node("element", -1, required, int64(len(field.Fields)), -1)
		for _, inner := range field.Fields {
			column(inner)
		}
	}
	d.int(3, typeI64, f.rows)
	d.list(4, typeStruct, f.count)
	d.b = append(d.b, f.groups.b...)
	d.text(6, f.creator)
	d.end()
	d.b = binary.LittleEndian.AppendUint32(d.b, uint32(len(d.b)))
	return f.write(append(d.b, magic...))
}

// physical is the type as the file has it.
func (f *Field) physical() int64 {
	if f.Type == Int {
		return physicalInt32
	}
	return physicalBytes
}

// Numbers of the format, by parquet.thrift.
const (
	physicalInt32, physicalBytes     = 1, 6
	required, optional, repeated     = 0, 1, 2
	utf8, list                       = 0, 3
	plain, levels, dictionary        = 0, 3, 8
	pageData, pageDictionary         = 0, 2
	zstandard                        = 6
	typeI32, typeI64                 = 5, 6
	typeBinary, typeList, typeStruct = 8, 9, 12
)

// thrift is a struct under way in Thrift's compact protocol, with those that it is in.
type thrift struct {
	b     []byte
	last  int   // field
	outer []int // last fields of the structs that it is in
}

// field begins a field.
func (t *thrift) field(id, kind int) {
	t.b = append(t.b, byte((id-t.last)<<4|kind)) // fields are less than 16 apart
	t.last = id
}

// signed appends a number: near 0, few bytes.
func (t *thrift) signed(v int64) { t.b = binary.AppendVarint(t.b, v) }

func (t *thrift) int(id, kind int, v int64) {
	t.field(id, kind)
	t.signed(v)
}

func (t *thrift) bytes(s string) {
	t.b = append(binary.AppendUvarint(t.b, uint64(len(s))), s...)
}

func (t *thrift) text(id int, s string) {
	t.field(id, typeBinary)
	t.bytes(s)
}

// list begins a list of n elements.
func (t *thrift) list(id, kind, n int) {
	t.field(id, typeList)
	if n < 15 {
		t.b = append(t.b, byte(n<<4|kind))
		return
	}
	t.b = binary.AppendUvarint(append(t.b, byte(0xf0|kind)), uint64(n))
}

// begin begins a struct that is a field, element one that is in a list.
func (t *thrift) begin(id int) {
	t.field(id, typeStruct)
	t.element()
}

func (t *thrift) element() {
	t.outer, t.last = append(t.outer, t.last), 0
}

// end ends a struct.
func (t *thrift) end() {
	t.b = append(t.b, 0)
	if n := len(t.outer); n > 0 {
		t.last, t.outer = t.outer[n-1], t.outer[:n-1]
	}
}
