// Package bitboard holds sets of board cells in machine words: shifts, iteration, counts,
// permutations of cells ([Perm]), and the compression of a set to the cells of a mask and back
// ([Extract64], [Deposit64]: the instructions pext and pdep).
//
// It knows no board. There are two common ways to number cells, and extract and deposit convert
// between them. Packed, every number is a cell, which suits storage and ranking. Padded, each
// row is followed by cells that do not exist, so that a step in any direction is a shift by a
// constant that cannot wrap around:
//
//	packed 3×3          padded to rows of 4
//	6 7 8                8  9 10  ·
//	3 4 5                4  5  6  ·
//	0 1 2                0  1  2  ·
//
//	board := uint64(0b_0111_0111_0111)
//	padded := Deposit64(packed, board)
//	packed = Extract64(padded, board)
//
// A set is one word, a plain uint64 or a [Set64], or two ([Set128]). Everything here is a value
// or immutable after construction, and safe for concurrent use. Only constructors and iterators
// allocate. README.md says where BMI2 pays and how it is verified.
package bitboard
