// Package bitboard holds sets of board cells in machine words, and the
// operations that games and ranking build on: shifts, iteration, population
// counts, permutations of cells, and the compression of a set to the cells of
// a mask and back ([Extract64], [Deposit64]: the pext and pdep instructions).
//
// It knows no game and no board: which cell is where is decided by the caller.
package bitboard
