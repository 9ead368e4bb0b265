package armies

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/klauspost/compress/zstd"
)

// A chunk is a group of slabs of bits, packed: which words are not zero, a bit each, then
// these words, all compressed; where there is none it is empty.

// packer packs and unpacks chunks. It belongs to one goroutine.
type packer struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
	raw []byte
	out []byte
}

// newPacker returns a packer for slabs of at most so many words.
func newPacker(words int) (*packer, error) {
	most := 9*words + 8
	p := &packer{}
	var err error
	if p.enc, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(1<<17), zstd.WithLowerEncoderMem(true)); err != nil {
		return nil, err
	}
	p.dec, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(uint64(max(most, 1<<17))))
	return p, err
}

// close releases the packer.
func (p *packer) close() {
	p.enc.Close()
	p.dec.Close()
}

// pack returns the chunk of a slab.
func (p *packer) pack(slab []uint64) []byte {
	marks := (len(slab) + 7) / 8
	p.raw = append(p.raw[:0], make([]byte, marks)...)
	for i, x := range slab {
		if x != 0 {
			p.raw[i>>3] |= 1 << (i & 7)
			p.raw = binary.LittleEndian.AppendUint64(p.raw, x)
		}
	}
	if len(p.raw) == marks {
		return nil
	}
	p.out = p.enc.EncodeAll(p.raw, p.out[:0])
	return bytes.Clone(p.out) // many are kept for long: with no room to spare
}

// unpack calls do for the words of a chunk, of so many words in all, that are not
// zero.
func (p *packer) unpack(chunk []byte, l *layout, words int, do func(i int, x uint64)) (err error) {
	if len(chunk) == 0 {
		return nil
	}
	if p.raw, err = p.dec.DecodeAll(chunk, p.raw[:0]); err != nil {
		return err
	}
	marks := (words + 7) / 8
	if len(p.raw) < marks {
		return errors.New("a chunk is too short")
	}
	rest := p.raw[marks:]
	for i, mark := range p.raw[:marks] {
		for ; mark != 0; mark &= mark - 1 {
			at := i*8 + bits.TrailingZeros8(mark)
			if len(rest) < 8 || at >= words {
				return errors.New("a chunk does not fit its slab")
			}
			x := binary.LittleEndian.Uint64(rest)
			if !l.isArmies(at, x) {
				return fmt.Errorf("word %d of a chunk holds what is no army", at)
			}
			do(at, x)
			rest = rest[8:]
		}
	}
	if len(rest) != 0 {
		return fmt.Errorf("%d bytes too many in a chunk", len(rest))
	}
	return nil
}
