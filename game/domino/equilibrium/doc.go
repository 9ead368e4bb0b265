// Package equilibrium solves block dominoes with hidden hands: [New] makes a [Solver] of a
// [Game], a set of tiles and the number dealt to each, and [Solver.Run] plays it against
// itself until the bounds on its value are narrow. The bounds hold for any strategies.
//
// Everything but the hands is public. So all deals are walked at once. A [State] is the
// public part of a deal in play. At each state reaches and values are vectors on the hands
// that a seat may still hold, numbered as package rank numbers sets, among the tiles that its
// passes leave possible. An iteration is that of CFR+ (Tammelin 2014: regrets never fall
// below zero, the seats learn by turns, strategies are averaged by the square of the
// iteration) with the discount of regrets of DCFR (Brown and Sandholm 2019): it is one walk
// through the public tree for each seat. Scores at the end of deals are added up without
// pairing hands: the sum over all hands of the other seat, less those that share a tile, tile
// by tile.
//
// Bounds are exact best answers to both average strategies; see [Bounds]. They are computed
// in float64 for any type of the strategies, and widened by the largest rounding error, so
// they hold for the strategies as they are stored.
//
// The first tile is forced, so the deals of each opener are a separate game.
package equilibrium
