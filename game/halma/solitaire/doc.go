// Package solitaire moves one army alone from its home to its goal. Call [Cross]
// for a shortest way and the proof that there is no shorter one, on boards with
// far too many placements to visit. A game is known as data alone (halma.TwoArmy), of
// which the second army is left away.
//
// # Two halves
//
// A crossing of n moves has a middle: a placement ⌈n/2⌉ moves from home and ⌊n/2⌋
// from the goal. Moves can be walked backwards, and half a turn exchanges the
// camps; so what is so far from the goal is, turned, so far from home (in the
// dual game, if leaving the goal and entering the home are not equally free). Two
// searches from home therefore do, often one.
//
// # Progress
//
// Count the lines across the way that a piece has advanced, summed over the army:
// its progress. A crossing makes a known progress, on the star of 121 holes 120
// lines. If the most that n/2 moves can make is m, each half must make at least
// 120−m. This is what keeps the halves small: 27 moves cross that star, m is 70
// for 14 of them, and of 1.27·10¹⁴ placements 8.6·10⁷ are visited.
//
// # A bound from histograms
//
// Of a placement keep only how many pieces stand on each line, and let pieces
// step and hop as if lines were points. What takes k moves on the board takes k
// or fewer there, so the least number of moves of a histogram to so much progress,
// found for all of them by going backwards from all that have it, bounds that of
// a placement from below. It changes by one a move at most. A placement d moves
// from home is dropped when d and its bound are more than the half has; nothing
// on a shortest way to one that is kept is dropped, which is why levels of
// placements are by their true number of moves, and why a half that is searched
// without success proves that there is none.
//
// Verified by searches with maps and rules written again for the tests, on small
// boards under all choices of rules: lengths, ways, and the bound for
// every placement and every progress.
package solitaire
