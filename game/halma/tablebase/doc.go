// Package tablebase keeps solved games in files: a value, and if wanted a
// distance, for every position of a two-army game. It numbers positions, writes
// and reads the files, and knows neither rules nor solvers. FORMAT.md describes
// the files so that others can read them.
//
// [Write] makes a file under a temporary name and renames it when it is complete
// and on the disk. [Open] checks the description before it takes memory for what
// that describes; [Table.Value] decompresses one block and keeps the blocks used
// last. Everything read is checked: damage is an error that names the block.
package tablebase
