package armies

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/klauspost/compress/zstd"

	"perfectplay/internal/blocks"
)

// A chunk is a packed group of slabs: one bit for each word says whether it is not zero, then these
// words follow in as many bytes as a row needs, all compressed. It is empty if all words are zero.

// packer packs and unpacks chunks of a board. It belongs to one goroutine.
type packer struct {
	enc   *zstd.Encoder
	dec   *zstd.Decoder
	raw   []byte
	out   []byte
	chunk []byte // the chunk read last
}

func newPacker(words int) *packer {
	return &packer{enc: blocks.NewEncoder(1, 1<<17, zstd.SpeedFastest), dec: blocks.NewDecoder(mostRaw(words))}
}

// packer returns a packer that fits all groups of a board.
func (b *board) packer() *packer {
	most := 0
	for kind := range b.period {
		l := b.layout(kind)
		most = max(most, l.group*l.slabWords())
	}
	return newPacker(most)
}

// mostRaw bounds the size of an uncompressed chunk, in bytes.
func mostRaw(words int) int { return 9*words + 8 }

func (p *packer) pack(group []uint64, l *layout) []byte {
	marks := (len(group) + 7) / 8
	p.raw = append(p.raw[:0], make([]byte, marks)...)
	for i, x := range group {
		if x != 0 {
			p.raw[i>>3] |= 1 << (i & 7)
			p.raw = binary.LittleEndian.AppendUint64(p.raw, x)
			p.raw = p.raw[:len(p.raw)-8+l.wordBytes]
		}
	}
	if len(p.raw) == marks {
		return nil
	}
	p.out = p.enc.EncodeAll(p.raw, p.out[:0])
	return bytes.Clone(p.out)
}

// read calls do for the nonzero words of a node's group in a layer.
func (p *packer) read(from *layer, node, group int, l *layout, do func(i int, x uint64)) (err error) {
	_, slabs := l.span(group)
	words := slabs * l.slabWords()
	if p.chunk, err = from.Block(from.first[node]+group, uint64(2*mostRaw(words)), p.chunk); err == nil {
		err = p.unpack(p.chunk, l, words, do)
	}
	if err != nil {
		return fmt.Errorf("armies: %s: group %d: %w", from.Name, group, err)
	}
	return nil
}

// unpack calls do for the nonzero words of a chunk.
func (p *packer) unpack(chunk []byte, l *layout, words int, do func(i int, x uint64)) (err error) {
	if len(chunk) == 0 {
		return nil
	}
	if p.raw, err = p.dec.DecodeAll(chunk, p.raw[:0]); err != nil {
		return err
	}
	marks, size := (words+7)/8, l.wordBytes
	if len(p.raw) < marks {
		return errors.New("a chunk is too short")
	}
	at := marks
	p.raw = append(p.raw, make([]byte, 8-size)...) // a word is read as eight bytes
	raw, only := p.raw, ^uint64(0)>>(64-8*size)
	for i, mark := range raw[:marks] {
		for ; mark != 0; mark &= mark - 1 {
			word := i*8 + bits.TrailingZeros8(mark)
			if at+8 > len(raw) || word >= words {
				return errors.New("a chunk does not fit its slab")
			}
			x := binary.LittleEndian.Uint64(raw[at:]) & only
			if !l.isArmies(word, x) {
				return fmt.Errorf("word %d of a chunk holds an impossible army", word)
			}
			do(word, x)
			at += size
		}
	}
	if rest := len(raw) - (8 - size) - at; rest != 0 {
		return fmt.Errorf("%d bytes too many in a chunk", rest)
	}
	return nil
}
