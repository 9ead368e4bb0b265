// Package mnk holds the rules of m,n,k-games: two players put stones of their
// colour on the empty cells of a board of m rows and n columns by turns, and the
// first to have k of them side by side in a row, a column or a diagonal wins. More
// than k count as well. A full board is a draw. 3,3,3 is noughts and crosses and
// 15,15,5 free-style Go-Moku.
//
// Begin with [New] or [ByID]; a [Game] gives states that any engine of package solve
// can search. The package knows no search of its own. The sub-packages do: prove
// decides values and checks proofs, player plays.
//
// # Boards
//
// A board has 1…70 rows and columns. Cells are numbered row by row from the top
// left, and so are the bits of sets of cells. People name a cell by the letters
// of its column and the number of its row, row 1 being the lowest:
//
//	3   0  1  2  3      a3 b3 c3 d3
//	2   4  5  6  7      a2 b2 c2 d2
//	1   8  9 10 11      a1 b1 c1 d1
//	    a  b  c  d
//
// A position is one line of text: the rows from the top separated by dots, x for
// a stone of the first player, o for one of the second, and a number for that
// many empty cells in a row. The mover follows from the number of stones.
// After b2, c2 on the board above:
//
//	4.1xo1.4
//
// # States
//
// Boards up to 64 cells play on sets of one word ([State64]), boards up to 128
// cells on sets of two ([State128]), larger ones on a plain array of cells
// ([Plain]). Tests compare the others with arrays of any size ([Game.Plain]), and
// one word with two ([Game.Wide]).
//
// Up to 128 cells a position's key is exact: the smallest of its 8 or 4 pictures
// under the symmetries. A plain state has no key.
//
// # Windows
//
// A window is k cells side by side. Sets of windows hold all windows of a
// direction: bit i stands for the window that begins at cell i ([Lines64]).
// internal/genkernel makes the forms for two words ([Lines128], [State128], the
// searches of prove) from those for one.
package mnk
