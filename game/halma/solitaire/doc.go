// Package solitaire moves one army alone from its home to its goal. [Cross] finds a shortest way
// and proves that there is no shorter one, on boards with far too many placements to visit.
//
// # Two halves
//
// A crossing of n moves has a middle: a placement ⌈n/2⌉ moves from home and ⌊n/2⌋ from the goal.
// Moves can be reversed, and half a turn exchanges the camps; so a placement at some distance
// from the goal is, turned, at the same distance from home (in the dual game, if leaving the
// goal and entering the home are not equally free). Two searches from home therefore suffice,
// often one.
//
// # Progress
//
// The progress of a placement is the number of lines across the way that its pieces have
// advanced, summed over the army. The progress of a crossing is known, 120 lines on the star of
// 121 holes. If n/2 moves can make at most m, each half must make at least 120−m, which keeps
// the halves small: 27 moves cross that star, m is 70 for 14 of them, and of 1.27·10¹⁴
// placements 8.6·10⁷ are visited.
//
// # A bound from histograms
//
//  1. The histogram of a placement is the number of pieces on each line. Let pieces step and
//     hop as if lines were points: k moves on the board are k or fewer moves of histograms.
//  2. So the least number of moves from a histogram to some progress is a lower bound for its
//     placements. It is found for all histograms backwards from those with that progress, and
//     changes by at most one a move.
//  3. A placement d moves from home is dropped if d plus its bound exceeds the moves of the
//     half. By 2, no placement on a shortest way to a kept one is dropped.
//  4. So levels hold placements by their true number of moves, and a half that is searched
//     without success proves that there is no way.
package solitaire
