// Package blocks is the frame that files of tables have in common: a magic, blocks
// of any size, an index that says where each block is and what its checksum is, a
// description in JSON, and a trailer that holds index and description together. What
// is in a block, how it is compressed and what the description says is the table's
// affair.
//
// A [Writer] appends blocks and closes the file with the description. [Read] checks
// all of a file but its blocks, and takes no memory for what a damaged or forged file
// says of itself; [Reader.Block] reads and checks one.
package blocks
