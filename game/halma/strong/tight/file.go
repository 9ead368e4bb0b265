package tight

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
)

// The file of a tile is a line of JSON, its head, and sections. A section is 16 bytes,
// integers in little endian: what it holds (4), the tile it is sent to (4), its length
// (4), the checksum of the 12 bytes before and of what follows (4, CRC-32C); and a zstd
// frame of that length. Planes and distances are in sections one after another, all
// but the last of sectionBytes; messages are in between, in the order of sending. The
// last section is the pass's record as JSON.
const (
	sectionMessages = iota + 1
	sectionWin
	sectionLoss
	sectionKnown
	sectionDistances
	sectionEnd
)

const (
	sectionHead  = 16
	sectionBytes = 1 << 20
	maxFileHead  = 1 << 12
	magicTile    = "perfectplay tile1 "
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
		panic("tight: a head cannot be written: " + err.Error())
	}
	return append(append([]byte(magicTile), text...), '\n')
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// tileWriter writes the file of a tile.
type tileWriter struct {
	w    io.Writer
	z    *zstd.Encoder
	buf  []byte
	sent [][]byte // by tile: messages that are not written yet
}

func newTileWriter(w io.Writer, h fileHead) (*tileWriter, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(sectionBytes), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	_, err = w.Write(h.line())
	return &tileWriter{w: w, z: z, sent: make([][]byte, h.Tiles)}, err
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
	_, err := o.w.Write(b)
	return err
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
	raw := make([]byte, 0, sectionBytes)
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
	for dist := s.dist; len(dist) > 0; {
		n := min(len(dist), sectionBytes)
		if err := o.section(sectionDistances, 0, dist[:n]); err != nil {
			return err
		}
		dist = dist[n:]
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return o.section(sectionEnd, 0, text)
}

// readTile reads the file of a tile, which must have the given head: its rows into s,
// unless that is nil, and what it sends through receive, unless that is nil. It checks
// the checksums of all sections and returns the record.
func readTile(f io.ReaderAt, h fileHead, s *tile, receive func(dest int, payload []byte) error) (record PassRecord, err error) {
	line := h.line()
	have := make([]byte, len(line))
	if _, err := f.ReadAt(have, 0); err != nil && err != io.EOF {
		return record, err
	}
	if !bytes.Equal(have, line) {
		if !bytes.HasPrefix(have, []byte(magicTile)) {
			return record, errors.New("it is no file of a tile")
		}
		return record, errors.New("it is the file of another solve, tile or pass")
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*sectionBytes), zstd.WithDecoderLowmem(true))
	if err != nil {
		return record, err
	}
	defer z.Close()
	var planes [3][]uint64
	var dist []uint8
	if s != nil {
		planes, dist = [3][]uint64{s.win, s.loss, s.known}, s.dist
	}
	var head [sectionHead]byte
	var body, raw []byte
	for at := int64(len(line)); ; {
		if _, err := f.ReadAt(head[:], at); err != nil {
			return record, fmt.Errorf("it is cut off at byte %d", at)
		}
		kind, dest, size := binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint32(head[4:]), binary.LittleEndian.Uint32(head[8:])
		if kind < sectionMessages || kind > sectionEnd || size > 2*sectionBytes || dest > math.MaxInt32 {
			return record, fmt.Errorf("it is damaged at byte %d", at)
		}
		body = append(body[:0], make([]byte, size)...)
		if _, err := f.ReadAt(body, at+sectionHead); err != nil {
			return record, fmt.Errorf("it is cut off at byte %d", at)
		}
		if sectionSum(head[:12], body) != binary.LittleEndian.Uint32(head[12:]) {
			return record, fmt.Errorf("it is damaged at byte %d", at)
		}
		wanted := kind == sectionEnd || kind == sectionMessages && receive != nil || kind != sectionMessages && s != nil
		if wanted {
			if raw, err = z.DecodeAll(body, raw[:0]); err != nil {
				return record, fmt.Errorf("it is damaged at byte %d: %w", at, err)
			}
		}
		at += sectionHead + int64(size)
		switch {
		case !wanted:
		case kind == sectionMessages:
			if err := receive(int(dest), raw); err != nil {
				return record, err
			}
		case kind == sectionDistances:
			if len(raw) > len(dist) {
				return record, errors.New("it has more distances than the tile")
			}
			dist = dist[copy(dist, raw):]
		case kind == sectionEnd:
			for _, p := range planes {
				if len(p) > 0 {
					return record, errors.New("it has fewer rows than the tile")
				}
			}
			if len(dist) > 0 {
				return record, errors.New("it has fewer distances than the tile")
			}
			if _, err := f.ReadAt(head[:1], at); err != io.EOF {
				return record, fmt.Errorf("it goes on after its end at byte %d", at)
			}
			if err := json.Unmarshal(raw, &record); err != nil || record.Pass != h.Pass {
				return record, errors.New("its record is damaged")
			}
			return record, nil
		default:
			p := planes[kind-sectionWin]
			if len(raw)%8 != 0 || len(raw)/8 > len(p) {
				return record, errors.New("it has more rows than the tile")
			}
			for i := 0; i < len(raw); i += 8 {
				p[i/8] = binary.LittleEndian.Uint64(raw[i:])
			}
			planes[kind-sectionWin] = p[len(raw)/8:]
		}
	}
}
