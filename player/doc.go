// Package player plays any game: [New] makes a [Player] of a level, from random
// to perfect. It knows games by their contract alone, and asks package explore
// what moves are worth.
//
// Levels:
//
//   - random plays any legal move.
//   - depth-N, N from 1 to 99, sees N plies: it takes the fastest win that can be
//     forced within N plies, avoids what loses within N, and otherwise takes the
//     move after which the game's own evaluation is best, or that the game expects
//     most of. It sees no further on a solved board.
//   - errs-P, P from 1 to 99, plays any legal move with a probability of P percent,
//     and else as perfect.
//   - perfect plays a best move wherever the value is known: from a table, a
//     solution or a proof. It takes the fastest win, keeps a draw, and loses as
//     late as possible. Where nothing is known it searches deeper and deeper in
//     its time, never plays what is proved to lose while something else is not, and
//     among the rest chooses like depth-N.
//
// With more than two seats a value is what the seat can force alone against all
// others; among moves that force nothing those are preferred after which it wins if
// everybody plays for himself.
package player
