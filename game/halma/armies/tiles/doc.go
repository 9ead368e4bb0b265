// Package tiles keeps solved games of two to six armies on disk: [Write] makes a
// file, [Open] reads one, and [Table.Value] looks a position up. FORMAT.md
// describes the file.
//
// The package numbers positions by the file's own description, with plain
// arithmetic, and shares nothing with the solver.
package tiles
