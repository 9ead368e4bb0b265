package tablebase

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"

	"perfectplay/internal/blocks"
	"perfectplay/internal/files"
)

// Write makes the file of a table. fill writes the codes of the positions
// from…from+len(codes)−1; it is called from several goroutines. threads 0 means
// all processors; the file does not depend on it. The file appears under its
// name complete or not at all. Write returns the description with its
// signature.
func Write(ctx context.Context, name string, info Info, threads int, fill func(from uint64, codes []byte)) (Info, error) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	err := files.Write(name, func(w io.Writer) error { return writeTable(ctx, w, &info, threads, fill) })
	if err != nil {
		return info, fmt.Errorf("tablebase: writing %s: %w", name, err)
	}
	return info, nil
}

// packed is a block on its way to the file.
type packed struct {
	raw, zipped []byte
	err         error
}

// writeTable writes all parts of a file, and enters the signature into info.
func writeTable(ctx context.Context, out io.Writer, info *Info, threads int, fill func(from uint64, codes []byte)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// Blocks are packed by workers and written in order. The channel of promises
	// bounds how far the workers run ahead.
	type job struct {
		block int
		done  chan packed
	}
	jobs := make(chan job)
	promises := make(chan chan packed, 2*threads)
	spare := make(chan packed, 4*threads) // blocks that are written, to be used again
	go func() {
		defer close(promises)
		defer close(jobs)
		for b := range int(info.blocks()) {
			done := make(chan packed, 1)
			select {
			case promises <- done:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- job{b, done}:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	for range threads {
		workers.Go(func() {
			z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderCRC(false),
				zstd.WithWindowSize(blockBytes), zstd.WithLowerEncoderMem(true))
			codes := make([]byte, info.Block)
			for j := range jobs {
				if err != nil {
					j.done <- packed{err: err}
					continue
				}
				p := packed{}
				select {
				case p = <-spare:
				default:
				}
				p.raw = info.pack(p.raw[:0], codes, j.block, fill)
				p.zipped = z.EncodeAll(p.raw, p.zipped[:0])
				j.done <- p
			}
		})
	}
	w, err := blocks.NewWriter(out, format)
	if err != nil {
		return err
	}
	sum := sha256.New()
	for done := range promises {
		var p packed
		select {
		case p = <-done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if p.err != nil {
			return p.err
		}
		if err := w.Append(p.zipped); err != nil {
			return err
		}
		sum.Write(p.raw)
		select {
		case spare <- p:
		default:
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if uint64(w.Blocks()) != info.blocks() {
		return errors.New("not all blocks were made")
	}
	info.Signature = hex.EncodeToString(sum.Sum(nil))
	return w.Close(info)
}

// pack appends a block before compression to raw. codes is scratch space for
// the positions of a block.
func (i *Info) pack(raw, codes []byte, block int, fill func(from uint64, codes []byte)) []byte {
	from := uint64(block) * uint64(i.Block)
	codes = codes[:min(uint64(i.Block), i.Positions-from)]
	fill(from, codes)
	if i.Kind != Values {
		return append(raw, codes...)
	}
	for len(codes) >= 4 {
		raw = append(raw, codes[0]|codes[1]<<2|codes[2]<<4|codes[3]<<6)
		codes = codes[4:]
	}
	if len(codes) > 0 {
		last := byte(0)
		for j, c := range codes {
			last |= c << (2 * j)
		}
		raw = append(raw, last)
	}
	return raw
}
