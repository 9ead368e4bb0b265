// Package blocks is the container of files of tables and checkpoints: a seekable zstd file. The
// first frame names the format; then come blocks, each a frame of zstd with a checksum, a frame
// with a description in JSON, and the index of the seekable format. Decoders of zstd skip all
// frames but the blocks.
//
//	8 bytes   0x184D2A50, length of the rest of the frame     first frame
//	          Format.Magic
//	          blocks                                          frames of zstd, none for an empty block
//	8 bytes   0x184D2A50, length of the rest of the frame     description
//	          JSON
//	4 bytes   CRC-32C of this frame up to here and of all that follows it
//	8 bytes   0x184D2A5E, length of the rest of the frame     index
//	8 bytes   length of a frame in the file, and of its contents: of each frame before this one
//	9 bytes   number of these frames, 0 as a byte, 0x8F92EAB1
//
// Numbers have 4 bytes, little-endian.
//
// A [Writer] appends blocks and closes the file with the description. [Read] checks all of a file
// but its blocks; a damaged or forged file cannot make it allocate memory. [Unpacker.Unpack] reads,
// checks and unpacks one block.
package blocks
