// Package player plays any game: [New] makes a [Player] of a level, from random
// to perfect. It knows games by their contract alone, and asks package explore
// what moves are worth.
//
// Levels:
//
//   - random plays any legal move.
//   - greedy takes a win, or the move after which the game's own evaluation is best.
//   - alphabeta, bestreply, paranoid, maxn, mcts and plan search by themselves (package
//     search), in their time or, as mcts-5000, with so many positions a move.
//   - level-N is a ladder: two that are greedy with many slips, the greedy one, and
//     searches with five times as many positions from level to level, by the kind that
//     is best for the number of seats. They play alike on every machine.
//   - depth-N, N from 1 to 99, sees N plies: it takes the fastest win that can be
//     forced within N plies, avoids what loses within N, and otherwise takes the
//     move after which the game's own evaluation is best, or that the game expects
//     most of. It sees no further on a solved board.
//   - errs-P, P from 1 to 99, plays any legal move with a probability of P percent,
//     and else as perfect.
//   - perfect plays a best move wherever the value is known: from a table, a
//     solution or a proof. It takes the fastest win, keeps a draw, and loses as
//     late as possible. Where nothing is known it tries in a quarter of its time to
//     prove something, never plays what is proved to lose while something else is
//     not, and leaves the choice among the rest to the search that is strongest.
//
// With more than two seats a value is what the seat can force alone against all
// others; among moves that force nothing those are preferred after which it wins if
// everybody plays for himself.
package player
