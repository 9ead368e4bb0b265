// Package equilibrium solves block dominoes with hidden hands: [New] makes a [Solver]
// of a [Game], a set of tiles with so many dealt to each, and [Solver.Run] plays it
// against itself until the bounds on its value, which hold whatever was learnt, are
// narrow.
//
// Everything but the hands is public. So the deals are walked all at once: a [State] is
// what everybody sees, and at each state reaches and values are vectors on the hands
// that a seat may still hold, numbered as package rank numbers sets, among the tiles that
// its passes leave possible. An iteration is that of CFR+ (Tammelin 2014: regrets never
// fall below zero, the seats learn by turns, strategies are averaged by the square of the
// iteration) with the discount that DCFR (Brown and Sandholm 2019) puts on regrets: it is
// one walk through the public tree for each seat. What a deal counts at its end is
// added up without pairing hands: the sum over all hands of the other seat, less those
// that share a tile, tile by tile.
//
// Bounds are exact best answers to both average strategies; see [Bounds]. They are
// computed in float64 whatever the strategies are stored in, and widened by what rounding may
// have added, so they hold for the strategies as they are stored.
//
// The first tile is forced, so each opener's deals are a game of their own.
package equilibrium
