package tiles

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"perfectplay/internal/blocks"
	"perfectplay/internal/files"
)

// Fill appends the codes of a tile to codes[i], for set i of Info.Sets: a byte a
// position as FORMAT.md says. It is called from several goroutines.
type Fill func(kind, tile int, codes [][]byte) error

// Write makes the file of a table. info describes it but for what follows from the
// codes; the description that Write returns has that, too. threads 0 means all
// processors; the file does not depend on it. It appears under its name complete
// or not at all.
func Write(ctx context.Context, name string, info Info, threads int, fill Fill, progress func(done float64)) (Info, error) {
	var failed error
	err := files.Write(name, func(w io.Writer) (err error) {
		info, failed, err = write(ctx, w, info, threads, fill, progress)
		return cmp.Or(failed, err)
	})
	switch {
	case failed != nil:
		return info, failed
	case err != nil:
		return info, fmt.Errorf("tiles: writing %s: %w", name, err)
	}
	return info, nil
}

// Make makes a table in at most so many bytes of memory, and opens it with so many
// more for unpacked blocks: see [Write] and [Open].
func Make(ctx context.Context, info Info, threads int, fill Fill, most, cache uint64) (*Table, error) {
	w := bounded{most: most}
	info, failed, err := write(ctx, &w, info, threads, fill, nil)
	if err = cmp.Or(failed, err); err != nil {
		return nil, fmt.Errorf("tiles: %s: %w", info.Game, err)
	}
	return open("in memory", memory{bytes.NewReader(w.b)}, uint64(len(w.b)), cache)
}

// bounded is a file in memory that takes so many bytes.
type bounded struct {
	b    []byte
	most uint64
}

func (w *bounded) Write(p []byte) (int, error) {
	if uint64(len(w.b))+uint64(len(p)) > w.most {
		return 0, fmt.Errorf("the table takes more than %d bytes", w.most)
	}
	w.b = append(w.b, p...)
	return len(p), nil
}

// write writes a table. failed is an error of the work, which says itself what failed;
// err one of the writer.
func write(ctx context.Context, w io.Writer, info Info, threads int, fill Fill, progress func(done float64)) (_ Info, failed, err error) {
	n, err := info.begin()
	if err != nil {
		return info, fmt.Errorf("tiles: %s: %w", info.Game, err), nil
	}
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(max(threads, 1)), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(1<<17), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return info, err, nil
	}
	defer zip.Close()
	file, err := blocks.NewWriter(w, format)
	if err != nil {
		return info, nil, err
	}
	sum := sha256.New()
	counts := newCounts(&info)
	var broken error
	err = n.eachTile(ctx, threads, progress, func(j *tileJob) error {
		return n.pack(j, fill, zip)
	}, func(j *tileJob) error {
		sum.Write(j.digest.Sum(nil))
		counts.add(j)
		for _, b := range j.blocks {
			if broken = file.Append(b); broken != nil {
				return broken
			}
		}
		return nil
	})
	switch {
	case broken != nil:
		return info, nil, broken
	case err != nil:
		return info, err, nil
	}
	info.Counts, info.Signature = counts, hex.EncodeToString(sum.Sum(nil))
	for kind := range counts {
		info.Positions[kind] = counts[kind][0].Wins + counts[kind][0].Losses + counts[kind][0].Draws
	}
	return info, nil, file.Close(info)
}

// begin enters what follows from the rest of a description, with nothing counted.
func (i *Info) begin() (*numbering, error) {
	i.Sets = nil
	for set := 1; set < 1<<i.Seats-1; set += 2 {
		i.Sets = append(i.Sets, set)
	}
	i.Positions, i.Counts = make([]uint64, i.Period), newCounts(i)
	largest := 1
	for _, places := range i.Places {
		largest = max(largest, int(choose(len(places), i.Pieces)))
	}
	i.Rows = max(1, blockPlaces/largest)
	i.Signature = hex.EncodeToString(make([]byte, sha256.Size))
	return i.number()
}

// pack fills a tile, counts it and compresses its blocks.
func (n *numbering) pack(j *tileJob, fill Fill, zip *zstd.Encoder) error {
	for set := range j.codes {
		j.codes[set] = j.codes[set][:0]
	}
	if err := fill(j.kind, j.tile, j.codes); err != nil {
		return err
	}
	clear(j.blocks)
	j.blocks = j.blocks[:0]
	first, rows := n.shapes[j.kind].tile(j.tile)
	j.at = n.offsets(j.at[:0], j.kind, first, rows)
	for set, codes := range j.codes {
		if len(codes) != int(j.at[rows]) {
			return fmt.Errorf("tiles: %s: tile %d has %d codes, want %d", n.info.Game, j.tile, len(codes), j.at[rows])
		}
		if err := j.count(set, codes); err != nil {
			return fmt.Errorf("tiles: %s: tile %d: %w", n.info.Game, j.tile, err)
		}
		j.digest.Write(codes)
		for row := 0; row < rows; row += n.info.Rows {
			block := codes[j.at[row]:j.at[min(row+n.info.Rows, rows)]]
			j.blocks = append(j.blocks, zip.EncodeAll(block, nil))
		}
	}
	return nil
}
