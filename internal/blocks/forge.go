package blocks

import "bytes"

// Forge returns a file with another description and right checksums, for tests of readers.
func (f Format) Forge(raw []byte, change func(description []byte) []byte) []byte {
	r, err := Read(bytes.NewReader(raw), uint64(len(raw)), f)
	if err != nil {
		panic(err)
	}
	text := change(r.description)
	end := append(append([]byte(nil), raw[r.end.Index:r.end.Description]...), text...)
	t := trailer{Index: r.end.Index, Description: r.end.Description, Blocks: r.end.Blocks, Length: uint32(len(text)), CRC: Checksum(end)}
	return append(append(append(append([]byte(nil), raw[:r.end.Index]...), end...), t.encode()...), f.End...)
}
