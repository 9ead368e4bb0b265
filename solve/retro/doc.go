// Package retro solves any game completely by retrograde analysis: the results that every set of
// seats can force from every position, and in how many plies. It knows a game by the contract of
// package game alone and needs no moves backwards.
//
// Call [Solve]; then [Solution.Value] gives the value of any position, [Solution.All] visits all of
// them, and [Solution.Line] plays one to its end. [NewPlan] forecasts the memory of a solve.
//
// # Values
//
// A set of seats plays as one against all others. It wins if one of its members does. Its value at
// a position is
//
//	win   it can force that one of its members wins
//	loss  the other seats can force that one of them wins
//	draw  neither: play that never ends is a draw
//
// with the plies to the end if the winning side hurries and the other delays. With two seats this
// is the usual win, loss and draw. A set and its complement share a layer: a byte a position, the
// number of plies until one of them wins. As long as the seat that moved last wins, the number also
// shows the winner; in other games one more bit does. Games of two seats have one layer, of three
// 4, of six 32; one of them holds the shortest games that all seats can play together.
//
// # Positions
//
// A [game.Numberer] numbers its positions; all of them are solved. Any other game needs keys
// ([game.Keyer]): then the positions reached from the start are solved, each class of symmetric
// ones once. If they bound the plies left and can be set by key ([game.Ender], [game.KeySetter]),
// the solver lists stages of positions one after the other, and solves them from the last one back.
// Else it plays from the start, depth first, and keeps all moves.
//
// # Method
//
// Retrograde analysis solves numbered positions, and keyed ones without stages. It begins with the
// finished positions. A position decided in ply d tells the positions before it. If the side
// that moves there wins, they are decided in ply d+1; else they have one hopeful move fewer, and are
// decided when none is left. An open position keeps its number of hopeful moves in the byte that
// later holds its distance. README.md explains where positions before come from, and the experiments.
package retro
