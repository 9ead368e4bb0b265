// Package parquettest reads Parquet files with a library, for tests.
package parquettest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	goparquet "github.com/fraugster/parquet-go"
	"github.com/fraugster/parquet-go/parquet"
	"github.com/klauspost/compress/zstd"
)

// unzip is the compression of the files, which the library asks for.
type unzip struct{}

func (unzip) CompressBlock([]byte) ([]byte, error) { return nil, errors.ErrUnsupported }

func (unzip) DecompressBlock(packed []byte) ([]byte, error) {
	d, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(packed, nil)
}

var register = sync.OnceFunc(func() {
	goparquet.RegisterBlockCompressor(parquet.CompressionCodec_ZSTD, unzip{})
})

// Read returns the rows of a file, how many groups they are in, and the schema as text.
// Texts are []byte, numbers int32, lists of rows {"list": [{"element": {…}}, …]}; what
// is missing is not there.
func Read(file []byte) (rows []map[string]any, groups int, schema string, err error) {
	register()
	r, err := goparquet.NewFileReader(bytes.NewReader(file))
	if err != nil {
		return nil, 0, "", err
	}
	for {
		row, err := r.NextRow()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, 0, "", fmt.Errorf("row %d: %w", len(rows), err)
		}
		rows = append(rows, row)
	}
	if n := r.NumRows(); n != int64(len(rows)) {
		return nil, 0, "", fmt.Errorf("%d rows, the file says %d", len(rows), n)
	}
	return rows, r.RowGroupCount(), r.GetSchemaDefinition().String(), nil
}
