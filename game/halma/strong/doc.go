// Package strong solves races of two armies completely, by retrograde analysis:
// it works backwards from the positions that are over until every position of
// the game has its value, and if wanted its distance to the end.
//
// Call [Solve] with a game as data (halma.Game.TwoArmy). [Solution.Value] looks
// a position up, [Save] writes the table file, and [NewPlan] and [Estimate] say
// beforehand what memory and time a solve takes.
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
// into it; what the row says belongs to the position before the turn, with the row's
// army as the other one. So the work on a row reads that row and writes to one place
// in each of many others. Rows are in the order that makes neighbours write to
// neighbouring places.
//
// With the row's army given, armies of the other player are sets of k of the n−k
// free cells: every place of the table is a position. The same numbering of these, and
// the same tables for a piece in the hand, serve all rows: a set becomes cells by deposit
// and cells become a set by extract. See layout.
//
// Where armies are small for the board, of one or two pieces or on cells that take two words
// or three, the table is square: columns are numbered among all cells, as rows are. A few
// places more, where the armies overlap, are no positions and never decided; and the place
// before a column needs no look-up, since all that a row finds goes to the column of its own
// army.
//
// # One piece in the hand
//
// Take one piece off the mover's army; what remains is a partial army. With the
// partial army and the other army fixed, the positions before the turn differ
// in the cell of that piece only, and so do those after it: both are bits of one
// word. Which cells reach a position lost for the opponent, or one not won for
// it, is found for all cells at once by shifting words: six shifts for steps and
// a flood fill for hops. Both lead back as they lead forth, since the piece is
// off the board, but for rules about goal, home and closed cells, which are sets of
// cells where a shift may lead and cost a flood nothing. Where they let chains pass, a
// flood is made for each class of cells that asks for others.
//
//	won:  from the cell of some piece, a cell of the lost set is reached
//	lost: from the cell of no piece, a cell outside the won set is reached
//
// # Only what is new
//
// Each place has a bit for "won" and one for "decided"; what was decided since the row was
// last worked on is new, and is looked at once:
//
//   - a new loss makes won what leads to it with some piece;
//   - a new win can make lost only what leads to it, and does so if all other turns
//     lead to wins, too. A position is found lost in the visit in which the last of
//     the positions after it is new, and in no other.
//
// So a loss need not be remembered once its consequences are drawn: the second bit then
// stands for "new" alone. A third bit for each position stands in the row of the other army,
// where the turn that decides it is found, and says "known": what has it is not found again.
// What is known and not won is lost. Where memory is short two bits do: a last pass over the
// table, when no more is new, tells losses from draws. Files and distances keep what is
// decided, in a bit of its own.
//
// For values a square table needs no third bit: what is known before 64 rows is a column of
// words, and read from there. Two bits then say that a place is undecided, won, lost, or lost
// and new; new wins are remembered by row, and a row that has some takes all its wins for new.
// So values of some boards of three pieces are found in a square table, too. Without distances a pass uses what it finds at once; the values
// do not depend on the order or the number of threads, since they follow from the game
// alone. With distances each pass is one ply and sees only the plies before it.
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
//	solver.go    passes over the table until nothing is new; square.go: what a square one knows; plies.go: distances
//	hand.go      from what is new in a row to the positions before
//	dense.go     the same where much is new: 64 partial armies at once; wide.go: or 256, by AVX2
//	back.go      columns of a row as places one turn before; sums.go: of many columns
//	work.go      what is known in a directory, to go on from; restored.go: and whether it can be true
//	tiles.go     a pass on files, by tasks on many machines; file.go: the file of a tile
//	tilesrun.go  all passes in a loop; values and distances of the result
//	solution.go  values by position, counts; forward.go: what can be reached from the start
//	save.go      all values as package numbering numbers them
//
// board.go, kernel.go and hand.go are written for boards whose cells stand in one word, and
// generated for two and three. Where a piece gets to package turns says.
package strong
