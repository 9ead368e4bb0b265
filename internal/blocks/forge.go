package blocks

import "bytes"

// Forge returns a file with another description and right checksums, for tests of readers.
func (f Format) Forge(raw []byte, change func(description []byte) []byte) []byte {
	r, err := Read(bytes.NewReader(raw), uint64(len(raw)), f)
	if err != nil {
		panic(err)
	}
	text := change(r.description)
	end := append(append([]byte(nil), raw[r.end.index:r.end.description]...), text...)
	t := trailer{index: r.end.index, description: r.end.description, blocks: r.end.blocks, length: uint32(len(text)), crc: Checksum(end)}
	return append(append(append(append([]byte(nil), raw[:r.end.index]...), end...), t.encode()...), f.End...)
}
