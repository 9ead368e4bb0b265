// Package search chooses moves in games that are not solved, for one goroutine at a time
// and within a time or a number of positions. It knows games by their contract, and
// judges positions by what a game offers players: a [wing.Evaluator], which counts
// turns still needed, or [game.Evaluator].
//
// # Searches
//
//   - Two seats, or one: principal variation search (Marsland and Campbell 1982)
//     with iterative deepening, a transposition table, the table's move first, then
//     killers, gain and history, and reductions of late moves.
//   - More seats: Monte Carlo tree search for max^n with proven values (Nijssen and
//     Winands 2013), moves weighed by their gain, playouts of a few plies that end in an
//     evaluation.
//
// # Threads
//
// In a search that only time bounds helpers take part. With two seats they search the same
// position a ply deeper, or as deep, and share the transposition table (lazy SMP); the answer
// is that of whoever has searched deepest, and a proof ends the search of all. With more they
// grow one tree, without a lock (Enzenberger and Müller 2009): a visit counts from the way down
// on, so that others rather go elsewhere. An outlook shares its moves out.
//
// # What is proved
//
// With two seats, a value that says win is a proof: the mover forces its win whatever the
// other does. Moves that lead back are left out at first, but no
// position counts as lost before all moves have been tried, and the table compares
// whole keys. With more, a winner is passed up to a position where it is the mover's choice
// or nobody's.
//
// # One army alone
//
// Where the evaluator says that nobody is in the way any more, its plan is followed:
// what is left is a race (wing.Evaluator.Finish).
package search
