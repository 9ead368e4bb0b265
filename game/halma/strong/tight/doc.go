// Package tight solves crowded races of two armies completely, as package strong
// does, with a table in which every place is a position: the other army is ranked
// among the cells that the mover's leaves free. On 5×5 with 6 pieces that is 2.4·10⁹
// places instead of 15.7·10⁹. [Solve] finds values in memory, [Tiles] values or distances on the disk.
//
// # Rows
//
// A row holds the positions of one mover's army. A turn of the other player leads
// into it; what the row says belongs to the position before the turn, with the row's
// army as the other one. So the work on a row reads that row and writes to one place
// in each of many others. Rows are in the order that makes neighbours write to
// neighbouring places.
//
// With the row's army given, armies of the other player are sets of k of the n−k
// free cells. The same numbering of these, and the same tables for a piece in the
// hand, serve all rows: a set becomes cells by deposit and cells become a set by
// extract. See layout.
//
// # Only what is new
//
// Each place has a bit for "won" and one for "new": decided since the row was last
// worked on. What is new is looked at once:
//
//   - a new loss makes won what leads to it with some piece;
//   - a new win can make lost only what leads to it, and does so if all other turns
//     lead to wins, too. A position is found lost in the visit in which the last of
//     the positions after it is new, and in no other.
//
// So a loss need not be remembered once its consequences are drawn, and two bits a
// place do: a last pass over the table, when no more is new, tells losses from draws.
// Where memory allows, a third bit spares looking up again and again what is known to
// be won, and a fourth one the last pass.
//
//	board.go     cells at bits of a word; camps and rules as sets
//	moves.go     where a piece gets to, for all cells of a word at once
//	layout.go    positions as rows and columns; the tables of armies
//	row.go       from what is new in a row to the positions before
//	back.go      columns of a row as places one turn before
//	dense.go     the same where much is new: 64 partial armies at once
//	wide.go      or 256, by AVX2
//	solver.go    passes over the table until nothing is new
//	tiles.go     the same pass by pass on files, by tasks on many machines
//	file.go      the file of a tile
//	tilesrun.go  all passes in a loop; values and distances of the result
//	solution.go  values by position, counts, the table file; memory beforehand
package tight
