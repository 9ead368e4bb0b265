// Package solve searches games: call [Run] with a game, a position and [Options],
// and read the [Report]. It knows games only by their contract in package game.
//
// # Bounded search
//
// [Run] answers what is forced within a limit of L plies. A finished game counts
// if it is reached by ply L, the last ply included. Where nobody forces a win by then, the
// value is game.Unknown, never a draw, and [Search.Reached] says for how many plies that is
// proved. A draw is one for good. Among wins the shortest is best, among losses the longest.
// All of this is a property of the position and the limit: number of threads, size of the
// table, move ordering and the bounds of a game that can race change the time that an answer
// takes, never the answer.
//
// A run searches the position as a whole, and each opening move by itself, each
// by iterative deepening until its value is decided or the limit is reached. The
// engines are [AlphaBeta], [Paranoid], [Proof] and [MaxN].
//
// # How the table stays sound
//
// For a position p and a side let D be the number of plies within which that
// side can force a win, infinite if it cannot. D belongs to p alone. A search
// with d plies left that finds a win in n shows D ≤ n, which then holds for any
// number of plies left; one that finds none shows D > d, which holds for every
// smaller number, and answers nothing for a greater one. So the table keeps for
// each position intervals for the D of the mover's side and of the other side.
// They only ever shrink towards the truth, it does not matter in which order,
// by which thread and from which iteration the evidence comes, and to lose an
// entry is to forget a truth, not to learn a falsehood. Keys are compared in
// full, so no entry is ever taken for another position's. Cycles need no care:
// within d plies there are no infinite lines, and D does not depend on the path.
// Max^n has a similar invariant of its own, proved in maxn.go.
//
// # Draws
//
// A side whose search found no win and met no horizon never wins, however many plies it
// has; that is stored as such, and ends iterative deepening early in games that end. Where
// neither side ever wins the position is a draw.
//
// With a limit below the length of the game, a search may meet its horizon or not, by the
// order of moves: of several moves that keep a side from winning one may end the game in
// time, and another lead to the horizon, and a search goes on from the first that does. So
// a run with a limit calls a position drawn only where nobody can force a win and one of two
// things holds, which depend on the position and the limit alone: the bounds of the game say
// that nobody can win any more, or every line of play ends within the limit. The game says
// how long lines may be (game.Ender). Where it does not, a run plays lines, up to a million
// moves, and takes a limit that none of them exceeds for one that all lines end within.
// Without a limit every draw that is found is a draw.
package solve
