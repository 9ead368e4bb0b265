// Package rank numbers sets of cells without gaps. It knows no game: a cell is a number, an army
// is a set of cells, and a position is some disjoint armies, or pieces of several kinds on cells
// and in hands.
//
// # One army
//
// [Subsets] numbers the sets of k cells out of n, 0…C(n,k)−1, in colexicographic order: the
// order of the sets read as binary numbers. With cells c1 < c2 < … < ck the number is the
// combinadic
//
//	C(c1,1) + C(c2,2) + … + C(ck,k)
//
// because C(ci,i) counts the sets that agree with this one above ci and have their i lowest
// cells all below it. For three of five cells:
//
//	cells 4 3 2 1 0   rank             cells 4 3 2 1 0   rank
//	      . . # # #   0+0+0 = 0              # . # . #   0+1+4 = 5
//	      . # . # #   0+0+1 = 1              # . # # .   1+1+4 = 6
//	      . # # . #   0+1+1 = 2              # # . . #   0+3+4 = 7
//	      . # # # .   1+1+1 = 3              # # . # .   1+3+4 = 8
//	      # . . # #   0+0+4 = 4              # # # . .   2+3+4 = 9
//
// The number does not depend on n.
//
// # Several armies
//
// To number several armies, rank each among the cells that the earlier ones leave free
// (bitboard.Extract64 makes them dense), and take the ranks as the digits of a number.
//
// # Pieces of several kinds
//
// [Positions] does that for a whole game: pieces of several kinds, owners and sides, on cells
// and in hands. The number counts first the material (the pieces of each form on cells and in
// each hand), then the leading kinds up to symmetry, then the cells of each other form among
// those left:
//
//	number = first of the material + (lead · C(free,k) + rank) · C(free−k,l) + rank …
//
// # Moving a piece
//
// [Lift] prepares the ranks of all moves of one piece: each destination costs one lookup. To
// visit all sets, [Next64] steps to the next one, faster than unranking.
//
// Everything here is immutable after construction and safe for concurrent use, except Lift,
// which belongs to one goroutine. Only constructors allocate. For combinadics see Knuth, The Art
// of Computer Programming 4A, section 7.2.1.3.
package rank
