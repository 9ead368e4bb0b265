// Package parquet writes rows of positions as Parquet files, which databases and data
// frames read column by column.
package parquet

import (
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	parquetzstd "github.com/parquet-go/parquet-go/compress/zstd"

	"perfectplay/app/export"
)

// groupRows is the number of rows of a group, whose pages are in memory until they are written.
const groupRows = 1 << 15

// New is [export.Columns] for Parquet files.
func New(w io.Writer, program string) (export.Table, error) {
	zip, err := newPages()
	if err != nil {
		return nil, err
	}
	schema := parquet.NewSchema("schema", parquet.SchemaOf(export.Row{}))
	file := parquet.NewGenericWriter[export.Row](w, schema, parquet.Compression(zip), parquet.MaxRowsPerRowGroup(groupRows), parquet.CreatedBy("perfectplay", program, ""),
		// The least and the largest word of a page of moves tell no reader anything.
		parquet.SkipPageBounds("moves", "list", "element", "move"), parquet.SkipPageBounds("moves", "list", "element", "value"))
	return &table{file, zip}, nil
}

// table is a file in the making.
type table struct {
	*parquet.GenericWriter[export.Row]
	zip *pages
}

// Close writes what is left, and the end of the file.
func (t *table) Close() error {
	defer t.zip.Close()
	return t.GenericWriter.Close()
}

// pages compresses the pages of a Parquet file. The library's own codec makes encoders anew
// after each garbage collection, of 16 MiB each where a page has more than 128 KiB.
type pages struct {
	*zstd.Encoder
	parquetzstd.Codec // the name, and the way back
}

func newPages() (*pages, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true), zstd.WithWindowSize(1<<19), zstd.WithLowerEncoderMem(true))
	return &pages{Encoder: e}, err
}

// Encode implements [compress.Codec].
func (p *pages) Encode(dst, src []byte) ([]byte, error) { return p.EncodeAll(src, dst[:0]), nil }
