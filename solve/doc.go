// Package solve searches games for proved results: call [Run] with a game, a position and
// [Options], and read the [Report]. It knows games only by their contract in package game.
//
// # Bounded search
//
// [Run] finds the result that is forced within L plies. If nobody can force a win by then, the
// value is game.Unknown, not a draw, and [Search.Reached] is the number of plies for which that
// is proved. Of several wins the shortest counts, of losses the longest. The answer depends on
// the position and the limit alone: threads, the size of the table, move ordering and the game's
// bounds change only the time that it takes.
//
// A run searches the position as a whole and each opening move by itself, by iterative deepening
// until the value is decided or the limit reached. The engines are [AlphaBeta], [Paranoid],
// [Proof] and [MaxN].
//
// # Soundness of the table
//
// For a position p and a side let D be the least number of plies within which that side can
// force a win, infinite if it cannot.
//
//  1. D is a property of p, not of a search. A search with d plies left that finds a win in n
//     proves D ≤ n; one that finds none proves D > d.
//  2. The table keeps, for each position, an interval for D of the mover's side and one of the
//     other side. Every result shrinks them, whichever thread, iteration or depth it comes
//     from. Losing an entry loses time, not truth.
//  3. Keys are exact and compared in full, so no entry is taken for another position's.
//  4. Cycles need no care: there are no infinite lines within d plies, and D does not depend on
//     the path.
//
// Max^n has a similar invariant, proved in maxn.go.
//
// # Draws
//
// A side that finds no win in a search that met no horizon never wins. The table stores that as
// an infinite bound; if neither side ever wins, the position is a draw.
//
// With a limit below the length of the game, move ordering decides whether a search meets its
// horizon: of two moves that avoid a loss, one may end the game in time, and the search stops at
// the first. So with a limit a run calls a position drawn only if nobody can force a win and,
// besides, either the game's bounds exclude every win, or all play ends within the limit. A
// [game.Ender] knows how long play may last; for other games the run plays lines, up to a
// million moves, and assumes that all end in time if these do. Without a limit every draw found
// is a draw.
package solve
