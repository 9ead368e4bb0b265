// Package search chooses moves in games that are not solved, for one goroutine at a time
// and within a time or a number of positions. It knows games by their contract, and
// judges positions by the game's evaluation for players: a [wing.Evaluator], which counts
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
// A search bounded by time alone has helpers. With two seats they search the same
// position a ply deeper, or as deep, and share the transposition table (lazy SMP); the answer
// is that of the deepest search, and a proof ends the search of all. With more they
// grow one tree, without a lock (Enzenberger and Müller 2009): a visit counts from the descent
// on, so that other threads prefer other moves. An outlook shares its moves out.
//
// # Proofs
//
// With two seats, a value of a win is a proof: the mover forces it whatever the other
// does. The search skips moves that lead back at first, but no position counts as lost
// before all its moves have been tried, and the table compares whole keys. With more seats,
// a winner is passed up to a position where the mover chooses it or nobody can prevent it.
//
// # One army alone
//
// When nobody can be in the way any more, the rest is a race, and the search follows the
// evaluator's plan (wing.Evaluator.Finish).
package search
