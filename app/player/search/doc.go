// Package search chooses moves in games that are not solved, for one goroutine and
// within a time or a number of positions. It knows games by their contract, and
// judges positions by what a game offers players: a [wing.Evaluator], which counts
// turns still needed, or [game.Evaluator].
//
// # Searches
//
//   - alphabeta: two seats, or one; principal variation search (Marsland and Campbell 1982)
//     with iterative deepening, a transposition table, the table's move first, then
//     killers, gain and history, and reductions of late moves.
//   - paranoid: the same for any number of seats, all others against the mover
//     (Sturtevant and Korf 2000).
//   - bestreply: of the others only one answers, the one whose reply is best, and the
//     rest make the move that brings them most (Schadd and Winands 2011, in the
//     variant that stays within the rules).
//   - maxn: everybody plays for himself (Luckhardt and Irani 1986), over the moves of
//     most gain.
//   - mcts: Monte Carlo tree search for max^n with proven values (Nijssen and Winands
//     2013), moves weighed by their gain, playouts of a few plies that end in an
//     evaluation.
//   - plan: a race with the others as moving scenery. Beams over the hero's own turns,
//     ten of them deep and wider and wider, keep the positions that cost it least; each
//     of the others answers as the greedy player would, with the move after which the
//     game's own evaluation is best for it.
//
// # What is proved
//
// A value of alphabeta and of paranoid that says win is a proof: the mover forces its
// win whatever all others do. Moves that lead back are left out at first, but no
// position counts as lost before all moves have been tried, and the table compares
// whole keys. Values of mcts are proofs in the same sense: a winner is passed up to a
// position where it is the mover's choice or nobody's. The other searches claim only
// wins in one turn.
//
// # One army alone
//
// Where the evaluator says that nobody is in the way any more, its plan is followed:
// what is left is a race (wing.Evaluator.Finish).
package search
