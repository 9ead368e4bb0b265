package strong

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"perfectplay/internal/blocks"
)

// tileFormat is a container of package blocks. Its blocks are the messages to other tiles, in the
// order of sending; the planes won, lost and known; and the distances.
var tileFormat = blocks.Format{
	What: "file of a tile", Magic: "perfectplay tile 5\n", Family: "perfectplay tile", MaxBlock: 2 * blockBytes, MaxDescription: 1 << 24,
}

// blockBytes bounds an uncompressed block. Blocks of planes but the last have this size.
const blockBytes = 1 << 16

type fileHead struct {
	tilesHead
	Tile int `json:"tile"`
	Pass int `json:"pass"`
}

type tileInfo struct {
	fileHead
	Record   PassRecord `json:"record"`
	Messages []int      `json:"messages"` // the tile that each block of messages goes to
}

// tileWriter writes files of tiles, one after the other.
type tileWriter struct {
	w        *blocks.Writer
	head     fileHead
	z        *zstd.Encoder
	raw, buf []byte
	sent     [][]byte // messages to each tile that are not yet written
	dests    []int    // receiving tile of each block written
}

func newTileWriter(tiles int) *tileWriter {
	return &tileWriter{z: blocks.NewEncoder(1, blockBytes, zstd.SpeedFastest), raw: make([]byte, 0, blockBytes), sent: make([][]byte, tiles), dests: []int{}}
}

func (o *tileWriter) begin(w io.Writer, h fileHead) (err error) {
	o.head, o.dests = h, o.dests[:0]
	for i := range o.sent {
		o.sent[i] = o.sent[i][:0] // messages may be left from a file that failed
	}
	o.w, err = blocks.NewWriter(w, tileFormat)
	return err
}

func (o *tileWriter) block(raw []byte) error {
	o.buf = o.z.EncodeAll(raw, o.buf[:0])
	return o.w.Append(o.buf)
}

// send writes a message to a tile, now or in a later block.
func (o *tileWriter) send(dest int, m message) error {
	o.sent[dest] = binary.LittleEndian.AppendUint64(o.sent[dest], uint64(m))
	if len(o.sent[dest]) < blockBytes {
		return nil
	}
	return o.flush(dest)
}

func (o *tileWriter) flush(dest int) error {
	if len(o.sent[dest]) == 0 {
		return nil
	}
	o.dests = append(o.dests, dest)
	err := o.block(o.sent[dest])
	o.sent[dest] = o.sent[dest][:0]
	return err
}

func (o *tileWriter) finish(s *tile, r PassRecord) error {
	for dest := range o.sent {
		if err := o.flush(dest); err != nil {
			return err
		}
	}
	for _, plane := range [][]uint64{s.win, s.loss, s.known} {
		for part := range slices.Chunk(plane, blockBytes/8) {
			o.raw = o.raw[:0]
			for _, x := range part {
				o.raw = binary.LittleEndian.AppendUint64(o.raw, x)
			}
			if err := o.block(o.raw); err != nil {
				return err
			}
		}
	}
	for part := range slices.Chunk(s.dist, blockBytes) {
		if err := o.block(part); err != nil {
			return err
		}
	}
	return o.w.Close(tileInfo{o.head, r, o.dests})
}

// tileReader reads files of tiles, one after the other.
type tileReader struct {
	*blocks.Reader
	info        tileInfo
	z           *zstd.Decoder
	f           io.ReaderAt
	bytes       int64 // number of bytes read so far
	zipped, raw []byte
}

func newTileReader() *tileReader { return &tileReader{z: blocks.NewDecoder(2 * blockBytes)} }

func (r *tileReader) ReadAt(b []byte, at int64) (int, error) {
	n, err := r.f.ReadAt(b, at)
	r.bytes += int64(n)
	return n, err
}

// open opens a file of size bytes and checks its head and description. Blocks are checked when
// they are read.
func (r *tileReader) open(f io.ReaderAt, size int64, h fileHead) (err error) {
	r.f, r.info = f, tileInfo{}
	if r.Reader, err = blocks.Read(r, uint64(size), tileFormat); err != nil {
		return err
	}
	if err := r.Describe(&r.info); err != nil {
		return err
	}
	switch i := &r.info; {
	case i.fileHead != h:
		return errors.New("it is the file of another solve, tile or pass")
	case i.Record.Pass != h.Pass || len(i.Messages) > r.Blocks():
		return errors.New("its description contradicts itself")
	}
	return nil
}

// block reads a block into r.raw, which must have size bytes unless size is negative.
func (r *tileReader) block(i, size int) (err error) {
	if r.zipped, err = r.Block(i, 2*blockBytes, r.zipped); err == nil {
		r.raw, err = r.z.DecodeAll(r.zipped, r.raw[:0])
	}
	if err == nil && size >= 0 && len(r.raw) != size {
		err = fmt.Errorf("%d bytes, want %d", len(r.raw), size)
	}
	if err != nil {
		return fmt.Errorf("block %d: %w", i, err)
	}
	return nil
}

func (r *tileReader) messages(tile int, receive func(payload []byte) error) error {
	for i, to := range r.info.Messages {
		if to != tile {
			continue
		}
		if err := r.block(i, -1); err != nil {
			return err
		}
		if err := receive(r.raw); err != nil {
			return err
		}
	}
	return nil
}

// whole checks the file, and reads its rows into s.
func (r *tileReader) whole(s *tile) error {
	at := 0
	for ; at < len(r.info.Messages); at++ {
		if err := r.block(at, -1); err != nil {
			return err
		}
	}
	for _, plane := range [][]uint64{s.win, s.loss, s.known} {
		for part := range slices.Chunk(plane, blockBytes/8) {
			if err := r.block(at, 8*len(part)); err != nil {
				return err
			}
			for i := range part {
				part[i] = binary.LittleEndian.Uint64(r.raw[8*i:])
			}
			at++
		}
	}
	for part := range slices.Chunk(s.dist, blockBytes) {
		if err := r.block(at, len(part)); err != nil {
			return err
		}
		copy(part, r.raw)
		at++
	}
	if at != r.Blocks() {
		return fmt.Errorf("it has %d blocks, want %d", r.Blocks(), at)
	}
	return nil
}
