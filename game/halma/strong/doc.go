// Package strong solves games completely, working backwards from positions that
// are over, and knows their rules only as data or by the contract of package
// game:
//
//	[Solve]            races of two armies (halma.TwoArmy): values, distances
//
// # Values
//
// A position is won, lost or drawn for the player to move; infinite play is a
// draw. With distances the winner hurries and the loser delays. A position is
// told from the mover's side, so half a turn of the board with the armies
// exchanged is the same position, and counts count it once.
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
// Mirror images are kept once: rows are representatives only. See layout.
//
// # One piece in the hand
//
// For a row (the other army lies still) and each way for all but one piece of
// the mover's army to lie still, the piece in the hand may be on any other cell,
// before the turn and after it: both are bits of the same word. Which cells reach
// a lost position of the opponent, or one that is not won, is then found for all
// cells at once by moving words: six shifts for steps, and a flood fill for hops,
// which are the same forth and back since the piece is in the hand. See reach.go.
//
//	won:  from some piece, a cell of the lost set is reached
//	lost: from no piece, a cell outside the won set is reached
//
// # Passes
//
// Without distances a pass uses what it finds at once; the end is the same for
// any order and number of threads, since values follow from the game alone. With
// distances each pass is one ply and sees only the plies before it.
//
// Positions without a legal turn are found where the second test holds for want
// of turns; they get the value after the pass, and are drawn if the pass would
// lead to an illegal position. Illegal positions are kept as
// wins: no turn leads there, just as none to a win of the opponent ever helps.
package strong
