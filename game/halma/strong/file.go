package strong

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// The file of a tile is a line of JSON, its head, and sections. A section is 16 bytes,
// integers in little endian: what it holds (4), the tile it is sent to (4), its length
// (4), the checksum of the 12 bytes before and of what follows (4, CRC-32C); and a zstd
// frame of that length. Messages come first, in the order of sending, then planes and
// distances, all but the last section of each of sectionBytes, then an index that has
// for each section of messages the tile (4) and where the section begins (8), then the
// pass's record as JSON. The last 12 bytes are where the index begins (8) and the
// checksum of that (4): who looks for what is sent to a tile reads nothing else.
const (
	sectionMessages = iota + 1
	sectionWin
	sectionLoss
	sectionKnown
	sectionDistances
	sectionIndex
	sectionEnd
)

const (
	sectionHead  = 16
	sectionBytes = 1 << 16
	indexEntry   = 12
	tileTail     = 12
	magicTile    = "perfectplay tile2 "
)

// fileHead says which file it is.
type fileHead struct {
	tilesHead
	Tile int `json:"tile"`
	Pass int `json:"pass"`
}

func (h fileHead) line() []byte {
	text, err := json.Marshal(h)
	if err != nil {
		panic("strong: a head cannot be written: " + err.Error())
	}
	return append(append([]byte(magicTile), text...), '\n')
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// tileWriter writes files of tiles, one at a time.
type tileWriter struct {
	w     io.Writer
	z     *zstd.Encoder
	buf   []byte
	sent  [][]byte // by tile: messages that are not written yet
	at    int64    // bytes that are written
	index []byte
	raw   []byte
}

func newTileWriter(tiles int) (*tileWriter, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(sectionBytes), zstd.WithLowerEncoderMem(true))
	return &tileWriter{z: z, sent: make([][]byte, tiles)}, err
}

// begin begins a file.
func (o *tileWriter) begin(w io.Writer, h fileHead) error {
	o.w, o.at, o.index = w, 0, o.index[:0]
	for i := range o.sent {
		o.sent[i] = o.sent[i][:0] // of a file that could not be written
	}
	return o.write(h.line())
}

func (o *tileWriter) write(b []byte) error {
	n, err := o.w.Write(b)
	o.at += int64(n)
	return err
}

// section writes a section.
func (o *tileWriter) section(kind, dest int, raw []byte) error {
	b := append(o.buf[:0], make([]byte, sectionHead)...)
	b = o.z.EncodeAll(raw, b)
	binary.LittleEndian.PutUint32(b, uint32(kind))
	binary.LittleEndian.PutUint32(b[4:], uint32(dest))
	binary.LittleEndian.PutUint32(b[8:], uint32(len(b)-sectionHead))
	binary.LittleEndian.PutUint32(b[12:], sectionSum(b[:12], b[sectionHead:]))
	o.buf = b
	return o.write(b)
}

// sections writes as many sections as something takes.
func (o *tileWriter) sections(kind int, raw []byte) error {
	for len(raw) > 0 {
		n := min(len(raw), sectionBytes)
		if err := o.section(kind, 0, raw[:n]); err != nil {
			return err
		}
		raw = raw[n:]
	}
	return nil
}

func sectionSum(head, body []byte) uint32 {
	return crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, body)
}

// messageBytes bounds what is kept for one tile before it is written.
const messageBytes = 1 << 16

// send writes a message to a tile, sooner or later.
func (o *tileWriter) send(dest int, m message) error {
	o.sent[dest] = binary.LittleEndian.AppendUint64(o.sent[dest], uint64(m))
	if len(o.sent[dest]) < messageBytes {
		return nil
	}
	return o.flush(dest)
}

func (o *tileWriter) flush(dest int) error {
	if len(o.sent[dest]) == 0 {
		return nil
	}
	o.index = binary.LittleEndian.AppendUint32(o.index, uint32(dest))
	o.index = binary.LittleEndian.AppendUint64(o.index, uint64(o.at))
	err := o.section(sectionMessages, dest, o.sent[dest])
	o.sent[dest] = o.sent[dest][:0]
	return err
}

// finish writes what is left to be written.
func (o *tileWriter) finish(s *tile, r PassRecord) error {
	for dest := range o.sent {
		if err := o.flush(dest); err != nil {
			return err
		}
	}
	raw := o.raw
	if raw == nil {
		o.raw = make([]byte, 0, sectionBytes)
		raw = o.raw
	}
	for i, plane := range [][]uint64{s.win, s.loss, s.known} {
		for len(plane) > 0 {
			n := min(len(plane), sectionBytes/8)
			raw = raw[:0]
			for _, x := range plane[:n] {
				raw = binary.LittleEndian.AppendUint64(raw, x)
			}
			if err := o.section(sectionWin+i, 0, raw); err != nil {
				return err
			}
			plane = plane[n:]
		}
	}
	if err := o.sections(sectionDistances, s.dist); err != nil {
		return err
	}
	tail := binary.LittleEndian.AppendUint64(nil, uint64(o.at))
	if err := o.sections(sectionIndex, o.index); err != nil {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := o.section(sectionEnd, 0, text); err != nil {
		return err
	}
	return o.write(binary.LittleEndian.AppendUint32(tail, crc32.Checksum(tail, castagnoli)))
}

// tileReader reads files of tiles, one at a time.
type tileReader struct {
	z         *zstd.Decoder
	f         io.ReaderAt
	head      [sectionHead]byte
	body, raw []byte
	index     []byte
	bytes     int64 // that were read
}

func newTileReader() (*tileReader, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*sectionBytes), zstd.WithDecoderLowmem(true))
	return &tileReader{z: z}, err
}

// open begins a file, which must have the given head, and returns where its sections
// begin.
func (r *tileReader) open(f io.ReaderAt, h fileHead) (at int64, err error) {
	r.f = f
	line := h.line()
	have := make([]byte, len(line))
	if _, err := f.ReadAt(have, 0); err != nil && err != io.EOF {
		return 0, err
	}
	if !bytes.Equal(have, line) {
		if !bytes.HasPrefix(have, []byte(magicTile)) {
			return 0, errors.New("it is no file of a tile")
		}
		return 0, errors.New("it is the file of another solve, tile or pass")
	}
	r.bytes += int64(len(line))
	return int64(len(line)), nil
}

// section reads the section at a place into r.body and returns where the next begins.
func (r *tileReader) section(at int64) (kind, dest int, next int64, err error) {
	if _, err := r.f.ReadAt(r.head[:], at); err != nil {
		return 0, 0, 0, fmt.Errorf("it is cut off at byte %d", at)
	}
	k, d, size := binary.LittleEndian.Uint32(r.head[:]), binary.LittleEndian.Uint32(r.head[4:]), binary.LittleEndian.Uint32(r.head[8:])
	if k < sectionMessages || k > sectionEnd || size > 2*sectionBytes || d > math.MaxInt32 {
		return 0, 0, 0, fmt.Errorf("it is damaged at byte %d", at)
	}
	r.body = slices.Grow(r.body[:0], int(size))[:size]
	if _, err := r.f.ReadAt(r.body, at+sectionHead); err != nil {
		return 0, 0, 0, fmt.Errorf("it is cut off at byte %d", at)
	}
	if sectionSum(r.head[:12], r.body) != binary.LittleEndian.Uint32(r.head[12:]) {
		return 0, 0, 0, fmt.Errorf("it is damaged at byte %d", at)
	}
	r.bytes += sectionHead + int64(size)
	return int(k), int(d), at + sectionHead + int64(size), nil
}

// payload decompresses r.body, which began at a place, into r.raw.
func (r *tileReader) payload(at int64) (err error) {
	if r.raw, err = r.z.DecodeAll(r.body, r.raw[:0]); err != nil {
		return fmt.Errorf("it is damaged at byte %d: %w", at, err)
	}
	return nil
}

// ends reads the head of a file of so many bytes and what follows its planes: the index,
// and into r.body the record. It returns where the index begins and the record does.
func (r *tileReader) ends(f io.ReaderAt, size int64, h fileHead) (index, record int64, err error) {
	begin, err := r.open(f, h)
	if err != nil {
		return 0, 0, err
	}
	var tail [tileTail]byte
	if _, err := f.ReadAt(tail[:], max(size-tileTail, 0)); err != nil {
		return 0, 0, fmt.Errorf("it is cut off at byte %d", size)
	}
	at := binary.LittleEndian.Uint64(tail[:])
	if crc32.Checksum(tail[:8], castagnoli) != binary.LittleEndian.Uint32(tail[8:]) || at < uint64(begin) || at > uint64(size) {
		return 0, 0, errors.New("its end is damaged, or it is cut off")
	}
	r.bytes += tileTail
	r.index = r.index[:0]
	for place := int64(at); ; {
		kind, _, next, err := r.section(place)
		if err != nil {
			return 0, 0, err
		}
		if kind == sectionEnd {
			if next+tileTail != size {
				return 0, 0, fmt.Errorf("its end at byte %d is damaged", next)
			}
			return int64(at), place, nil
		}
		if kind != sectionIndex {
			return 0, 0, fmt.Errorf("its index is damaged at byte %d", place)
		}
		if err := r.payload(place); err != nil {
			return 0, 0, err
		}
		r.index = append(r.index, r.raw...)
		place = next
	}
}

// record reads the record of a file of so many bytes, and so whether it was written to
// its end. Whether the bytes before are as they were written whoever needs them sees.
func (r *tileReader) record(f io.ReaderAt, size int64, h fileHead) (record PassRecord, err error) {
	_, at, err := r.ends(f, size, h)
	if err != nil {
		return record, err
	}
	return r.decode(at, h)
}

// decode decodes the record in r.body, which began at a place.
func (r *tileReader) decode(at int64, h fileHead) (record PassRecord, err error) {
	if err := r.payload(at); err != nil {
		return record, err
	}
	if err := json.Unmarshal(r.raw, &record); err != nil || record.Pass != h.Pass {
		return record, errors.New("its record is damaged")
	}
	return record, nil
}

// messages reads what a file of so many bytes sends to a tile, and nothing else.
func (r *tileReader) messages(f io.ReaderAt, size int64, h fileHead, tile int, receive func(payload []byte) error) error {
	at, _, err := r.ends(f, size, h)
	if err != nil {
		return err
	}
	for i := 0; i+indexEntry <= len(r.index); i += indexEntry {
		if int(binary.LittleEndian.Uint32(r.index[i:])) != tile {
			continue
		}
		place := binary.LittleEndian.Uint64(r.index[i+4:])
		if place > uint64(at) {
			return errors.New("its index is damaged")
		}
		kind, dest, _, err := r.section(int64(place))
		if err != nil {
			return err
		}
		if kind != sectionMessages || dest != tile {
			return fmt.Errorf("its index is wrong about byte %d", place)
		}
		if err := r.payload(int64(place)); err != nil {
			return err
		}
		if err := receive(r.raw); err != nil {
			return err
		}
	}
	return nil
}

// whole reads a file from the first to the last byte, its rows into s, and calls receive,
// unless it is nil, with what it sends. It checks the checksums of all sections, the index
// and the record.
func (r *tileReader) whole(f io.ReaderAt, h fileHead, s *tile, receive func(dest int, payload []byte) error) error {
	at, err := r.open(f, h)
	if err != nil {
		return err
	}
	planes, dist := [3][]uint64{s.win, s.loss, s.known}, s.dist
	r.index = r.index[:0]
	indexed := int64(-1)
	for {
		kind, dest, next, err := r.section(at)
		if err != nil {
			return err
		}
		begin := at
		at = next
		if kind == sectionMessages {
			r.index = binary.LittleEndian.AppendUint32(r.index, uint32(dest))
			r.index = binary.LittleEndian.AppendUint64(r.index, uint64(begin))
		}
		if kind >= sectionIndex && indexed < 0 {
			indexed = begin
		}
		if kind == sectionMessages && receive == nil {
			continue
		}
		if err := r.payload(begin); err != nil {
			return err
		}
		switch kind {
		case sectionMessages:
			if err := receive(dest, r.raw); err != nil {
				return err
			}
		case sectionIndex:
			if !bytes.HasPrefix(r.index, r.raw) {
				return errors.New("its index is damaged")
			}
			r.index = r.index[len(r.raw):]
		case sectionDistances:
			if len(r.raw) > len(dist) {
				return errors.New("it has more distances than the tile")
			}
			dist = dist[copy(dist, r.raw):]
		case sectionEnd:
			for _, p := range planes {
				if len(p) > 0 {
					return errors.New("it has fewer rows than the tile")
				}
			}
			if len(dist) > 0 {
				return errors.New("it has fewer distances than the tile")
			}
			if len(r.index) > 0 {
				return errors.New("its index is damaged")
			}
			tail := binary.LittleEndian.AppendUint64(nil, uint64(indexed))
			tail = binary.LittleEndian.AppendUint32(tail, crc32.Checksum(tail, castagnoli))
			var have [tileTail + 1]byte
			if n, err := f.ReadAt(have[:], at); err != io.EOF || !bytes.Equal(have[:n], tail) {
				return fmt.Errorf("its end at byte %d is damaged", at)
			}
			r.bytes += tileTail
			return nil
		default:
			p := planes[kind-sectionWin]
			if len(r.raw)%8 != 0 || len(r.raw)/8 > len(p) {
				return errors.New("it has more rows than the tile")
			}
			for i := 0; i < len(r.raw); i += 8 {
				p[i/8] = binary.LittleEndian.Uint64(r.raw[i:])
			}
			planes[kind-sectionWin] = p[len(r.raw)/8:]
		}
	}
}
