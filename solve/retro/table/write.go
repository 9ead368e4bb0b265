package table

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"

	"perfectplay/internal/blocks"
	"perfectplay/internal/files"
)

// Contents is what a table is made of. Its methods are called from several goroutines.
type Contents interface {
	// Key is the key of a number of a table by keys.
	Key(n uint64) []uint64
	// Code is 0 at a position from which neither the set of a layer nor the others can
	// force anything, and where there is none, and else the plies to the end plus 1. odd
	// says that the game is not won by the side of the seat that moves last.
	Code(layer int, n uint64) (code byte, odd bool)
}

// Write makes the file of a table and returns its description with the signature. The file
// does not depend on threads.
func Write(ctx context.Context, name string, info Info, from Contents, threads int, report func(share float64)) (Info, error) {
	err := files.Write(name, func(out io.Writer) error {
		w, err := blocks.NewWriter(out, format)
		if err != nil {
			return err
		}
		sum := sha256.New()
		sum.Write(info.begin())
		keys, layer := info.keyBlocks(), info.perLayer()
		all := keys + len(info.Sets)*layer
		err = w.Pack(ctx, sum, threads, all, func(i int, buf []byte) []byte {
			if i < keys {
				return info.packKeys(buf, i, from)
			}
			return info.pack(buf, (i-keys)/layer, (i-keys)%layer, from)
		}, func(done int) { report(float64(done) / float64(all)) })
		if err != nil {
			return err
		}
		info.Signature = hex.EncodeToString(sum.Sum(nil))
		if err := info.check(w.Blocks()); err != nil {
			return err
		}
		return w.Close(info)
	})
	if err != nil {
		return info, fmt.Errorf("table: writing %s: %w", name, err)
	}
	return info, nil
}

// packKeys appends a block of keys: their first words, then their second ones, in
// big-endian order.
func (i *Info) packKeys(buf []byte, block int, from Contents) []byte {
	first := uint64(block) * perBlock
	for word := range i.KeyWords {
		for n := range uint64(i.inBlock(block)) {
			buf = binary.BigEndian.AppendUint64(buf, from.Key(first + n)[word])
		}
	}
	return buf
}

// pack appends a block of a layer: codes, and bits of odd.
func (i *Info) pack(buf []byte, layer, block int, from Contents) []byte {
	first, count := uint64(block)*perBlock, i.inBlock(block)
	var odd [oddBytes]byte
	for n := range count {
		code, is := from.Code(layer, first+uint64(n))
		if buf = append(buf, code); is {
			odd[n/8] |= 1 << (n % 8)
		}
	}
	if i.Odd[layer] {
		buf = append(buf, odd[:(count+7)/8]...)
	}
	return buf
}

// Forge returns a file with another description and right checksums, for tests.
func Forge(raw []byte, change func(description []byte) []byte) []byte {
	return format.Forge(raw, change)
}
