// Package exact solves deals of block dominoes with both hands known.
//
// A [Solver] finds values by alpha-beta with bounds from the pips left and a
// small table, and the statistics of the full tree from a [Graph], in which equal
// positions are merged: an average deal has about 3,340 positions in its tree and
// 590 in its graph. Lines of play are counted forwards through the graph, values
// found backwards; no tree is walked. What the results mean is defined by
// domino.ReferenceStats and domino.Minimax, with which tests compare them.
//
// It knows nothing of files, of threads and of other deals; package census builds
// on its graphs.
package exact
