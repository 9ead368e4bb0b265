package tiles

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"perfectplay/internal/files"
)

// Fill writes the codes of a slab: codes[i] is for set i of Info.Sets, a byte a
// place as FORMAT.md says, and 0 where the place is no position. It is called from
// several goroutines.
type Fill func(kind, slab int, codes [][]byte) error

// Count counts the positions that fill describes, without a file. It enters
// positions and counts into the description that it returns. progress gets the
// share done.
func Count(ctx context.Context, info Info, threads int, fill Fill, progress func(done float64)) (Info, error) {
	err := run(ctx, &info, threads, fill, progress, nil)
	return info, err
}

// Write makes the file of a table, and counts as [Count] does; the description
// that it returns has the signature, too. threads 0 means all processors; the file
// does not depend on it. It appears under its name complete or not at all.
func Write(ctx context.Context, name string, info Info, threads int, fill Fill, progress func(done float64)) (Info, error) {
	failed := error(nil)
	err := files.Write(name, func(w io.Writer) error {
		if _, err := io.WriteString(w, Magic); err != nil {
			return err
		}
		at := uint64(len(Magic))
		var index []byte
		sum := sha256.New()
		failed = run(ctx, &info, threads, fill, progress, func(raw []byte, blocks [][]byte) error {
			sum.Write(raw)
			for _, b := range blocks {
				index = binary.LittleEndian.AppendUint64(index, at)
				index = binary.LittleEndian.AppendUint32(index, uint32(len(b)))
				index = binary.LittleEndian.AppendUint32(index, checksum(b))
				at += uint64(len(b))
				if _, err := w.Write(b); err != nil {
					return err
				}
			}
			return nil
		})
		if failed != nil {
			return failed
		}
		info.Signature = hex.EncodeToString(sum.Sum(nil))
		text, err := json.Marshal(info)
		if err != nil {
			return err
		}
		end := append(index, text...)
		t := trailer{index: at, info: at + uint64(len(index)), blocks: uint32(len(index) / entrySize), length: uint32(len(text)), crc: checksum(end)}
		_, err = w.Write(append(end, t.encode()...))
		return err
	})
	if err != nil && failed == nil {
		err = fmt.Errorf("tiles: writing %s: %w", name, err)
	}
	return info, err
}

// slabJob is a slab on its way.
type slabJob struct {
	kind, slab int
	codes      [][]byte
	raw        []byte
	blocks     [][]byte
}

// run fills and counts all slabs, and if emit is not nil packs them: it is called
// for one after the other, with the blocks before and after compression.
func run(ctx context.Context, info *Info, threads int, fill Fill, progress func(done float64), emit func(raw []byte, blocks [][]byte) error) error {
	shapes, err := info.begin()
	if err != nil {
		return fmt.Errorf("tiles: %s: %w", info.Game, err)
	}
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	packers := make([]*zstd.Encoder, threads)
	for i := range packers {
		if packers[i], err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderCRC(false),
			zstd.WithWindowSize(1<<17), zstd.WithLowerEncoderMem(true)); err != nil {
			return err
		}
		defer packers[i].Close()
	}
	all, done := 0, 0
	for _, s := range shapes {
		all += s.slabs
	}
	batch := make([]slabJob, 8*threads)
	var mu sync.Mutex // of info
	for kind := range shapes {
		s := &shapes[kind]
		for from := 0; from < s.slabs; from += len(batch) {
			jobs := batch[:min(len(batch), s.slabs-from)]
			var next atomic.Int64
			var wait sync.WaitGroup
			var failed atomic.Pointer[error]
			for _, z := range packers {
				wait.Go(func() {
					for ctx.Err() == nil && failed.Load() == nil {
						i := int(next.Add(1)) - 1
						if i >= len(jobs) {
							return
						}
						j := &jobs[i]
						j.kind, j.slab = kind, from+i
						if err := j.fill(info, s, fill); err != nil {
							failed.Store(&err)
							return
						}
						j.count(info, &mu)
						if emit != nil {
							j.pack(info, s, z)
						}
					}
				})
			}
			wait.Wait()
			if err := failed.Load(); err != nil {
				return *err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			for i := range jobs {
				if emit != nil {
					if err := emit(jobs[i].raw, jobs[i].blocks); err != nil {
						return err
					}
				}
			}
			done += len(jobs)
			progress(float64(done) / float64(all))
		}
	}
	return nil
}

// begin enters what follows from the rest of a description, with nothing counted.
func (i *Info) begin() ([]shape, error) {
	i.Sets, i.Counts = nil, nil
	for set := 1; set < 1<<i.Seats-1; set += 2 {
		i.Sets = append(i.Sets, set)
	}
	i.Positions = make([]uint64, i.Period)
	for range i.Period {
		i.Counts = append(i.Counts, make([]Counts, len(i.Sets)))
	}
	if len(i.Places) != i.Period {
		return nil, fmt.Errorf("%d lists of places for a period of %d", len(i.Places), i.Period)
	}
	largest, least := 0, 0
	for _, places := range i.Places {
		n := int(choose(len(places), i.Pieces))
		largest = max(largest, n)
		if least == 0 || n < least {
			least = n
		}
	}
	i.Rows = blockRows(max(1, largest), least)
	i.Signature = hex.EncodeToString(make([]byte, sha256.Size))
	return i.shapes()
}

// fill asks for the codes.
func (j *slabJob) fill(info *Info, s *shape, fill Fill) error {
	for len(j.codes) < len(info.Sets) {
		j.codes = append(j.codes, nil)
	}
	for i := range j.codes {
		if size := s.slabRows * s.row; cap(j.codes[i]) < size {
			j.codes[i] = make([]byte, size)
		} else {
			j.codes[i] = j.codes[i][:size]
		}
	}
	return fill(j.kind, j.slab, j.codes)
}

// count counts the positions of the slab.
func (j *slabJob) count(info *Info, mu *sync.Mutex) {
	counts := make([]Counts, len(info.Sets))
	var byCode [256]uint64
	for i, codes := range j.codes {
		clear(byCode[:])
		for _, c := range codes {
			byCode[c]++
		}
		for code, n := range byCode[1:] {
			counts[i].Add(byte(code+1), n)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	info.Positions[j.kind] += counts[0].Wins + counts[0].Losses + counts[0].Draws
	for i, c := range counts {
		to := &info.Counts[j.kind][i]
		to.Wins, to.Losses, to.Draws = to.Wins+c.Wins, to.Losses+c.Losses, to.Draws+c.Draws
	}
}

// pack compresses the slab. Places that are no positions get the codes before
// them, which costs least.
func (j *slabJob) pack(info *Info, s *shape, z *zstd.Encoder) {
	j.raw, j.blocks = j.raw[:0], j.blocks[:0]
	size := info.Rows * s.row
	for _, codes := range j.codes {
		for len(codes) > 0 {
			block := codes[:min(size, len(codes))]
			codes = codes[len(block):]
			last := byte(1)
			for i, c := range block {
				if c == 0 {
					block[i] = last
				} else {
					last = c
				}
			}
			j.raw = append(j.raw, block...)
			j.blocks = append(j.blocks, z.EncodeAll(block, nil))
		}
	}
}
