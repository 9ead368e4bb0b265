package blocks

import (
	"bytes"
	"encoding/binary"
	"math"
)

// Forge returns a file with a changed description and right checksums, for tests of readers.
func Forge(raw []byte, change func(description []byte) []byte) []byte {
	magic := raw[headSize:][:binary.LittleEndian.Uint32(raw[4:])]
	f := Format{Magic: string(magic), MaxBlock: math.MaxUint32, MaxDescription: math.MaxUint32}
	r, err := Read(bytes.NewReader(raw), uint64(len(raw)), f)
	if err != nil {
		panic(err)
	}
	text := change(r.description)
	described := append(head(skippable, len(text)+sumSize), text...)
	index := bytes.Clone(raw[r.index-headSize-entrySize:])
	binary.LittleEndian.PutUint32(index[headSize+entrySize*(1+r.blocks):], uint32(len(described)+sumSize))
	return append(append(bytes.Clone(raw[:r.described]), sealed(described, index)...), index...)
}
