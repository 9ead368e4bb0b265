// Package parquet writes rows of positions as Parquet files.
package parquet

import (
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	parquetzstd "github.com/parquet-go/parquet-go/compress/zstd"

	"perfectplay/app/export"
)

// groupRows is the number of rows of a group, which is in memory until it is written.
const groupRows = 1 << 15

// New is [export.Columns] for Parquet files.
func New(w io.Writer, program string) (export.Table, error) {
	zip, err := newPages()
	if err != nil {
		return nil, err
	}
	schema := parquet.NewSchema("schema", parquet.SchemaOf(export.Row{}))
	file := parquet.NewGenericWriter[export.Row](w, schema, parquet.Compression(zip), parquet.MaxRowsPerRowGroup(groupRows), parquet.CreatedBy("perfectplay", program, ""),
		parquet.SkipPageBounds("moves", "list", "element", "move"), parquet.SkipPageBounds("moves", "list", "element", "value"))
	return &table{file, zip}, nil
}

type table struct {
	*parquet.GenericWriter[export.Row]
	zip *pages
}

func (t *table) Close() error {
	defer t.zip.Close()
	return t.GenericWriter.Close()
}

// pages compresses pages with one encoder. The library's codec makes encoders of 16 MiB after each
// garbage collection.
type pages struct {
	*zstd.Encoder
	parquetzstd.Codec // decodes, and names the codec
}

func newPages() (*pages, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true), zstd.WithWindowSize(1<<19), zstd.WithLowerEncoderMem(true))
	return &pages{Encoder: e}, err
}

// Encode implements [compress.Codec].
func (p *pages) Encode(dst, src []byte) ([]byte, error) { return p.EncodeAll(src, dst[:0]), nil }
