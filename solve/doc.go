// Package solve searches games: call [Run] with a game, a position and [Options],
// and read the [Report]. It knows games only by their contract in package game.
//
// # Bounded search
//
// [Run] finds the result that is forced within a limit of L plies; ply L counts. If nobody forces
// a win by then, the value is game.Unknown, never a draw, and [Search.Reached] is the number of
// plies for which that is proved. A draw is final. The shortest win is best, and the longest loss.
// All of this depends on the position and the limit alone: threads, the size of the table, move
// ordering and the bounds of a race change the time of an answer, never the answer.
//
// A run searches the position as a whole, and each opening move by itself, each
// by iterative deepening until its value is decided or the limit is reached. The
// engines are [AlphaBeta], [Paranoid], [Proof] and [MaxN].
//
// # How the table stays sound
//
// For a position p and a side let D be the least number of plies within which that side can force
// a win, infinite if it cannot. D belongs to p alone. A search with d plies left that finds a win
// in n shows D ≤ n, for any number of plies left; one that finds none shows D > d. So the table
// keeps for each position intervals for the D of the mover's side and of the other side. They only
// shrink towards the truth, in any order, by any thread and from any iteration; a lost entry is a
// truth forgotten, never a falsehood. Keys are compared in full, so no entry is taken for another
// position's. Cycles need no care: within d plies there are no infinite lines, and D does not
// depend on the path. Max^n has a similar invariant, proved in maxn.go.
//
// # Draws
//
// A side whose search found no win and met no horizon never wins, with any number of plies. The
// table stores that, and it ends iterative deepening early in games that end. If neither side ever
// wins the position is a draw.
//
// With a limit below the length of the game, the order of moves decides whether a search meets its
// horizon: of two moves that keep a side from winning, one may end the game in time and the other
// lead to the horizon, and the search stops at the first. So with a limit a run calls a position
// drawn only if nobody can force a win and one of two things holds, which depend on the position
// and the limit alone: by the game's bounds nobody can win any more, or every line of play ends
// within the limit. The game says how long lines may be (game.Ender). If it does not, the run plays
// lines, up to a million moves, and assumes that all end within the limit if these do. Without a
// limit every draw found is a draw.
package solve
