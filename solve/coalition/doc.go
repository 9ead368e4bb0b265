// Package coalition finds what every set of seats can force together, exactly,
// in a game of few positions and at most eight seats. It knows the game by the
// contract of package game alone.
//
// Call [Solve] first; then [Solution.Start] answers for the start of the game
// and [Solution.Value] for any other position.
//
// A coalition is a set of seats, bit i for seat i, that play as one against all
// other seats. It wins where one of its members wins. Its value at a position is
//
//	win   it can force that one of its members wins
//	loss  the other seats can force that one of them wins
//	draw  neither: play that never ends is a draw
//
// with the number of plies to the end of the game if the side that wins hurries
// and the other delays.
//
// # Method
//
// Solve lists the positions and the moves between them as a graph, and then
// works backwards from the finished positions, once for each coalition: a
// position is won in d plies if the coalition is to move and some move leads to
// one won in d−1, or if its opponents are to move and every move leads to one
// won in at most d−1. The positions decided in the last ply are the frontier of
// the next, so each edge of the graph is followed once.
//
// The positions are those that can be reached from the start, unless the game
// numbers its positions itself: see [Indexer].
package coalition
