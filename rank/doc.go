// Package rank numbers sets of cells without gaps. It knows no game: a cell is
// a number, an army is a set of cells, a position is some armies that do not
// overlap, or pieces of several kinds on cells and in hands.
//
// # One army
//
// [Subsets] numbers the sets of k cells out of n, 0…C(n,k)−1, in colexicographic
// order: the order of the sets read as binary numbers. With cells
// c1 < c2 < … < ck the number is the combinadic
//
//	C(c1,1) + C(c2,2) + … + C(ck,k)
//
// because C(ci,i) counts the sets that agree with this one above ci and have
// their i lowest cells all below it. For three of five cells:
//
//	cells 4 3 2 1 0   rank             cells 4 3 2 1 0   rank
//	      . . # # #   0+0+0 = 0              # . # . #   0+1+4 = 5
//	      . # . # #   0+0+1 = 1              # . # # .   1+1+4 = 6
//	      . # # . #   0+1+1 = 2              # # . . #   0+3+4 = 7
//	      . # # # .   1+1+1 = 3              # # . # .   1+3+4 = 8
//	      # . . # #   0+0+4 = 4              # # # . .   2+3+4 = 9
//
// The number does not depend on n, and sets that differ only in low cells have
// close numbers.
//
// # Several armies
//
// Whoever has several armies ranks each among the cells that the earlier ones leave free
// (package bitboard's Extract64 makes that dense), and takes the ranks as the digits of a
// number.
//
// # Pieces of several kinds
//
// [Positions] does that for a whole game: pieces of several kinds and owners, with one or more
// sides, on cells and in hands. First comes the material, that is how many pieces of each form
// are on cells and in each hand; then the first kinds, up to symmetry; then the cells of each
// other form among those left:
//
//	number = first of the material + (lead · C(free,k) + rank) · C(free−k,l) + rank …
//
// # Moving a piece
//
// A moved piece changes the terms of the pieces it passes. [Lift] prepares the
// sums for a piece taken up, so that each destination then costs one lookup.
// Where all sets are visited anyway, [Next64] steps to the next one in order,
// faster than any unranking.
//
// Everything here is immutable after construction and safe for concurrent
// use, except Lift, which is scratch space of one goroutine. Nothing but
// constructors allocates. Combinadics are folklore; see Knuth, The Art of
// Computer Programming 4A, section 7.2.1.3.
package rank
