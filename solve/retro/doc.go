// Package retro solves any game completely by retrograde analysis: what every set of
// seats can force from every position, in how many plies. It knows a game by the contract
// of package game alone and needs no moves backwards.
//
// Call [Solve]; then [Solution.Value] answers for any position, [Solution.All] visits all of
// them, and [Solution.Line] plays one to its end. [NewPlan] says beforehand what a solve takes.
//
// # Values
//
// A set of seats plays as one against all others. It wins where one of its members does.
// Its value at a position is
//
//	win   it can force that one of its members wins
//	loss  the other seats can force that one of them wins
//	draw  neither: play that never ends is a draw
//
// with the plies to the end if the side that wins hurries and the other delays. With two
// seats this is the usual win, loss and draw. A set and its complement share a layer: a
// byte a position, which says in how many plies one of them wins. Which of them follows
// from whose turn it then is, as long as games are won by the seat that moved last; where
// they are not, one more bit says so. Games of two seats have one layer, of three 4, of six
// 32, with the shortest games that all seats can play together.
//
// # Positions
//
// A [game.Numberer] numbers its positions; all of them are solved. Any other game needs
// keys ([game.Keyer]): then those are solved that the start leads to, each class of
// symmetric ones once. Where they say how many plies are left ([game.Ender], [game.KeySetter])
// no moves are kept: stages of positions are listed one after the other, and solved from the
// last one back.
//
// # Method
//
// Finished positions come first. What is decided in ply d is pushed to the positions
// before it: where the side that moves there wins, they are decided in ply d+1; else they
// have one move fewer to hope for, and are decided when none is left. An open position
// keeps the number of its moves left in the byte that later has its distance. README.md
// says where the positions before come from, and what was tried.
package retro
