// Package player plays any game at named levels, from random to perfect, see [New]. It knows
// games by their contract alone, and asks package explore for the values of moves.
//
//   - random plays any legal move.
//   - level-1 to level-9 are a ladder. A wing may have players of its own
//     ([wing.Wing.Player]). In other games the first two make the best move by
//     evaluation with many slips, the third without, and from the fourth on they
//     search (package search) with four times as many positions from level to level. They
//     play alike on every machine.
//   - strongest plays as well as this program can: a best move if the value is known,
//     from a table, a solution or a proof. It takes the fastest win, keeps a draw, and
//     loses as late as possible. Without a known value it searches for a proof in a
//     quarter of its time, plays no proved loss while another move is left, and leaves the
//     choice among the others to the search, or all of it to the wing's own player. Its
//     notes say what is proved, within how many plies, and what evaluation chose.
//   - perfect is the name of the same player in solved games. Others refuse it.
//
// With more than two seats a value is that of the seat alone against all others. Of moves
// that force nothing it prefers those after which it wins if everybody plays for himself.
package player
