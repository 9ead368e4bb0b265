// Package equilibrium solves block dominoes with hidden hands. [New] makes a [Solver] of a
// [Game]; [Solver.Run] lets it play against itself until the bounds on its value are narrow. The
// bounds hold for any strategies.
//
// Everything but the hands is public, so all deals are walked at once. A [State] is the public part
// of a deal in play. At each state, reaches and values are vectors over the hands that a seat may
// still hold. An iteration is one walk through the public tree for each seat, by CFR+ (Tammelin
// 2014) with the discount of regrets of DCFR (Brown and Sandholm 2019): regrets never fall below
// zero, the seats learn in turn, and the average weighs strategies by the square of the iteration.
// At the end of deals, hands are not paired: the score against all hands of the other seat is a sum
// over hands less a sum over the hands that share a tile.
//
// Bounds are exact best answers to both average strategies, computed in float64 and widened by
// the largest rounding error; see [Bounds]. With the study's rules the deals of each opener are a
// separate game, since the first tile is forced.
package equilibrium
