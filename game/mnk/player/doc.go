// Package player plays m,n,k-games against a clock, on any board: our player,
// which uses proofs where it can find them in time, and four opponents. Begin with
// [New], ask [Player].Move for each move, and end with [Player].Close; package match
// lets players meet.
//
//   - perfect: proofs first (package prove), otherwise a local search near the
//     stones. Among moves of equal proved value it takes the one after which
//     the replies that look best are wrong. On large boards with k ≥ 9 a
//     pairing of the plane says which lines of the opponent need care.
//   - monkey: after Clerici and Volpe, the MoNKey player (project report,
//     Bologna 2022): iterative deepening, best node search, symmetric table.
//   - sufferingdoge: after the report on the SufferingDoge player (same course):
//     alpha-beta over a beam.
//   - greedy: the best cell by open windows; random: any cell.
//
// The opponents are written anew from what the reports say; where a report is
// silent, the comment on the player says what was chosen.
//
// # Time
//
// All players share one clock (clock.go), so none loses by it what its search is
// worth. A player thinks on a goroutine of its own, asks before each position
// that it visits whether it is over, and reports every better answer at once. What
// lies between two questions is one position, some microseconds; only to set up
// a board of thousands of stones takes milliseconds, once. The move is made when
// thinking ends, or by a timer, from the best answer so far:
//
//	0                          80 %         90 %        100 % of the budget
//	├─────── thinking ──────────┼─ should end ┼─ made by now ─┤
//
// Under 250 ms the reserve is 50 ms, but at most half. Work that does not ask,
// such as a table that grows, delays the end of a search and not the move; the
// next one waits for it ([Player].Rest). Tables are asked for in [New]. A process
// that gets no processor for a tenth of the budget is late, and a match shows it by
// little processor time beside a long move (match.Spent).
package player
