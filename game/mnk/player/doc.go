// Package player plays m,n,k-games against a clock, on any board. Begin with [New], ask
// Move for each move, and end with Close.
//
//   - strongest: wins by threats (threats.go), proofs where they fit into the time
//     (package prove), else alpha-beta near the stones (search.go). Among moves of equal
//     proved value it takes the one after which the replies that look best are wrong.
//   - level-6 to level-9: the same without proofs, by a number of positions; they play
//     alike on every machine. level-3 looks one stone ahead, level-1 and level-2
//     do so with slips, level-4 and level-5 for a share of their moves (greedy.go).
//   - monkey: after Clerici and Volpe, the MoNKey player (project report,
//     Bologna 2022): iterative deepening, best node search, symmetric table.
//   - sufferingdoge: after the report on the SufferingDoge player (same course):
//     alpha-beta over a beam.
//
// The last two follow the reports; comments on them name our choices where a report is
// silent. All judge positions by one field (field.go), which every stone updates:
//
//	window   k cells side by side: stones of each player, empty cells
//	sum      of a cell: the worth of the windows through it to a player, how many
//	         lack two stones and how many three
//	complete the cells on which a player completes a window
//
// # Threads
//
// strongest thinks by all threads that it may use: the provers, and then the search, whose
// helpers search the same position a ply deeper, or as deep, and share its table (lazy SMP).
// A bound on positions is for one thread.
//
// # Time
//
// All players share one clock (clock.go). A player thinks on a goroutine of its own, asks
// before each position that it visits whether its time is over, and reports every better
// answer at once. The move is made when thinking ends, or by a timer, from the best answer
// so far:
//
//	0                              90 %     95 %   100 % of the budget
//	├─────── thinking ──────────────┼ should ┼ made ─┤
//	                                  end     by now
//
// The reserve is a tenth, 50 ms at least, but at most half, and longer by twice the longest
// delay of recent moves. So on a busy machine a player thinks for less time and is not late.
// Work that does not ask, such as a growing table, delays the end of a search and not the
// move; the next move waits for it. Tables are allocated in [New].
package player
