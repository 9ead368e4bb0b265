package blocks

import (
	"context"
	"fmt"
	"hash"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Pack appends n blocks, compressed by several goroutines, and writes what they were before
// to sum, both in order. raw appends block i to buf. The file does not depend on threads.
func (w *Writer) Pack(ctx context.Context, sum hash.Hash, threads, n int, raw func(i int, buf []byte) []byte, report func(done int)) error {
	type slot struct {
		raw, zipped []byte
		z           *zstd.Encoder
	}
	slots := make([]slot, 4*threads)
	for i := range slots {
		z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
		if err != nil {
			return err
		}
		slots[i].z = z
	}
	for from := 0; from < n; from += len(slots) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		some := slots[:min(len(slots), n-from)]
		var all sync.WaitGroup
		for t := range threads {
			all.Go(func() {
				for i := t; i < len(some); i += threads {
					s := &some[i]
					s.raw = raw(from+i, s.raw[:0])
					s.zipped = s.z.EncodeAll(s.raw, s.zipped[:0])
				}
			})
		}
		all.Wait()
		for _, s := range some {
			sum.Write(s.raw)
			if err := w.Append(s.zipped); err != nil {
				return err
			}
		}
		report(from + len(some))
	}
	return nil
}

// Unpacker reads blocks that [Writer.Pack] wrote. It is safe for concurrent use.
type Unpacker struct {
	*Reader
	zip *zstd.Decoder
}

// NewUnpacker returns what reads compressed blocks of a file, which have at most so many
// bytes.
func NewUnpacker(file io.ReaderAt, size uint64, f Format, most uint64) (*Unpacker, error) {
	r, err := Read(file, size, f)
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(most), zstd.WithDecoderMaxWindow(max(most, zstd.MinWindowSize)))
	if err != nil {
		return nil, err
	}
	return &Unpacker{r, z}, nil
}

// Unpack reads and checks block i, which must have so many bytes before compression, into
// buf if it has room for them.
func (u *Unpacker) Unpack(i, size int, buf []byte) ([]byte, error) {
	zipped, err := u.Block(i, u.format.MaxBlock)
	if err == nil {
		buf, err = u.zip.DecodeAll(zipped, buf[:0])
	}
	if err == nil && len(buf) != size {
		err = fmt.Errorf("%d bytes, want %d", len(buf), size)
	}
	if err != nil {
		return nil, fmt.Errorf("block %d: %w", i, err)
	}
	return buf, nil
}

// Close gives back what the decoder holds.
func (u *Unpacker) Close() { u.zip.Close() }
