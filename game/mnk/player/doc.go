// Package player plays m,n,k-games against a clock, on any board: our player,
// which uses proofs where it can find them in time, and four opponents. It also
// runs matches between them with the scoring of the tournament that the
// opponents were written for.
//
//   - perfect: proofs first (package prove), otherwise a local search near the
//     stones. On large boards with k ≥ 9 a pairing of the plane says which lines
//     of the opponent need care.
//   - monkey: after Clerici and Volpe, the MoNKey player (project report,
//     Bologna 2022): iterative deepening, best node search, symmetric table.
//   - sufferingdoge: after the report on the SufferingDoge player (same course):
//     alpha-beta over a beam.
//   - greedy: the best cell by open windows; random: any cell.
//
// The opponents are written anew from what the reports say; where a report is
// silent, the comment on the player says what was chosen.
package player
