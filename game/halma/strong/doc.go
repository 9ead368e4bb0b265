// Package strong solves races of two armies completely, by retrograde analysis: it works
// backwards from the positions that are over, until every position has its value and, if wanted,
// its distance to the end.
//
// [Solve] takes a game as data (halma.Game.TwoArmy). [Solution.Value] looks a position up, [Save]
// writes the table file, [NewPlan] and [NewWork] forecast memory and time.
//
// # Values
//
// A position is won, lost or drawn for the player to move; infinite play is a draw. A distance is
// the number of plies to the end if the winner hurries and the loser delays. Positions are seen
// from the mover's side. Half a turn of the board with the armies exchanged gives the same
// position, which counts once.
//
// # Rows
//
// A row holds the positions of one mover's army. The other player's turns lead into the row, from
// positions where the row's army waits. Work on a row reads that row and writes to one place in
// each of many others. Rows are ordered so that neighbours write to neighbouring places.
//
// The row's army leaves n−k cells free, and the other player's army stands on k of these cells. So
// every place is a position. One numbering of these sets serves all rows: a set becomes cells by
// deposit, and cells become a set by extract. See layout.
//
// For armies of one or two pieces, and for cells in two words or three, the table is square:
// columns are numbered among all cells, as rows are. Places of overlapping armies are no positions
// and never decided. All positions found from a row are in the column of its own army.
//
// # One piece in the hand
//
// An army without one piece is a partial army. With the partial army and the other army fixed, the
// positions before a turn differ only in the cell of that piece, and so do the positions after the
// turn. So each kind of position takes one word, with a bit for each cell. Six shifts for steps and
// a flood fill for hops find at once all cells from which a turn leads to a position lost for the
// opponent, or to a position not won for the opponent. The piece is off the board meanwhile, so
// turns lead backwards as they lead forwards. Rules about goal, home and closed cells are sets of
// cells where a shift may lead.
//
//	won:  from the cell of some piece, a cell of the lost set is reached
//	lost: from the cell of no piece, a cell outside the won set is reached
//
// # Only new positions
//
// A place has a bit for "won" and one for "decided". Positions decided since the last work on the
// row are new, and each is looked at once:
//
//   - a position with a turn to a new loss is won;
//   - a position with a turn to a new win is lost if all its other turns lead to wins, too. It is
//     found when the last of the positions after it is new.
//
// A loss need not be kept once it has been looked at, so the second bit may mean "new" alone. A
// third bit, "known", stands in the row of the other army, where the turn that decides a position
// is found: known positions are not found again, and known positions that are not won are lost.
// Files and distances keep the decided positions in a bit of their own. A square table of values
// alone reads the known positions from its columns: see square.go.
//
// Without distances a pass uses its results at once; the values do not depend on the order. With
// distances each pass is one ply and sees only the plies before it.
//
// Illegal positions are stored as wins: no turn leads to them, and no player chooses a turn to a
// position won for the opponent. A position without a legal turn has the value after the pass.
//
// board.go, kernel.go and hand.go are written for one word, and generated for two and three.
package strong
