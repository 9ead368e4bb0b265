// Package player plays any game: [New] makes a [Player] of a name, from random to
// perfect. It knows games by their contract alone, and asks package explore
// what moves are worth.
//
//   - random plays any legal move.
//   - level-1 to level-9 are a ladder. Games whose wing has players of its own have
//     theirs ([wing.Wing.Player]). In all others the first two make the move that looks
//     best at once with many slips, the third without, and from the fourth on they
//     search (package search) with four times as many positions from level to level. They
//     play alike on every machine.
//   - strongest plays as well as this program can: a best move wherever the value is known,
//     from a table, a solution or a proof. It takes the fastest win, keeps a draw, and
//     loses as late as possible. Where nothing is known it tries in a quarter of its time
//     to prove something, never plays what is proved to lose while something else is
//     not, and leaves the choice among the rest to the search, or all of it to the wing's
//     own player. Its notes say what is proved, within how many plies, and what is chosen
//     by evaluation.
//   - perfect is the same player, by the name that it has in games that are solved. In
//     others it is refused.
//
// With more than two seats a value is what the seat can force alone against all
// others; among moves that force nothing those are preferred after which it wins if
// everybody plays for himself.
package player
