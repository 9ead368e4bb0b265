// Package exact solves deals of block dominoes with both hands known: make a [Solver] with
// [NewSolver] and ask it for [Solver.Value], [Solver.Stats], [Solver.Choices] or
// [Solver.Line]; [Study] solves a hand against all others, [Each] many deals on several
// threads.
//
// Values come from alpha-beta with bounds from the pips left and a small table, the
// statistics of the full tree from a [Graph], in which equal positions are merged: an
// average deal has about 3,340 positions in its tree and 590 in its graph. Lines of play
// are counted forwards through the graph, values found backwards; no tree is walked.
// [domino.ReferenceStats] defines the results, and tests compare them. Package census
// builds on the graphs.
package exact
