// Package strong solves races of two armies completely, by retrograde analysis:
// it works backwards from the positions that are over until every position of
// the game has its value, and if wanted its distance to the end.
//
// Call [Solve] with a game as data (halma.Game.TwoArmy). [Solution.Value] looks
// a position up, [Save] writes the table file, and [NewPlan] and [Estimate]
// forecast the memory and time of a solve.
//
// # Values
//
// A position is won, lost or drawn for the player to move; infinite play is a
// draw. A distance is the number of plies to the end if the winner takes the
// shortest way and the loser the longest. Positions are seen from the mover's
// side: half a turn of the board with the armies exchanged gives the same
// position, and counts count it once.
//
// # Rows
//
// A row holds the positions of one mover's army. A turn of the other player leads
// into it, from positions in which the row's army is the other one. So the work on a
// row reads that row and writes to one place in each of many others. Rows are in an
// order in which neighbours write to neighbouring places.
//
// With the row's army given, armies of the other player are sets of k of the n−k
// free cells: every place of the table is a position. The same numbering of these, and
// the same tables for a piece in the hand, serve all rows: a set becomes cells by deposit
// and cells become a set by extract. See layout.
//
// If armies are small for the board, of one or two pieces or on cells that take two words
// or three, the table is square: columns are numbered among all cells, as rows are. The
// places where armies overlap are no positions and never decided. The place before a column
// needs no look-up: all positions found from a row are in the column of its own army.
//
// # One piece in the hand
//
// Take one piece off the mover's army; what remains is a partial army. With the
// partial army and the other army fixed, the positions before the turn differ
// in the cell of that piece only, and so do those after it: both are bits of one
// word. Shifting words finds, for all cells at once, those that reach a position lost
// for the opponent, or one not won for it: six shifts for steps and a flood fill for
// hops. Both lead back as they lead forth, since the piece is off the board. Rules about
// goal, home and closed cells are sets of cells where a shift may lead; they cost a flood
// nothing. If they let chains pass, each class of cells with its own rules needs a flood.
//
//	won:  from the cell of some piece, a cell of the lost set is reached
//	lost: from the cell of no piece, a cell outside the won set is reached
//
// # Only what is new
//
// Each place has a bit for "won" and one for "decided". Positions decided since the last
// work on the row are new, and are looked at once:
//
//   - a position with a turn to a new loss is won;
//   - a position with a turn to a new win may be lost, and is if all its other turns lead
//     to wins, too. A position is found lost in the visit in which the last of the
//     positions after it is new, and in no other.
//
// So a loss need not be kept once it has been looked at: the second bit then stands for
// "new" alone. A third bit for each position, "known", is in the row of the other army,
// where the turn that decides it is found: known positions are not found again. A known
// position that is not won is lost. If memory is short two bits suffice: a last pass over the
// table, when no position is new, tells losses from draws. Files and distances keep the
// decided positions in a bit of their own.
//
// For values a square table needs no third bit: the known positions before 64 rows are a
// column of words, and read from there. Two bits then say that a place is undecided, won,
// lost, or lost and new. New wins are marked by row; in a marked row all wins count as new.
// So values of some boards of three pieces are found in a square table, too. Without
// distances a pass uses its results at once; the values do not depend on the order or the
// number of threads, since they follow from the game alone. With distances each pass is one
// ply and sees only the plies before it.
//
// Illegal positions are stored as wins: no turn leads to them, and a turn to a position won
// for the opponent is never a reason to choose it. A position without a legal turn gets the
// value after the pass.
//
// # Files
//
//	plan.go      memory and size, before anything is allocated
//	board.go     cells at bits; camps and rules as sets
//	layout.go    positions as rows and columns; kernel.go: their numbers; grid.go: a word for each and 32 columns
//	solver.go    passes over the table until nothing is new; square.go: known positions of a square one; plies.go: distances
//	hand.go      from new positions of a row to the positions before
//	dense.go     the same for many new positions: 64 partial armies at once; wide.go: or 256, by AVX2
//	back.go      columns of a row as places one turn before; sums.go: of many columns
//	work.go      the state in a directory, to resume from; restored.go: its check
//	tiles.go     a pass on files, by tasks on many machines; file.go: the file of a tile
//	tilesrun.go  all passes in a loop; values and distances of the result
//	solution.go  values by position, counts; forward.go: positions reachable from the start
//	save.go      all values in the order of package numbering
//
// board.go, kernel.go and hand.go are written for boards whose cells stand in one word, and
// generated for two and three. Package turns finds the targets of a piece.
package strong
