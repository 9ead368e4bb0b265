// Package exact solves deals of block dominoes with both hands known. A [Solver] has values,
// statistics, choices and lines; [Study] solves a hand against all others, [Each] many deals on
// several threads.
//
// Values come from alpha-beta with bounds by the pips left and a small table, the statistics of
// the full tree from a [Graph], in which equal positions are merged. [domino.ReferenceStats]
// defines the results, and tests compare them. Package census builds on the graphs.
package exact
