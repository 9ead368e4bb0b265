// Package solitaire moves one army alone from its home to its goal. Call [Cross] for a
// shortest way and the proof that there is no shorter one, on boards with far too many
// placements to visit. A game is given as data (halma.TwoArmy), without its second army.
//
// # Two halves
//
// A crossing of n moves has a middle: a placement ⌈n/2⌉ moves from home and ⌊n/2⌋ from the
// goal. Moves can be reversed, and half a turn exchanges the camps; so a placement at some
// distance from the goal is, turned, at the same distance from home (in the dual game, if
// leaving the goal and entering the home are not equally free). Two searches from home
// therefore suffice, often one.
//
// # Progress
//
// Count the lines across the way that a piece has advanced, summed over the army: its
// progress. A crossing makes a known progress, on the star of 121 holes 120 lines. If n/2
// moves can make at most m, each half must make at least 120−m. This keeps the halves
// small: 27 moves cross that star, m is 70 for 14 of them, and of 1.27·10¹⁴ placements
// 8.6·10⁷ are visited.
//
// # A bound from histograms
//
// The histogram of a placement is the number of pieces on each line; let pieces step and
// hop as if lines were points. k moves on the board become k or fewer there. So the least
// number of moves of a histogram to some progress is a lower bound for its placements; it
// is found for all histograms by going backwards from those with that progress. It changes
// by at most one a move. A placement d moves from home is dropped if d and its bound exceed
// the moves of the half. No placement on a shortest way to a kept one is dropped. Hence
// levels of placements are by their true number of moves, and a half that is searched
// without success proves that there is none.
//
// Verified by searches with maps and rules written again for the tests, on small boards
// under all choices of rules: lengths, ways, and the bound for every placement and every
// progress.
package solitaire
