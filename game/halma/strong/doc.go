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
// # The way of a position
//
// A solve passes through the files in this order:
//
//	plan.go        memory and size, before anything is allocated
//	set.go         sets of bits in one, two or three words
//	board.go       cells at bits; camps and rules as sets
//	layout.go      armies numbered; a position is a row and a column
//	solver.go      passes over the table until nothing changes
//	propagate.go   the work on a block of 64 rows: terminal positions, losses, wins
//	hand.go        one piece in the hand: what a row decides
//	plies.go       distances, as planes of the bits of the numbers
//	moves.go       where pieces get to, for all cells of a set at once
//	checkpoint.go  what is known, written to go on from
//	solution.go    values by position, counts, distances
//	forward.go     what can be reached from the start
//	save.go        all values in the numbering of package tablebase
//
// A position has three forms on the way:
//
//	cells       two sets, bit c for cell c (halma.Sides): what callers and table
//	            files know
//	bits        two sets in which a step in one direction is a shift by one
//	            constant (board1.bit): what moves.go works on. They are as wide as
//	            the board needs: board.go, moves.go and hand.go are written for one
//	            word, and generated for two and three
//	row, column the numbers of the two armies (layout.placeOf): one bit of each plane
//
// # One row at a time
//
// Write (X, Y) for the mover's army X and the other's Y, both as their owners see
// them, so that the start is (home, home). A turn of X to X' leads to (Y, X').
// So with Y fixed all positions (·, Y) lead into the row of Y, and what a row
// says belongs to the column of the same number:
//
//	       columns: the other's army                 rows and columns are the
//	      ┌──────────────────────────┐               same armies; the turn of X
//	rows: │  (Y, ·): read ─ ─ ─ ─ ─  │               is decided by one row and
//	the   │                          │               written to one column
//	mover │      (·, Y): written     │
//	      └──────────────────────────┘
//
// A block is 64 rows and the 64 columns of the same numbers; the 64 columns are
// one word of each row. Blocks are independent work: a column has one writer.
// Mirror images are stored once: rows are representatives only. See layout.
//
// # One piece in the hand
//
// Take one piece off the mover's army; what remains is a partial army. With the
// partial army and the other army fixed, the positions before the turn differ
// in the cell of that piece only, and so do those after it: both are bits of one
// word. Which cells reach a position lost for the opponent, or one not won for
// it, is found for all cells at once by shifting words: six shifts for steps and
// a flood fill for hops. Both lead back as they lead forth, since the piece is
// off the board, but for rules about goal, home and closed cells. These rules are
// about two cells, where a step or a hop begins and where it ends; as a shift leads to
// each cell from one other only, they are sets of cells where it may lead, and cost a
// flood nothing. Where they let chains pass, a flood is made for each class of
// cells that asks for others.
//
//	won:  from the cell of some piece, a cell of the lost set is reached
//	lost: from the cell of no piece, a cell outside the won set is reached
//
// # Passes
//
// The frontier is the losses that are not yet propagated. Without distances a
// pass uses what it finds at once; the values do not depend on the order or the
// number of threads, since they follow from the game alone. With distances each
// pass is one ply and sees only the plies before it.
//
// Positions without a legal turn are found where the test for a loss holds
// because there is no turn; they get the value after the pass, and are drawn if
// the pass would lead to an illegal position. Illegal positions are stored as
// wins: no turn leads to them, and a turn to a position won for the opponent is
// never a reason to choose it.
package strong
