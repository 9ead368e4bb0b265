package blocks

import (
	"context"
	"fmt"
	"hash"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// InOrder calls do for tasks 0…n−1 on up to threads goroutines. After do has returned for a task,
// InOrder calls then for that task, in the order of tasks, on the caller's goroutine. begin makes
// threads+2 values; both calls of a task get the same value. The first error, or the context, ends
// the run.
func InOrder[T any](ctx context.Context, threads, n int, begin func() T, do, then func(i int, with T) error) error {
	type job struct {
		i    int
		with T
		done chan error
	}
	threads = max(threads, 1)
	ctx, stop := context.WithCancel(ctx)
	idle, work, order := make(chan *job, threads+2), make(chan *job), make(chan *job, threads+2)
	for range cap(idle) {
		idle <- &job{with: begin(), done: make(chan error, 1)}
	}
	var wait sync.WaitGroup
	defer wait.Wait()
	defer stop()
	wait.Go(func() {
		defer close(work)
		defer close(order)
		for i := range n {
			select {
			case j := <-idle:
				j.i = i
				order <- j // order is never full: it has room for all jobs
				work <- j
			case <-ctx.Done():
				return
			}
		}
	})
	for range threads {
		wait.Go(func() {
			for j := range work {
				j.done <- do(j.i, j.with)
			}
		})
	}
	for j := range order {
		if err := <-j.done; err != nil {
			return err
		}
		if err := then(j.i, j.with); err != nil {
			return err
		}
		idle <- j
	}
	return ctx.Err()
}

// NewEncoder returns an encoder of blocks of at most most bytes for up to threads goroutines. It
// need not be closed.
func NewEncoder(threads, most int, level zstd.EncoderLevel) *zstd.Encoder {
	window := zstd.MinWindowSize
	for window < min(most, 1<<19) {
		window *= 2
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(threads), zstd.WithEncoderLevel(level), zstd.WithWindowSize(window), zstd.WithLowerEncoderMem(true),
		zstd.WithZeroFrames(false), zstd.WithSingleSegment(true)) // frame heads tell sizes
	if err != nil {
		panic("blocks: zstd refuses its options: " + err.Error())
	}
	return z
}

// NewDecoder returns a decoder of blocks of at most most bytes for one goroutine. It need not be
// closed.
func NewDecoder(most int) *zstd.Decoder {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(uint64(max(most, 1<<17))))
	if err != nil {
		panic("blocks: zstd refuses its options: " + err.Error())
	}
	return z
}

// Pack compresses and appends the blocks of n tasks on several goroutines, and writes the
// uncompressed blocks to sum, both in order. The blocks that do returns, of at most most bytes
// each, stay valid until its next call with the same value of begin.
func Pack[T any](ctx context.Context, w *Writer, sum hash.Hash, most, threads, n int, begin func() T, do func(task int, with T) ([][]byte, error), report func(done int)) error {
	zip := NewEncoder(threads, most, zstd.SpeedBetterCompression)
	type slot struct {
		with        T
		raw, zipped [][]byte
	}
	return InOrder(ctx, threads, n, func() *slot { return &slot{with: begin()} }, func(i int, s *slot) (err error) {
		if s.raw, err = do(i, s.with); err != nil {
			return err
		}
		for b, raw := range s.raw {
			if b == len(s.zipped) {
				s.zipped = append(s.zipped, nil)
			}
			s.zipped[b] = zip.EncodeAll(raw, s.zipped[b][:0])
		}
		return nil
	}, func(i int, s *slot) error {
		for b, raw := range s.raw {
			sum.Write(raw)
			if err := w.Append(s.zipped[b]); err != nil {
				return err
			}
		}
		report(i + 1)
		return nil
	})
}

// Unpacker reads blocks that [Pack] wrote. It is safe for concurrent use.
type Unpacker struct {
	*Reader
	zip *zstd.Decoder
}

// NewUnpacker returns an unpacker of blocks of at most most bytes.
func NewUnpacker(r *Reader, most int) *Unpacker {
	most = max(most, zstd.MinWindowSize)
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(uint64(most)), zstd.WithDecoderMaxWindow(uint64(max(most, 1<<17))))
	if err != nil {
		panic("blocks: zstd refuses its options: " + err.Error())
	}
	return &Unpacker{r, z}
}

// Of returns an unpacker of another file with the same decoder.
func (u *Unpacker) Of(r *Reader) *Unpacker { return &Unpacker{r, u.zip} }

// Unpack reads and checks block i, of size bytes before compression, into buf if it fits.
func (u *Unpacker) Unpack(i, size int, buf []byte) ([]byte, error) {
	zipped, err := u.Block(i, 2*uint64(size)+1<<10, nil) // an incompressible block grows
	if err == nil {
		if buf, err = u.zip.DecodeAll(zipped, buf[:0]); err != nil {
			err = fmt.Errorf("damaged: %w", err)
		}
	}
	if err == nil && len(buf) != size {
		err = fmt.Errorf("%d bytes, want %d", len(buf), size)
	}
	if err != nil {
		return nil, fmt.Errorf("block %d of %d: %w", i, u.Blocks(), err)
	}
	return buf, nil
}

func (u *Unpacker) Close() { u.zip.Close() }
